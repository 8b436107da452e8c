//! What `mcpspec.toml`, the files of others and the profiles tell of targets.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::config::{Around, Expanded, Profile, Settings, TargetSettings, Trigger, read_foreign};
use crate::run::Credentials;
use crate::target::Endpoint;
use crate::text::{Redactor, preview, redact_command, redact_url, terminal_safe};

use super::CliError;
use super::check_args::CallToolsMode;
use super::output::tell;
use super::targets::{Own, Started};

/// Bytes of the name of a program.
const PROGRAM: usize = 100;

/// What is known of the targets beside the arguments.
pub(super) struct Known {
    /// The configuration.
    pub(super) settings: Settings,
    /// Every profile that there is.
    pub(super) profiles: Vec<Profile>,
}

impl Known {
    /// Triggers that are told, and profiles that may still apply by the server's name: none if one was asked for.
    pub(super) fn triggers(
        &self,
        profile: Option<&str>,
        own: &BTreeMap<String, Trigger>,
    ) -> Result<(BTreeMap<String, Trigger>, Vec<Profile>), CliError> {
        let (mut triggers, profiles) = match profile {
            None => (BTreeMap::new(), self.profiles.clone()),
            Some(name) => (self.profile(name)?.triggers.clone(), Vec::new()),
        };
        triggers.extend(self.settings.triggers.clone());
        triggers.extend(own.clone());
        Ok((triggers, profiles))
    }

    fn profile(&self, name: &str) -> Result<&Profile, CliError> {
        let mut profiles = self.profiles.iter();
        profiles
            .find(|profile| profile.name == name)
            .ok_or_else(|| CliError::UnknownProfile {
                name: name.to_owned(),
                known: self
                    .profiles
                    .iter()
                    .map(|profile| profile.name.clone())
                    .collect(),
            })
    }
}

/// The targets of these names, or all if there are no names. Their secrets are told to the redactor.
pub(super) fn chosen(
    settings: &Settings,
    names: &[String],
    redactor: &mut Redactor,
) -> Result<Vec<Started>, CliError> {
    let known = || settings.targets.iter().map(|target| target.name.clone());
    if settings.targets.is_empty() {
        return Err(CliError::NoTarget);
    }
    if let Some(name) = names.iter().find(|name| !known().any(|one| one == **name)) {
        return Err(CliError::UnknownTarget {
            name: name.clone(),
            known: known().collect(),
        });
    }
    let is_chosen = |target: &&TargetSettings| names.is_empty() || names.contains(&target.name);
    let chosen = settings.targets.iter().filter(is_chosen);
    chosen
        .map(|target| {
            let again = ["--target", &target.name].map(str::to_owned).to_vec();
            started(target, again, redactor)
        })
        .collect()
}

/// The target that a file of an MCP client, or the Registry's `server.json`, names. `headers` are those of the command line.
/// Which environment variables it hands out is told.
pub(super) fn foreign(
    path: &Path,
    server: Option<&str>,
    headers: &[(String, String)],
) -> Result<TargetSettings, CliError> {
    let text = std::fs::read_to_string(path).map_err(|source| CliError::Read {
        path: path.to_owned(),
        source,
    })?;
    let around = Around {
        variables: &|name| std::env::var(name).ok(),
        gives_header: &|name| {
            let mut given = headers.iter();
            given.any(|(other, _)| other.eq_ignore_ascii_case(name))
        },
    };
    let file = path.to_string_lossy();
    let target = read_foreign(&file, &text, server, &around)?;
    tell_disclosed(&file, &target);
    Ok(target)
}

/// The words of a command line that choose this target of such a file. Its name may be that of another package, too.
pub(super) fn foreign_again(
    path: &Path,
    server: Option<&str>,
    target: &TargetSettings,
) -> Vec<String> {
    let file = path.to_string_lossy();
    let server = server.unwrap_or(&target.name);
    ["--from", &file, "--server", server]
        .map(str::to_owned)
        .to_vec()
}

/// Says which environment variables a file of somebody else's has handed out, and to whom, before anything is.
fn tell_disclosed(file: &str, target: &TargetSettings) {
    let told = |names: Vec<&str>, whom: String| {
        if !names.is_empty() {
            let values = match names.len() {
                1 => "value of the environment variable",
                _ => "values of the environment variables",
            };
            let names = names.join(", ");
            tell(&terminal_safe(&format!(
                "note: {file} gives the {values} {names} to {whom}"
            )));
        }
    };
    if let Some(url) = &target.url {
        told(
            target.told_to_host(),
            format!("the host {}", host(&url.value)),
        );
    }
    if let Some(program) = target.command.first() {
        let program = preview(&program.written, PROGRAM);
        told(target.told_to_command(), format!("the command `{program}`"));
    }
}

/// The host of a URL, with its port if it is not the usual one.
fn host(url: &str) -> String {
    let url = reqwest::Url::parse(url).ok();
    let host = url.as_ref().and_then(|url| url.host_str()).unwrap_or("?");
    match url.as_ref().and_then(reqwest::Url::port) {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// A target as it is started. Its secrets are told to the redactor.
pub(super) fn started(
    target: &TargetSettings,
    again: Vec<String>,
    redactor: &mut Redactor,
) -> Result<Started, CliError> {
    for (name, value) in target.secrets() {
        redactor.env(name, value);
    }
    let headers = values(&target.headers);
    let env = values(&target.env);
    for (name, value) in &headers {
        redactor.header(name, value);
    }
    for (name, value) in &env {
        redactor.env(name, value);
    }
    let cwd = target.cwd.as_ref().map(|cwd| PathBuf::from(&cwd.value));
    if let Some(folder) = cwd.as_deref().filter(|folder| !folder.is_dir()) {
        let shown = redactor.redact(&folder.to_string_lossy()).into_owned();
        return Err(CliError::NoDirectory(shown.into()));
    }
    let command = words(target, |word| &word.value);
    redactor.command(&command);
    let endpoint = match &target.url {
        None => Endpoint::Command(command),
        Some(url) => {
            redactor.url(&url.value);
            Endpoint::Url {
                url: url.value.clone(),
                command: (!command.is_empty()).then_some(command),
            }
        }
    };
    let shown_url = target.url.as_ref().map(|url| redact_url(&url.written));
    let token = |token: &Option<Expanded>| token.as_ref().map(|token| token.value.clone());
    let credentials = Credentials {
        second: token(&target.second_bearer),
        low: token(&target.low_scope_bearer),
    };
    for value in [&credentials.second, &credentials.low]
        .into_iter()
        .flatten()
    {
        redactor.header("Authorization", value);
    }
    let own = Own {
        name: target.name.clone(),
        again,
        env,
        cwd,
        call_tools: target.call_tools.as_deref().map(mode),
        profile: target.profile.clone(),
        startup_timeout: target.startup_timeout,
        timeout: target.timeout,
        triggers: target.triggers.clone(),
    };
    Ok(Started {
        headers,
        credentials,
        own: Some(own),
        ..Started::new(
            endpoint,
            redact_command(&words(target, |word| &word.written)),
            shown_url,
        )
    })
}

fn mode(name: &str) -> CallToolsMode {
    CallToolsMode::from_str(name, false).expect("the configuration takes no other name")
}

fn words(target: &TargetSettings, form: impl Fn(&Expanded) -> &String) -> Vec<String> {
    let command = target.command.iter();
    command.map(|word| form(word).clone()).collect()
}

fn values(named: &[(String, Expanded)]) -> Vec<(String, String)> {
    let pairs = named.iter();
    pairs
        .map(|(name, value)| (name.clone(), value.value.clone()))
        .collect()
}

//! What `mcpspec.toml` and the profiles tell of targets.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::ValueEnum;

use crate::config::{Expanded, Profile, Settings, TargetSettings, Trigger};
use crate::target::Endpoint;
use crate::text::{Redactor, redact_url};

use super::CliError;
use super::check_args::CallToolsMode;
use super::targets::{Own, Started};

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
    chosen.map(|target| started(target, redactor)).collect()
}

fn started(target: &TargetSettings, redactor: &mut Redactor) -> Result<Started, CliError> {
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
    let own = Own {
        name: target.name.clone(),
        env,
        cwd,
        call_tools: target.call_tools.as_deref().map(mode),
        profile: target.profile.clone(),
        triggers: target.triggers.clone(),
    };
    Ok(Started {
        headers,
        own: Some(own),
        ..Started::new(endpoint, words(target, |word| &word.written), shown_url)
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

//! `init`: surveys a server and writes `mcpspec.toml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{io, iter};

use tokio::time::Instant;

use crate::config::{ConcealedTarget, GivenTarget, Outline, Profile, Settings, ToolUse, Trigger};
use crate::report::{check_writable, write_file};
use crate::run::outlook;
use crate::spec::REVISION;
use crate::target::{
    Endpoint, ServedEra, Sought, Survey, SurveyError, Target, TargetOptions, survey,
};
use crate::text::{Redactor, counted, redact_url, terminal_safe};
use crate::transport::Limits;

use super::args::SuiteArguments;
use super::check_args::TargetArguments;
use super::configured::Known;
use super::init_args::InitArguments;
use super::learned::{Learned, example};
use super::output::{tell, tell_insecure};
use super::signal::asked_to_end;
use super::suite::{self, Loaded};
use super::{CliError, Exit, configured, targets};

/// Longest reason that is shown, in bytes.
const LONGEST: usize = 4000;

pub(super) async fn init(arguments: InitArguments) -> Result<Exit, CliError> {
    let path = Path::new(Settings::FILE);
    // A link that leads nowhere is there, too.
    if !arguments.force && path.symlink_metadata().is_ok() {
        return Err(CliError::ConfigurationExists);
    }
    check_writable(path)?;
    let loaded = suite::load(&SuiteArguments::default())?;
    let mut redactor = Redactor::new();
    let wanted = Wanted::new(&arguments, &loaded, &mut redactor)?;
    let found = tokio::select! {
        found = wanted.survey() => found,
        () = asked_to_end() => {
            tell("interrupted; nothing is written");
            return Ok(Exit::Interrupted);
        }
    };
    let (target, survey) = found.map_err(|problem| {
        let problem = redactor.bounded(&problem, LONGEST);
        CliError::NotSurveyed(terminal_safe(&problem).into_owned())
    })?;
    let outline = outline(&arguments, &wanted, &redactor, &loaded, (&target, &survey)).await;
    let text = outline.write(&redactor);
    let profiles: Vec<&str> = loaded
        .profiles
        .iter()
        .map(|profile| profile.name.as_str())
        .collect();
    outline.read_back(&text, &profiles)?;
    write_file(path, &text, arguments.force).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => CliError::ConfigurationExists,
        _ => CliError::WriteConfiguration(error),
    })?;
    conclude(&outline, &arguments.target);
    Ok(Exit::Clean)
}

/// The target of the command line, and what is told of it.
struct Wanted {
    /// What the file that names it calls it.
    name: Option<String>,
    endpoint: Endpoint,
    options: TargetOptions,
    /// As the configuration can hold it.
    concealed: ConcealedTarget,
    /// Triggers of the profile that was asked for.
    triggers: BTreeMap<String, Trigger>,
    /// Profiles that may apply by the server's name.
    profiles: Vec<Profile>,
}

impl Wanted {
    fn new(
        arguments: &InitArguments,
        loaded: &Loaded,
        redactor: &mut Redactor,
    ) -> Result<Wanted, CliError> {
        let max_message = Limits::default().max_message;
        let options = targets::options(&arguments.target, arguments.timeout, max_message)?;
        let url = arguments.url.as_deref();
        targets::hide(&options, url, &arguments.command, redactor);
        let found = Found::new(arguments, &options, redactor)?;
        targets::for_a_command(&arguments.target, iter::once(&found.endpoint))?;
        if arguments.target.insecure {
            let url = found.given.url.as_deref();
            let url = url.filter(|url| targets::is_https(url));
            let shown: Vec<String> = url.into_iter().map(redact_url).collect();
            let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
            tell_insecure(&shown);
        }
        // An earlier configuration does not count: it is replaced.
        let known = Known {
            settings: Settings::default(),
            profiles: loaded.profiles.clone(),
        };
        let profile = arguments.target.profile.as_deref();
        let (triggers, profiles) = known.triggers(profile, &BTreeMap::new())?;
        let Found {
            name,
            endpoint,
            given,
        } = found;
        let options = TargetOptions {
            headers: given
                .headers
                .iter()
                .cloned()
                .chain(bearer(&given))
                .collect(),
            env: given.env.clone(),
            cwd: given.cwd.as_ref().map(PathBuf::from),
            ..options
        };
        Ok(Wanted {
            name,
            concealed: given.conceal(&|name| std::env::var(name).ok()),
            endpoint,
            options,
            triggers,
            profiles,
        })
    }

    /// Surveys the target and ends it, or says why that cannot be done.
    async fn survey(&self) -> Result<(Target, Survey), String> {
        let (endpoint, options) = (self.endpoint.clone(), self.options.clone());
        let target = Target::start(endpoint, options, Instant::now())
            .await
            .map_err(|error| error.to_string())?;
        let found = survey(
            &target,
            &self.profiles,
            &self.triggers,
            &Sought::everything(),
        )
        .await;
        target.finish().await;
        let found = found.map_err(|error| match error {
            SurveyError::Open(error) => error.to_string(),
            SurveyError::Unusable(problem) => problem,
        })?;
        if let Some(problem) = found.lost {
            return Err(problem);
        }
        if found.era == ServedEra::Legacy {
            let version = found
                .legacy_version
                .as_deref()
                .unwrap_or("an older revision");
            return Err(format!(
                "the server does not speak {REVISION}, only {version}"
            ));
        }
        Ok((target, found))
    }
}

/// What the command line, or a file that it names, gives.
struct Found {
    /// What the file calls it.
    name: Option<String>,
    endpoint: Endpoint,
    given: GivenTarget,
}

impl Found {
    fn new(
        arguments: &InitArguments,
        options: &TargetOptions,
        redactor: &mut Redactor,
    ) -> Result<Found, CliError> {
        let mut headers = options.headers.clone();
        // The token stands behind the other headers.
        let bearer = arguments.target.bearer_env.as_ref().and_then(|name| {
            let (_, value) = headers.pop()?;
            Some((name.clone(), value.strip_prefix("Bearer ")?.to_owned()))
        });
        let told = |cwd: &PathBuf| cwd.to_string_lossy().into_owned();
        let cwd = options.cwd.as_ref().map(told);
        let Some(path) = &arguments.from else {
            let url = arguments.url.as_ref();
            return Ok(Found {
                name: None,
                endpoint: targets::one(url, &arguments.command)?.endpoint,
                given: GivenTarget {
                    command: arguments.command.clone(),
                    url: url.cloned(),
                    env: options.env.clone(),
                    headers,
                    cwd,
                    bearer,
                    variables: Vec::new(),
                },
            });
        };
        let target = configured::foreign(path, arguments.server.as_deref(), &options.headers)?;
        let started = configured::started(&target, Vec::new(), redactor)?;
        let own = started.own.unwrap_or_default();
        let (url, command) = match &started.endpoint {
            Endpoint::Url { url, command } => (Some(url.clone()), command.clone()),
            Endpoint::Command(command) => (None, Some(command.clone())),
            Endpoint::Memory(..) => (None, None),
        };
        // What the command line gives takes the place of what the file does, the token too.
        let given = targets::merged(&options.headers, &started.headers);
        let token = bearer.is_some().then_some(targets::AUTHORIZATION);
        let is_token = |name: &str| token.is_some_and(|token| token.eq_ignore_ascii_case(name));
        Ok(Found {
            name: Some(own.name),
            endpoint: started.endpoint,
            given: GivenTarget {
                command: command.unwrap_or_default(),
                url,
                env: own.env.into_iter().chain(options.env.clone()).collect(),
                headers: given
                    .into_iter()
                    .filter(|(name, _)| !is_token(name))
                    .collect(),
                cwd: cwd.or(own.cwd.as_ref().map(told)),
                bearer,
                variables: target.secrets().cloned().collect(),
            },
        })
    }
}

/// The header that carries the bearer token.
fn bearer(given: &GivenTarget) -> Option<(String, String)> {
    let (_, token) = given.bearer.as_ref()?;
    Some((targets::AUTHORIZATION.to_owned(), format!("Bearer {token}")))
}

/// What is to be written.
async fn outline(
    arguments: &InitArguments,
    wanted: &Wanted,
    redactor: &Redactor,
    loaded: &Loaded,
    (target, survey): (&Target, &Survey),
) -> Outline {
    let outlook = outlook(&loaded.suite, target, survey);
    let learned = Learned {
        survey,
        permit: target.permit(),
        outlook: &outlook,
        redactor,
    };
    let TargetArguments {
        call_tools,
        profile,
        startup_timeout,
        ..
    } = &arguments.target;
    let usual = TargetOptions::default();
    Outline {
        name: match &wanted.name {
            Some(name) => terminal_safe(name).into_owned(),
            None => learned.name(),
        },
        target: wanted.concealed.clone(),
        call_tools: call_tools.map(|mode| mode.as_str().to_owned()),
        profile: profile.clone(),
        startup_timeout: *startup_timeout,
        timeout: Some(arguments.timeout).filter(|timeout| *timeout != usual.timeout),
        learned: learned.sentences(),
        tools: learned.tools(),
        known: learned.known(&wanted.triggers, &wanted.profiles),
        missing: outlook.missing.clone(),
        example: example(survey, target.permit()).await,
        suggestions: learned.suggestions(target.transport(), &wanted.profiles),
    }
}

/// Says what was written and what to do next.
fn conclude(outline: &Outline, target: &TargetArguments) {
    let calls = |is_called: bool| -> usize {
        let classes = outline.tools.iter();
        classes
            .filter(|class| (class.use_of_it == ToolUse::Called) == is_called)
            .map(|class| class.names.len())
            .sum()
    };
    let (called, others) = (calls(true), calls(false));
    let more = match outline.missing.len() {
        0 => String::new(),
        more => format!(", stubs of {more} more that would get more judged"),
    };
    tell(&format!(
        "wrote {}: {called} of {} called, {} known{more}",
        Settings::FILE,
        counted(called + others, "tool"),
        counted(outline.used(), "trigger"),
    ));
    let unset: Vec<&str> = outline
        .target
        .variables
        .iter()
        .map(|variable| variable.name.as_str())
        .filter(|name| std::env::var_os(name).is_none())
        .collect();
    let first = match unset.as_slice() {
        [] => String::new(),
        names => format!("set {}, then ", names.join(", ")),
    };
    // These two are no part of the file.
    let insecure = if target.insecure { " --insecure" } else { "" };
    let max_rate = target.max_rate.map(|rate| format!(" --max-rate {rate}"));
    let max_rate = max_rate.unwrap_or_default();
    tell(&format!(
        "next: {first}run `mcpspec check{insecure}{max_rate}` in this folder"
    ));
}

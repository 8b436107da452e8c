//! Which servers are meant, and what is told of them: `URL`, `-- COMMAND…`, `URL -- COMMAND…`, `--demo`, `--from FILE`, or else
//! the targets of `mcpspec.toml`.
//!
//! Values here can be secrets. They are checked here and not by the argument parser, which would repeat them in its
//! messages.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::config::{NO_TOKEN, Trigger, header_problem, token_problem, url_problem};
use crate::run::{Credentials, TargetRequest};
use crate::target::{Endpoint, TargetOptions};
use crate::text::{Redactor, redact_command, redact_url};
use crate::transport::{Limits, Pacer};

use super::CliError;
use super::check_args::{CallToolsMode, CheckArguments, TargetArguments};
use super::configured::{self, Known};
use super::demo::demo;
use super::errors::Meant;
use super::reproduce::{quoted, reproduce};

/// The header that carries a token.
pub(super) const AUTHORIZATION: &str = "Authorization";

/// Everything to be judged.
pub(super) fn targets(
    arguments: &CheckArguments,
    known: &Known,
    redactor: &mut Redactor,
) -> Result<Vec<TargetRequest>, CliError> {
    let judging = &arguments.judging;
    let timeout = judging.timeout.unwrap_or(TargetOptions::default().timeout);
    let options = options(&arguments.target, timeout, judging.max_message)?;
    hide(
        &options,
        arguments.url.as_deref(),
        &arguments.command,
        redactor,
    );
    let started = if arguments.demo {
        demo()?
    } else if arguments.url.is_some() || !arguments.command.is_empty() {
        vec![one(arguments.url.as_ref(), &arguments.command)?]
    } else if let Some(path) = &arguments.from {
        let server = arguments.server.as_deref();
        let target = configured::foreign(path, server, &options.headers)?;
        let again = configured::foreign_again(path, server, &target);
        vec![configured::started(&target, again, redactor)?]
    } else {
        configured::chosen(&known.settings, &arguments.names, redactor)?
    };
    let endpoints = started.iter().map(|started| &started.endpoint);
    for_a_command(&arguments.target, endpoints)?;
    started
        .into_iter()
        .map(|started| request(arguments, &options, known, started, redactor))
        .collect()
}

/// Tells the redactor what of the command line may be a secret.
pub(super) fn hide(
    options: &TargetOptions,
    url: Option<&str>,
    command: &[String],
    redactor: &mut Redactor,
) {
    redactor.command(command);
    for (name, value) in &options.headers {
        redactor.header(name, value);
    }
    for (name, value) in &options.env {
        redactor.env(name, value);
    }
    if let Some(url) = url {
        redactor.url(url);
    }
}

/// A target as it is judged. What the command line tells counts before what the configuration tells of it.
fn request(
    arguments: &CheckArguments,
    options: &TargetOptions,
    known: &Known,
    started: Started,
    redactor: &Redactor,
) -> Result<TargetRequest, CliError> {
    let told = &arguments.target;
    let reproduce = reproduce(arguments, &started, redactor);
    let (name, own) = match started.own {
        None => (None, Own::default()),
        Some(own) => (Some(own.name.clone()), own),
    };
    let startup_timeout = told.startup_timeout.or(own.startup_timeout);
    let timeout = arguments.judging.timeout.or(own.timeout);
    let profile = told.profile.as_ref().or(own.profile.as_ref());
    let (triggers, profiles) = known.triggers(profile.map(String::as_str), &own.triggers)?;
    let mut token = options.headers.iter();
    let token = token.rfind(|(name, _)| name.eq_ignore_ascii_case(AUTHORIZATION));
    if let (Some((_, token)), Some(target)) = (token, &name) {
        distinct(token, &started.credentials, target)?;
    }
    let call_tools = told.call_tools.or(own.call_tools);
    let is_by_tls = matches!(&started.endpoint, Endpoint::Url { url, .. } if is_https(url));
    Ok(TargetRequest {
        name,
        reproduce,
        endpoint: started.endpoint,
        options: TargetOptions {
            headers: merged(&options.headers, &started.headers),
            // A later variable takes the place of an earlier one.
            env: own.env.iter().chain(&options.env).cloned().collect(),
            cwd: options.cwd.clone().or(own.cwd),
            call_tools: call_tools.unwrap_or_default().into(),
            startup_timeout: startup_timeout.unwrap_or(options.startup_timeout),
            timeout: timeout.unwrap_or(options.timeout),
            insecure: options.insecure && is_by_tls,
            ..options.clone()
        },
        triggers,
        credentials: started.credentials,
        profiles,
        shown_command: started
            .shown_command
            .iter()
            .map(|word| redactor.redact(word).into_owned())
            .collect(),
        shown_url: started.shown_url,
    })
}

/// Whether the tokens of others are not that of the command line, which is used for everything else.
fn distinct(token: &str, others: &Credentials, target: &str) -> Result<(), CliError> {
    let others = [
        ("second-bearer-env", &others.second),
        ("low-scope-bearer-env", &others.low),
    ];
    for (key, other) in others {
        if other.as_deref() == Some(token) {
            return Err(CliError::SamePrincipal {
                target: target.to_owned(),
                key,
            });
        }
    }
    Ok(())
}

/// Headers of the command line, and those of the target that it does not give itself.
pub(super) fn merged(
    given: &[(String, String)],
    own: &[(String, String)],
) -> Vec<(String, String)> {
    let is_given = |name: &str| {
        given
            .iter()
            .any(|(other, _)| other.eq_ignore_ascii_case(name))
    };
    let rest = own.iter().filter(|(name, _)| !is_given(name));
    given.iter().chain(rest).cloned().collect()
}

/// A target and how it is shown.
pub(super) struct Started {
    pub(super) endpoint: Endpoint,
    /// Headers that it wants beside those of the command line. Those of the demonstration are no secrets.
    pub(super) headers: Vec<(String, String)>,
    pub(super) credentials: Credentials,
    pub(super) shown_command: Vec<String>,
    pub(super) shown_url: Option<String>,
    /// What the configuration tells, if it is from there.
    pub(super) own: Option<Own>,
}

/// What the configuration tells of a target.
#[derive(Default)]
pub(super) struct Own {
    pub(super) name: String,
    /// The words of a command line that choose it.
    pub(super) again: Vec<String>,
    pub(super) env: Vec<(String, String)>,
    pub(super) cwd: Option<PathBuf>,
    pub(super) call_tools: Option<CallToolsMode>,
    pub(super) profile: Option<String>,
    pub(super) startup_timeout: Option<Duration>,
    pub(super) timeout: Option<Duration>,
    pub(super) triggers: BTreeMap<String, Trigger>,
}

impl Started {
    pub(super) fn new(
        endpoint: Endpoint,
        shown_command: Vec<String>,
        shown_url: Option<String>,
    ) -> Started {
        Started {
            endpoint,
            headers: Vec::new(),
            credentials: Credentials::default(),
            shown_command,
            shown_url,
            own: None,
        }
    }
}

/// The target of the command line.
pub(super) fn one(url: Option<&String>, command: &[String]) -> Result<Started, CliError> {
    let command = command.to_vec();
    if command.first().is_some_and(|word| word.trim().is_empty()) {
        return Err(CliError::EmptyCommand);
    }
    let shown_command = redact_command(&command);
    let Some(url) = url else {
        return Ok(Started::new(
            Endpoint::Command(command),
            shown_command,
            None,
        ));
    };
    check_url(url)?;
    let command = (!command.is_empty()).then_some(command);
    let endpoint = Endpoint::Url {
        url: url.clone(),
        command,
    };
    Ok(Started::new(endpoint, shown_command, Some(redact_url(url))))
}

/// How the target of the command line is treated.
pub(super) fn options(
    target: &TargetArguments,
    timeout: Duration,
    max_message: usize,
) -> Result<TargetOptions, CliError> {
    if let Some(folder) = target.cwd.as_deref().filter(|folder| !folder.is_dir()) {
        return Err(CliError::NoDirectory(folder.to_owned()));
    }
    let (limits, usual) = (Limits::default(), TargetOptions::default());
    let rate = target.max_rate.and_then(NonZeroU32::new);
    let mut headers = target
        .header
        .iter()
        .map(|text| header_line(text))
        .collect::<Result<Vec<_>, _>>()?;
    if let Some(name) = &target.bearer_env {
        let is_authorization =
            |(name, _): &(String, String)| name.eq_ignore_ascii_case(AUTHORIZATION);
        if headers.iter().any(is_authorization) {
            return Err(CliError::TwoAuthorizations);
        }
        headers.push(bearer(name)?);
    }
    Ok(TargetOptions {
        env: target
            .env
            .iter()
            .map(|text| env_variable(text))
            .collect::<Result<_, _>>()?,
        cwd: target.cwd.clone(),
        headers,
        startup_timeout: target.startup_timeout.unwrap_or(usual.startup_timeout),
        timeout,
        insecure: target.insecure,
        pacer: rate.map(|rate| Arc::new(Pacer::new(rate))),
        call_tools: target.call_tools.unwrap_or_default().into(),
        limits: Limits {
            max_message,
            max_link: limits.max_link.max(max_message.saturating_mul(4)),
        },
    })
}

/// Whether what is told of a command has one that it can be for.
pub(super) fn for_a_command<'a>(
    told: &TargetArguments,
    mut endpoints: impl Iterator<Item = &'a Endpoint>,
) -> Result<(), CliError> {
    let options = match (told.env.is_empty(), told.cwd.is_none()) {
        (true, true) => return Ok(()),
        (false, true) => "--env is",
        (true, false) => "--cwd is",
        (false, false) => "--env and --cwd are",
    };
    match endpoints.all(|endpoint| matches!(endpoint, Endpoint::Url { command: None, .. })) {
        true => Err(CliError::NoCommand { options }),
        false => Ok(()),
    }
}

/// Whether a URL is reached by TLS.
pub(super) fn is_https(url: &str) -> bool {
    reqwest::Url::parse(url).is_ok_and(|url| url.scheme() == "https")
}

fn check_url(text: &str) -> Result<(), CliError> {
    let wrong = |problem: String| CliError::Url {
        url: redact_url(text),
        problem,
        meant: meant(text),
    };
    url_problem(text).map_or(Ok(()), |problem| Err(wrong(problem)))
}

/// What was probably meant by a text that is no URL: one without its scheme, or a command without `--`.
fn meant(text: &str) -> Meant {
    if text.is_empty() || text.contains("://") {
        return Meant::Unknown;
    }
    let authority = text.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (host, Some(port)),
        _ => (authority, None),
    };
    let is_here = host == "localhost" || host.parse::<Ipv4Addr>().is_ok() || host.starts_with('[');
    let is_host = is_here || port.is_some() || host.trim_matches('.').contains('.');
    if is_host && !host.is_empty() && !Path::new(text).exists() {
        let scheme = if is_here || port.is_some() {
            "http"
        } else {
            "https"
        };
        let url = format!("{scheme}://{text}");
        return match reqwest::Url::parse(&url) {
            Ok(_) => Meant::Url(redact_url(&url)),
            Err(_) => Meant::Unknown,
        };
    }
    Meant::Command(quoted(text))
}

fn env_variable(text: &str) -> Result<(String, String), CliError> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !text.contains('\0') => {
            Ok((name.to_owned(), value.to_owned()))
        }
        _ => Err(CliError::Env),
    }
}

fn header_line(text: &str) -> Result<(String, String), CliError> {
    let wrong = |problem| CliError::Header { problem };
    let (name, value) = text
        .split_once(':')
        .ok_or_else(|| wrong("there is no colon"))?;
    let (name, value) = (name.trim(), value.trim());
    match header_problem(name, value) {
        Some(problem) => Err(wrong(problem)),
        None => Ok((name.to_owned(), value.to_owned())),
    }
}

/// The header that carries the token in an environment variable.
fn bearer(name: &str) -> Result<(String, String), CliError> {
    let wrong = |problem| Err(CliError::BearerEnv { problem });
    let Some(token) = std::env::var_os(name) else {
        return wrong("is not set");
    };
    match token.to_str().map(|token| (token, token_problem(token))) {
        Some((token, None)) => Ok((AUTHORIZATION.to_owned(), format!("Bearer {token}"))),
        Some((_, Some(problem))) => wrong(problem),
        None => wrong(NO_TOKEN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_a_token_and_a_value() {
        let header = |text| header_line(text).expect("the header is right");
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            header("Authorization: Bearer a:b"),
            pair("Authorization", "Bearer a:b")
        );
        assert_eq!(header("x-a:"), pair("x-a", ""));
        for wrong in [
            "Authorization",
            "a b: c",
            ": c",
            "a: b\nc: d",
            "a: \u{e9}",
            "Mcp-Method: a",
            "mcp-protocol-version: a",
            "MCP-Name: a",
            "Mcp-Param-City: a",
        ] {
            assert!(header_line(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_variable_has_a_name() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            env_variable("A=b=c").expect("the variable is right"),
            pair("A", "b=c")
        );
        assert_eq!(
            env_variable("A=").expect("the variable is right"),
            pair("A", "")
        );
        for wrong in ["A", "=b", "A=\0"] {
            assert!(env_variable(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn only_http_and_https_are_servers() {
        for right in [
            "http://127.0.0.1:3000/mcp",
            "https://host/mcp?key=v",
            "http://[::1]/",
        ] {
            assert!(check_url(right).is_ok(), "{right}");
        }
        for wrong in [
            "ftp://host/",
            "file:///etc/passwd",
            "host/mcp",
            "",
            "http://",
            "localhost:3000/mcp",
        ] {
            assert!(check_url(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn what_was_probably_meant_is_told() {
        let url = |url: &str| Meant::Url(url.to_owned());
        let command = |command: &str| Meant::Command(command.to_owned());
        for (text, expected) in [
            ("localhost:3000", url("http://localhost:3000")),
            ("localhost/mcp", url("http://localhost/mcp")),
            ("127.0.0.1:3000/mcp", url("http://127.0.0.1:3000/mcp")),
            ("[::1]:3000/mcp", url("http://[::1]:3000/mcp")),
            ("server:8080/mcp", url("http://server:8080/mcp")),
            ("example.com/mcp", url("https://example.com/mcp")),
            (
                "example.com/mcp?key=secret",
                Meant::Url(redact_url("https://example.com/mcp?key=secret")),
            ),
            ("node", command("node")),
            ("./server", command("./server")),
            ("../build/a server", command("'../build/a server'")),
            ("Cargo.toml", command("Cargo.toml")),
            ("ftp://host/", Meant::Unknown),
            ("", Meant::Unknown),
        ] {
            assert_eq!(meant(text), expected, "{text}");
        }
    }

    #[test]
    fn a_wrong_url_is_told_without_its_secrets() {
        let error = check_url("ftp://user:secret@host/?key=secret").expect_err("ftp is no server");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}

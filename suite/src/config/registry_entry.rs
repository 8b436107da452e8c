//! Servers as the MCP Registry names them in `server.json`: packages, which are fetched and started by the usual runner, and
//! remotes, which are reached by URL.
//!
//! What the file leaves to the user (an environment variable, a variable in braces, the value of an argument by its
//! `valueHint` or by its name) is the environment variable of that name, or else the default.

use super::client::sse;
use super::foreign::{Around, Choice, choose};
use super::json::{ForeignFileError, Node};
use super::registry_input::Inputs;
use super::variables::Expanded;
use super::{TargetSettings, header_problem, url_problem};

/// How packages of a registry are started.
struct Registry {
    /// As `registryType` has it.
    kind: &'static str,
    /// The registry that its runners ask.
    base: &'static [&'static str],
    /// Runners that are known, the first of which is the usual one.
    runners: &'static [&'static str],
    /// Whether the usual runner is taken where the file names none.
    is_usual: bool,
}

const REGISTRIES: [Registry; 4] = [
    Registry {
        kind: "npm",
        base: &["https://registry.npmjs.org"],
        runners: &["npx", "bunx"],
        is_usual: true,
    },
    Registry {
        kind: "pypi",
        base: &["https://pypi.org"],
        runners: &["uvx"],
        is_usual: true,
    },
    Registry {
        kind: "oci",
        base: &[],
        runners: &["docker", "podman"],
        is_usual: true,
    },
    Registry {
        kind: "nuget",
        base: &[
            "https://api.nuget.org",
            "https://api.nuget.org/v3/index.json",
        ],
        runners: &["dnx"],
        is_usual: false,
    },
];

/// The object that holds packages and remotes: the file itself, or what the Registry's API wraps it in.
pub(super) fn entry<'a>(root: &Node<'a>) -> Option<Node<'a>> {
    let is_entry =
        |node: &Node<'a>| node.member("packages").is_some() || node.member("remotes").is_some();
    let wrapped = root.member("server");
    [Some(root.clone()), wrapped]
        .into_iter()
        .flatten()
        .find(is_entry)
}

/// The package or remote of this type, identifier, URL or number, or the only one.
pub(super) fn package_or_remote(
    entry: &Node<'_>,
    name: Option<&str>,
    around: &Around<'_>,
) -> Result<TargetSettings, ForeignFileError> {
    let packages = entry.list("packages")?;
    let remotes = entry.list("remotes")?;
    let mut names = Vec::new();
    let mut kinds = Vec::new();
    for package in &packages {
        let kind = package
            .required("registryType", "a package")
            .map_err(|error| match package.member("registry_type") {
                Some(_) => error.with_help(
                    "the file is of a form before 2025-09-16: write `registryType` and the like",
                ),
                None => error,
            })?;
        names.push(package.required("identifier", "a package")?);
        kinds.push(kind);
    }
    for remote in &remotes {
        names.push(remote.required("url", "a remote")?);
        kinds.push(remote.required("type", "a remote")?);
    }
    let nodes: Vec<&Node<'_>> = packages.iter().chain(&remotes).collect();
    let choices = choices(&nodes, &names, &kinds)?;
    let whats = ["package or remote", "packages or remotes"];
    let chosen = choose(entry, &choices, whats, name)?;
    let mut reader = Reader {
        name: names[chosen],
        inputs: Inputs::new(around),
    };
    let node = nodes[chosen];
    let target = match chosen < packages.len() {
        true => reader.package(node, kinds[chosen])?,
        false => reader.remote(node)?,
    };
    reader.inputs.unset.told(node, names[chosen])?;
    check(node, &target)?;
    Ok(target)
}

/// What chooses each package and remote: its type, its identifier or URL, or its number in the file. The user is told the first of these
/// that no other one has.
fn choices(
    nodes: &[&Node<'_>],
    names: &[&str],
    kinds: &[&str],
) -> Result<Vec<Choice>, ForeignFileError> {
    let is_alone = |list: &[&str], name| list.iter().filter(|one| **one == name).count() == 1;
    let mut choices = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        let (name, kind, number) = (names[index], kinds[index], (index + 1).to_string());
        let told = if is_alone(kinds, kind) {
            format!("`{kind}`")
        } else if is_alone(names, name) {
            format!("`{name}`")
        } else {
            let version = node.optional("version")?;
            let version = version.map_or(String::new(), |version| format!(" {version}"));
            format!("`{number}` ({kind} {name}{version})")
        };
        choices.push(Choice {
            names: vec![name.to_owned(), kind.to_owned(), number],
            told,
        });
    }
    Ok(choices)
}

struct Reader<'a> {
    name: &'a str,
    inputs: Inputs<'a>,
}

impl Reader<'_> {
    fn package(
        &mut self,
        package: &Node<'_>,
        kind: &str,
    ) -> Result<TargetSettings, ForeignFileError> {
        let (registry, runner) = self.runner(package, kind)?;
        let env = self
            .inputs
            .variables(&package.list("environmentVariables")?)?;
        let runtime = self.inputs.words(&package.list("runtimeArguments")?)?;
        let rest = self.inputs.words(&package.list("packageArguments")?)?;
        let what = reference(package, registry.kind)?;
        let mut target = TargetSettings {
            name: self.name.to_owned(),
            command: command(runner, what, runtime, rest, &env),
            env,
            ..TargetSettings::default()
        };
        let Some(transport) = package.member("transport") else {
            return Ok(target);
        };
        if transport.required("type", "a transport")? != "stdio" {
            self.over_http(&transport, &mut target)?;
        }
        Ok(target)
    }

    fn remote(&mut self, remote: &Node<'_>) -> Result<TargetSettings, ForeignFileError> {
        let mut target = TargetSettings {
            name: self.name.to_owned(),
            ..TargetSettings::default()
        };
        self.over_http(remote, &mut target)?;
        Ok(target)
    }

    fn over_http(
        &mut self,
        transport: &Node<'_>,
        target: &mut TargetSettings,
    ) -> Result<(), ForeignFileError> {
        match transport.required("type", "a transport")? {
            "streamable-http" => {}
            "sse" => return Err(sse(transport, self.name)),
            other => {
                return Err(transport.error(format!(
                    "`{other}` is a transport that mcpspec cannot reach"
                )));
            }
        }
        let url = transport.required("url", "a transport")?;
        target.url = Some(self.inputs.url(transport, url)?);
        target.headers = self.inputs.headers(&transport.list("headers")?)?;
        Ok(())
    }

    /// What starts packages of this kind.
    fn runner<'b>(
        &self,
        package: &Node<'b>,
        kind: &str,
    ) -> Result<(&'static Registry, &'b str), ForeignFileError> {
        let name = self.name;
        let by_hand = "start it yourself: mcpspec check -- COMMAND…, or URL -- COMMAND…";
        let Some(registry) = REGISTRIES.iter().find(|registry| registry.kind == kind) else {
            let message =
                format!("`{name}` is a package of the type `{kind}`, which mcpspec cannot start");
            return Err(package.error(message).with_help(by_hand));
        };
        let base = package
            .optional("registryBaseUrl")?
            .map(|base| base.trim_end_matches('/'));
        if let Some(base) =
            base.filter(|base| !registry.base.is_empty() && !registry.base.contains(base))
        {
            let message = format!(
                "`{name}` is in the registry {base}, which {} does not ask",
                registry.runners[0]
            );
            return Err(package.error(message).with_help(by_hand));
        }
        match package.optional("runtimeHint")? {
            Some(hint) if registry.runners.contains(&hint) => Ok((registry, hint)),
            Some(hint) => {
                let message = format!(
                    "`{name}` wants to be started by `{hint}`, and mcpspec does not know how"
                );
                Err(package.error(message).with_help(by_hand))
            }
            None if registry.is_usual => Ok((registry, registry.runners[0])),
            None => {
                let message = format!(
                    "`{name}` is a package of the type `{kind}`, and no `runtimeHint` says what starts it"
                );
                Err(package.error(message).with_help(by_hand))
            }
        }
    }
}

/// The package as its runner takes it.
fn reference(package: &Node<'_>, kind: &str) -> Result<String, ForeignFileError> {
    let identifier = package.required("identifier", "a package")?;
    let version = package.optional("version")?;
    let joined = |by: &str| {
        version.map_or(identifier.to_owned(), |version| {
            format!("{identifier}{by}{version}")
        })
    };
    if kind != "oci" {
        return Ok(joined(if kind == "pypi" { "==" } else { "@" }));
    }
    let image = identifier.rsplit('/').next().unwrap_or_default();
    let image = if image.contains([':', '@']) {
        identifier.to_owned()
    } else {
        joined(":")
    };
    let base = package.optional("registryBaseUrl")?.unwrap_or_default();
    let host = base
        .split_once("://")
        .map_or(base, |(_, host)| host)
        .trim_end_matches('/');
    Ok(match host {
        "" | "docker.io" => image,
        host if image.starts_with(&format!("{host}/")) => image,
        host => format!("{host}/{image}"),
    })
}

/// The words that start a package.
fn command(
    runner: &str,
    what: String,
    runtime: Vec<Expanded>,
    rest: Vec<Expanded>,
    env: &[(String, Expanded)],
) -> Vec<Expanded> {
    let has = |any: &[&str]| {
        runtime
            .iter()
            .any(|word| any.contains(&word.value.as_str()))
    };
    let mut words = vec![runner];
    let mut after: Vec<&str> = Vec::new();
    match runner {
        "npx" if !has(&["-y", "--yes"]) => words.push("-y"),
        "docker" | "podman" => {
            // Files name these themselves or leave them to the client.
            words.extend((!has(&["run"])).then_some("run"));
            let flags = [
                (&["-i", "--interactive", "-it"][..], "-i"),
                (&["--rm"][..], "--rm"),
            ];
            let missing = flags
                .iter()
                .filter(|(any, _)| !has(any))
                .map(|(_, flag)| *flag);
            match has(&["run"]) {
                true => after.extend(missing),
                false => words.extend(missing),
            }
            // A container sees no variable that is not named.
            after.extend(env.iter().flat_map(|(name, _)| ["-e", name]));
        }
        _ => {}
    }
    let plain = |words: Vec<&str>| words.into_iter().map(Expanded::plain).collect::<Vec<_>>();
    let mut command = plain(words);
    let after = plain(after);
    command.extend(runtime);
    command.extend(after);
    command.push(Expanded::plain(&what));
    if runner == "dnx" {
        command.push(Expanded::plain("--yes"));
        command.extend((!rest.is_empty()).then(|| Expanded::plain("--")));
    }
    command.extend(rest);
    command
}

/// Whether what came out can be used.
fn check(node: &Node<'_>, target: &TargetSettings) -> Result<(), ForeignFileError> {
    if let Some(problem) = target.url.as_ref().and_then(|url| url_problem(&url.value)) {
        return Err(node.error(format!("`url` is not the URL of a server: {problem}")));
    }
    for (name, value) in &target.headers {
        if let Some(problem) = header_problem(name, &value.value) {
            return Err(node.error(format!("the header `{name}`: {problem}")));
        }
    }
    Ok(())
}

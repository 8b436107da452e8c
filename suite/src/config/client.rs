//! Servers as MCP clients name them in their own files.
//!
//! ```json
//! { "mcpServers": { "notes": { "command": "node", "args": ["server.js"], "env": { "KEY": "${NOTES_KEY}" } } } }
//! ```
//!
//! Some editors call the outer member `servers`. What else a client keeps there (whether a server is disabled, which tools
//! it approves) is not about reaching the server, and is passed over.

use super::foreign::{Around, Choice, Unset, choose};
use super::json::{ForeignFileError, Node};
use super::variables::Expanded;
use super::{TargetSettings, header_problem, url_problem};

/// How clients call Streamable HTTP.
const HTTP: [&str; 4] = [
    "http",
    "streamable-http",
    "streamableHttp",
    "streamable_http",
];

/// The servers of a client's file, if it is one.
pub(super) fn servers<'a>(root: &Node<'a>) -> Option<Node<'a>> {
    let named = root
        .member("mcpServers")
        .or_else(|| root.member("servers"))?;
    named.value.as_object().is_some().then_some(named)
}

/// The server of this name, or the only one.
pub(super) fn client_server(
    servers: &Node<'_>,
    name: Option<&str>,
    around: &Around<'_>,
) -> Result<TargetSettings, ForeignFileError> {
    let members = servers.members("`mcpServers`")?;
    let choice = |(name, _): &(&str, Node<'_>)| Choice {
        names: vec![(*name).to_owned()],
        told: format!("`{name}`"),
    };
    let choices: Vec<Choice> = members.iter().map(choice).collect();
    let chosen = choose(servers, &choices, ["server", "servers"], name)?;
    let (name, server) = &members[chosen];
    let mut reader = Reader {
        name,
        around,
        unset: Unset::default(),
    };
    let target = reader.target(server)?;
    reader.unset.told(server, name)?;
    Ok(target)
}

struct Reader<'a> {
    name: &'a str,
    around: &'a Around<'a>,
    unset: Unset,
}

impl Reader<'_> {
    fn target(&mut self, server: &Node<'_>) -> Result<TargetSettings, ForeignFileError> {
        server.members(&format!("`{}`", self.name))?;
        let by_url = self.is_by_url(server)?;
        let mut target = TargetSettings {
            name: self.name.to_owned(),
            ..TargetSettings::default()
        };
        if by_url {
            target.url = Some(self.url(server)?);
            target.headers = self.named(server, "headers")?;
            for (name, value) in &target.headers {
                if let Some(problem) = header_problem(name, &value.value) {
                    return Err(server.error(format!("the header `{name}`: {problem}")));
                }
            }
            return Ok(target);
        }
        server.required("command", &format!("`{}`", self.name))?;
        for word in server
            .member("command")
            .into_iter()
            .chain(server.list("args")?)
        {
            target
                .command
                .push(self.expanded(&word, "a word of the command")?);
        }
        target.env = self.named(server, "env")?;
        if let Some((name, _)) = target
            .env
            .iter()
            .find(|(name, _)| name.is_empty() || name.contains('='))
        {
            return Err(server.error(format!(
                "`env` has the name `{name}`, which no variable can have"
            )));
        }
        target.cwd = match server.member("cwd") {
            Some(cwd) => Some(self.expanded(&cwd, "`cwd`")?),
            None => None,
        };
        Ok(target)
    }

    /// Whether the server is reached by its URL. What `type` says counts before what is there.
    fn is_by_url(&self, server: &Node<'_>) -> Result<bool, ForeignFileError> {
        let name = self.name;
        let has = |member: &str| server.member(member).is_some();
        match server.optional("type")? {
            Some("stdio") => Ok(false),
            Some(kind) if HTTP.contains(&kind) => Ok(true),
            Some("sse") => Err(sse(server, name)),
            Some(kind) => Err(server
                .error(format!(
                    "`{name}` has the type `{kind}`, which mcpspec cannot reach"
                ))
                .with_help("it reaches servers over stdio and http")),
            None if has("command") && has("url") => Err(server
                .error(format!("`{name}` has both `command` and `url`"))
                .with_help("say by `type` which counts: `stdio` or `http`")),
            None if has("command") => Ok(false),
            None if has("url") => Ok(true),
            None => Err(server.error(format!("`{name}` has neither `command` nor `url`"))),
        }
    }

    fn url(&mut self, server: &Node<'_>) -> Result<Expanded, ForeignFileError> {
        server.required("url", &format!("`{}`", self.name))?;
        let url = server.member("url").unwrap_or_else(|| server.clone());
        let expanded = self.expanded(&url, "`url`")?;
        match url_problem(&expanded.value) {
            Some(problem) if self.unset.is_empty() => {
                Err(url.error(format!("`url` is not the URL of a server: {problem}")))
            }
            _ => Ok(expanded),
        }
    }

    /// The members of an object of texts; numbers and truth values are taken for theirs.
    fn named(
        &mut self,
        server: &Node<'_>,
        of: &str,
    ) -> Result<Vec<(String, Expanded)>, ForeignFileError> {
        let Some(object) = server.member(of) else {
            return Ok(Vec::new());
        };
        let mut named = Vec::new();
        for (name, value) in object.members(&format!("`{of}`"))? {
            let what = format!("`{name}` of `{of}`");
            let value = match (value.value.as_number(), value.value.as_bool()) {
                (Some(number), _) => Expanded::plain(number.as_str()),
                (_, Some(flag)) => Expanded::plain(&flag.to_string()),
                _ => self.expanded(&value, &what)?,
            };
            named.push((name.to_owned(), value));
        }
        Ok(named)
    }

    fn expanded(&mut self, node: &Node<'_>, what: &str) -> Result<Expanded, ForeignFileError> {
        let text = node.text(what)?;
        let expanded = expand(text, self.around.variables, &mut self.unset)
            .map_err(|problem| node.error(format!("{what}: {problem}")).with_help(ASKED))?;
        if expanded.value.contains('\0') {
            return Err(node.error(format!("{what} holds a NUL")));
        }
        Ok(expanded)
    }
}

/// What to write for a value that only the client itself has.
const ASKED: &str = "mcpspec puts in environment variables only: write `${NAME}` in its place, in a copy if need be";

/// A server of the transport that the revision no longer has.
pub(super) fn sse(node: &Node<'_>, name: &str) -> ForeignFileError {
    node.error(format!(
        "`{name}` is reached by sse, a transport of older revisions, which mcpspec does not judge"
    ))
    .with_help("if the server has a Streamable HTTP endpoint too, name that")
}

/// Puts in `${NAME}`, `${env:NAME}` and `${NAME:-DEFAULT}` as clients do: a default counts where the variable is not set,
/// and what has no closing brace stays as it is.
fn expand(
    text: &str,
    variables: &dyn Fn(&str) -> Option<String>,
    unset: &mut Unset,
) -> Result<Expanded, String> {
    let mut expanded = Expanded {
        written: text.to_owned(),
        ..Expanded::default()
    };
    let mut rest = text;
    while let Some((before, name, tail)) = rest.split_once("${").and_then(|(before, after)| {
        after
            .split_once('}')
            .map(|(name, tail)| (before, name, tail))
    }) {
        expanded.value.push_str(before);
        rest = tail;
        let (name, default) = match name.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (name, None),
        };
        let name = name.strip_prefix("env:").unwrap_or(name);
        if name.is_empty()
            || name.contains(|character: char| character == ':' || character.is_whitespace())
        {
            return Err(format!("`${{{name}}}` is a value that only the client has"));
        }
        match (variables(name), default) {
            (Some(value), _) => {
                expanded.value.push_str(&value);
                expanded.variables.push((name.to_owned(), value));
            }
            (None, Some(default)) => expanded.value.push_str(default),
            (None, None) => unset.add(name),
        }
    }
    expanded.value.push_str(rest);
    Ok(expanded)
}

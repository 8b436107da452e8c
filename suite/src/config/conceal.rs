//! A target of the command line as `mcpspec.toml` can hold it: what may be a secret becomes `${NAME}`.

use crate::text::{UrlParts, WordSecret, command_secrets, is_told_by_itself};

/// What is put before the name of a variable that the environment has already, with another value.
const OWN: &str = "MCPSPEC_";

/// Most characters of a name that is made of one from the command line.
const LONGEST_NAME: usize = 60;

/// A target as the command line gives it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GivenTarget {
    /// The words of its command; empty where none is started.
    pub command: Vec<String>,
    /// Its endpoint.
    pub url: Option<String>,
    /// Environment variables of the command.
    pub env: Vec<(String, String)>,
    /// Headers of every HTTP request.
    pub headers: Vec<(String, String)>,
    /// Working directory of the command.
    pub cwd: Option<String>,
    /// The environment variable that holds the bearer token, and the token.
    pub bearer: Option<(String, String)>,
    /// Environment variables that the user refers to already, and their values: these names are kept.
    pub variables: Vec<(String, String)>,
}

/// The same with references in place of secrets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConcealedTarget {
    /// See [`GivenTarget`].
    pub command: Vec<String>,
    /// See [`GivenTarget`].
    pub url: Option<String>,
    /// See [`GivenTarget`]; none without a command.
    pub env: Vec<(String, String)>,
    /// See [`GivenTarget`]; none without a URL.
    pub headers: Vec<(String, String)>,
    /// The environment variable that holds the bearer token; none without a URL.
    pub bearer_env: Option<String>,
    /// See [`GivenTarget`]; none without a command.
    pub cwd: Option<String>,
    /// What has to be set before the target can be judged.
    pub variables: Vec<Variable>,
}

/// An environment variable that a target refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The value that it needs: a secret.
    pub value: String,
    /// What it is, in words.
    pub what: String,
}

impl GivenTarget {
    /// Puts `${NAME}` in place of every value of a header, of a variable, of a URL's credentials and query, and of what a word of the
    /// command says to be a secret, and of these values wherever else they stand. `environment` tells the variables that are set, so that none is meant that has another
    /// value.
    pub fn conceal(&self, environment: &dyn Fn(&str) -> Option<String>) -> ConcealedTarget {
        let mut names = Names {
            environment,
            variables: Vec::new(),
            kept: Vec::new(),
        };
        let mut concealed = ConcealedTarget::default();
        for (name, value) in &self.variables {
            names.keep(name, value);
        }
        // Whatever is not sent or set does not count, and the configuration refuses it.
        if !self.command.is_empty() {
            for (index, (name, value)) in self.env.iter().enumerate() {
                // A later variable takes the place of an earlier one.
                if self.env[index + 1..].iter().all(|(later, _)| later != name) {
                    let what = format!("the variable {name} of the command");
                    let value = names.refer(name, value, what);
                    concealed.env.push((name.clone(), value));
                }
            }
        }
        let url = self.url.as_deref().map(|url| names.url(url));
        if self.url.is_some() {
            concealed.headers = self.headers(&mut names);
            let bearer = self.bearer.as_ref();
            concealed.bearer_env = bearer
                .map(|(name, token)| names.name_of(name, token, "the bearer token".to_owned()));
        }
        concealed.command = names.command(&self.command);
        concealed.url = url.map(|url| names.finished(&url, "URL_PART", "a part of the URL"));
        concealed.cwd = self
            .cwd
            .as_deref()
            .filter(|_| !self.command.is_empty())
            .map(|cwd| names.elsewhere(cwd, "CWD", "the working directory"));
        concealed.variables = names.variables;
        concealed
    }

    fn headers(&self, names: &mut Names<'_>) -> Vec<(String, String)> {
        let mut headers: Vec<(String, String)> = Vec::new();
        for (name, value) in &self.headers {
            let bearer = value
                .strip_prefix("Bearer ")
                .filter(|token| !token.is_empty());
            let written = match bearer {
                Some(token) if name.eq_ignore_ascii_case("authorization") => {
                    let what = "the token of the header Authorization, without `Bearer`".to_owned();
                    format!("Bearer {}", names.refer("BEARER_TOKEN", token, what))
                }
                _ => names.refer(&name.to_uppercase(), value, format!("the header {name}")),
            };
            headers.push((name.clone(), written));
        }
        headers
    }
}

/// The variables that are referred to.
struct Names<'a> {
    environment: &'a dyn Fn(&str) -> Option<String>,
    variables: Vec<Variable>,
    /// Names and values of those that keep their names.
    kept: Vec<(String, String)>,
}

/// A part of a URL.
enum Part {
    /// Text that may be shown, unless a secret stands in it.
    Plain(String),
    /// A reference.
    Reference(String),
}

/// A text in parts, of which no two that follow each other are plain: a secret could stand across them.
#[derive(Default)]
struct Parts(Vec<Part>);

impl Parts {
    fn plain(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(Part::Plain(last)) => last.push_str(text),
            _ => self.0.push(Part::Plain(text.to_owned())),
        }
    }

    fn reference(&mut self, reference: String) {
        if !reference.is_empty() {
            self.0.push(Part::Reference(reference));
        }
    }
}

impl Names<'_> {
    /// A reference to a variable of this name, or one like it, that has this value. An empty value is no secret.
    fn refer(&mut self, wanted: &str, value: &str, what: String) -> String {
        if value.is_empty() {
            return String::new();
        }
        reference(&self.name_of(wanted, value, what))
    }

    /// Keeps the name of a variable that the user refers to already, unless the configuration cannot refer to it.
    fn keep(&mut self, name: &str, value: &str) {
        if spelt(name) == name && !value.is_empty() {
            self.name_of(
                name,
                value,
                "a variable that the server's entry refers to".to_owned(),
            );
            self.kept.push((name.to_owned(), value.to_owned()));
        }
    }

    /// The variable of this name, or one like it, that has this value.
    fn name_of(&mut self, wanted: &str, value: &str, what: String) -> String {
        let kept = self.kept.iter().find(|(_, kept)| kept == value);
        let name = match kept {
            Some((name, _)) => name.clone(),
            None => self.name(&spelt(wanted), value),
        };
        if !self.variables.iter().any(|known| known.name == name) {
            self.variables.push(Variable {
                name: name.clone(),
                value: value.to_owned(),
                what,
            });
        }
        name
    }

    fn name(&self, wanted: &str, value: &str) -> String {
        let numbered = (2..).map(|number| format!("{OWN}{wanted}_{number}"));
        [wanted.to_owned(), format!("{OWN}{wanted}")]
            .into_iter()
            .chain(numbered)
            .find(|name| {
                let known = self.variables.iter().find(|known| known.name == *name);
                let other = known.map(|known| known.value.clone());
                other
                    .or_else(|| (self.environment)(name))
                    .is_none_or(|other| other == value)
            })
            .expect("there are more numbers than variables")
    }

    /// The parts of a URL: credentials and values of the query are references.
    fn url(&mut self, url: &str) -> Parts {
        let parts = UrlParts::of(url);
        let mut written = Parts::default();
        let mut refer = |written: &mut Parts, wanted: &str, value: &str, what: &str| {
            written.reference(self.refer(wanted, value, format!("{what} in the URL")));
        };
        written.plain(parts.scheme);
        if let Some(user_info) = parts.user_info {
            let (user, password) = match user_info.split_once(':') {
                Some((user, password)) => (user, Some(password)),
                None => (user_info, None),
            };
            refer(&mut written, "URL_USER", user, "the name");
            if let Some(password) = password {
                written.plain(":");
                refer(&mut written, "URL_PASSWORD", password, "the password");
            }
            written.plain("@");
        }
        written.plain(parts.host_and_path);
        let pairs = parts.query.into_iter().flat_map(|query| query.split('&'));
        for (index, pair) in pairs.enumerate() {
            written.plain(if index == 0 { "?" } else { "&" });
            let (name, value) = pair.split_once('=').unwrap_or(("", pair));
            let what = if name.is_empty() {
                "the query".to_owned()
            } else {
                format!("the value of `{name}`")
            };
            if value.len() < pair.len() {
                written.plain(name);
                written.plain("=");
            }
            let wanted = if name.is_empty() { "QUERY" } else { name };
            let wanted = format!("URL_{}", wanted.to_uppercase());
            refer(&mut written, &wanted, value, &what);
        }
        written.plain(parts.fragment);
        written
    }

    /// The words of a command: what they say to be a secret is a reference.
    fn command(&mut self, words: &[String]) -> Vec<String> {
        let secrets = command_secrets(words);
        let mut parts: Vec<Parts> = Vec::new();
        for (index, word) in words.iter().enumerate() {
            let mut written = Parts::default();
            let mut rest = 0;
            for WordSecret { at, name, .. } in secrets.iter().filter(|one| one.word == index) {
                written.plain(&word[rest..at.start]);
                let what = format!("`{name}` in the command");
                written.reference(self.refer(&name.to_uppercase(), &word[at.clone()], what));
                rest = at.end;
            }
            written.plain(&word[rest..]);
            parts.push(written);
        }
        let words = words.iter().zip(&parts).enumerate();
        words
            .map(|(index, (word, parts))| {
                let wanted = format!("COMMAND_{index}");
                let what = "a word of the command";
                let is_undone = parts.0.windows(2).any(|pair| {
                    matches!(pair, [Part::Plain(text), Part::Reference(_)] if text.ends_with('$'))
                });
                match is_undone {
                    true => self.refer(&wanted, word, what.to_owned()),
                    false => self.finished(parts, &wanted, what),
                }
            })
            .collect()
    }

    /// A text in parts, in which secrets are looked for beside the places where they belong.
    fn finished(&mut self, parts: &Parts, wanted: &str, what: &str) -> String {
        let mut finished = String::new();
        for part in &parts.0 {
            match part {
                Part::Plain(text) => finished.push_str(&self.elsewhere(text, wanted, what)),
                Part::Reference(reference) => finished.push_str(reference),
            }
        }
        finished
    }

    /// A text that is no secret itself, but may hold one.
    fn elsewhere(&mut self, text: &str, wanted: &str, what: &str) -> String {
        self.without_secrets(text)
            .unwrap_or_else(|| self.refer(wanted, text, what.to_owned()))
    }

    /// A text in which every secret is a reference. None if it cannot be written so: a dollar sign before a reference would undo
    /// it.
    fn without_secrets(&self, text: &str) -> Option<String> {
        let secrets = || {
            let variables = self.variables.iter();
            variables.filter(|variable| is_told_by_itself(&variable.name, &variable.value))
        };
        let mut written = String::new();
        let mut rest = text;
        while let Some((at, secret)) = secrets()
            .filter_map(|secret| Some((rest.find(&secret.value)?, secret)))
            .min_by_key(|(at, secret)| (*at, usize::MAX - secret.value.len()))
        {
            if rest[..at].ends_with('$') {
                return None;
            }
            written.push_str(&literal(&rest[..at]));
            written.push_str(&reference(&secret.name));
            rest = &rest[at + secret.value.len()..];
        }
        written.push_str(&literal(rest));
        Some(written)
    }
}

pub(super) fn reference(name: &str) -> String {
    format!("${{{name}}}")
}

/// A text that stands for itself.
fn literal(text: &str) -> String {
    text.replace("${", "$${")
}

/// A name as an environment variable can have it.
fn spelt(name: &str) -> String {
    let fit = |character: char| {
        if character.is_ascii_alphanumeric() {
            character
        } else {
            '_'
        }
    };
    let name: String = name.chars().take(LONGEST_NAME).map(fit).collect();
    if name.starts_with(|first: char| first.is_ascii_digit()) || name.is_empty() {
        format!("{OWN}{name}")
    } else {
        name
    }
}

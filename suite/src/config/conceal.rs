//! A target of the command line as `mcpspec.toml` can hold it: what may be a secret becomes `${NAME}`.

use crate::text::UrlParts;

/// A value shorter than this many bytes is no credential, so that it may stand in a word or a path.
const SHORTEST_SECRET: usize = 6;

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
    /// See [`GivenTarget`], the bearer token among them; none without a URL.
    pub headers: Vec<(String, String)>,
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
    /// Puts `${NAME}` in place of every value of a header, of a variable, and of a URL's credentials and query, and of these
    /// values wherever else they stand. `environment` tells the variables that are set, so that none is meant that has another
    /// value.
    pub fn conceal(&self, environment: &dyn Fn(&str) -> Option<String>) -> ConcealedTarget {
        let mut names = Names {
            environment,
            variables: Vec::new(),
        };
        let mut concealed = ConcealedTarget::default();
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
        }
        let command = self.command.iter().enumerate();
        concealed.command = command
            .map(|(index, word)| {
                names.elsewhere(word, &format!("COMMAND_{index}"), "a word of the command")
            })
            .collect();
        concealed.url = url.map(|url| names.finished_url(&url));
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
        if let Some((variable, token)) = &self.bearer {
            let token = names.refer(variable, token, "the bearer token".to_owned());
            headers.push(("Authorization".to_owned(), format!("Bearer {token}")));
        }
        headers
    }
}

/// The variables that are referred to.
struct Names<'a> {
    environment: &'a dyn Fn(&str) -> Option<String>,
    variables: Vec<Variable>,
}

/// A part of a URL.
enum Part {
    /// Text that may be shown, unless a secret stands in it.
    Plain(String),
    /// A reference.
    Reference(String),
}

/// A URL in parts, of which no two that follow each other are plain: a secret could stand across them.
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
        let name = self.name(&spelt(wanted), value);
        if !self.variables.iter().any(|known| known.name == name) {
            self.variables.push(Variable {
                name: name.clone(),
                value: value.to_owned(),
                what,
            });
        }
        reference(&name)
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

    /// The URL, in which secrets are looked for beside the places where they belong.
    fn finished_url(&mut self, parts: &Parts) -> String {
        let mut url = String::new();
        for part in &parts.0 {
            match part {
                Part::Plain(text) => {
                    url.push_str(&self.elsewhere(text, "URL_PART", "a part of the URL"));
                }
                Part::Reference(reference) => url.push_str(reference),
            }
        }
        url
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
            variables.filter(|variable| variable.value.len() >= SHORTEST_SECRET)
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

fn reference(name: &str) -> String {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::config::variables::expand;

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn what_may_be_a_secret_becomes_a_reference() {
        let given = GivenTarget {
            command: vec![
                "node".to_owned(),
                "--key=s3cr3t-key".to_owned(),
                "${HOME}".to_owned(),
            ],
            url: Some("https://me:pa55word@host/mcp?api-key=k3y&v=1&bare#top".to_owned()),
            env: vec![
                pair("KEY", "s3cr3t-key"),
                pair("EMPTY", "not any more"),
                pair("EMPTY", ""),
                pair("PATH", "/mine"),
            ],
            headers: vec![
                pair("Authorization", "Bearer t0ken"),
                pair("X-Api-Key", "k3y"),
            ],
            cwd: Some("/srv/pa55word".to_owned()),
            bearer: None,
        };
        let environment = |name: &str| (name == "PATH").then(|| "/usr/bin".to_owned());
        let concealed = given.conceal(&environment);
        assert_eq!(concealed.command, ["node", "--key=${KEY}", "$${HOME}"]);
        assert_eq!(
            concealed.url.as_deref(),
            Some(
                "https://${URL_USER}:${URL_PASSWORD}@host/mcp?api-key=${URL_API_KEY}&v=${URL_V}&${URL_QUERY}#top"
            )
        );
        assert_eq!(
            concealed.env,
            [
                pair("KEY", "${KEY}"),
                pair("EMPTY", ""),
                pair("PATH", "${MCPSPEC_PATH}")
            ]
        );
        assert_eq!(
            concealed.headers,
            [
                pair("Authorization", "Bearer ${BEARER_TOKEN}"),
                pair("X-Api-Key", "${X_API_KEY}")
            ]
        );
        assert_eq!(concealed.cwd.as_deref(), Some("/srv/${URL_PASSWORD}"));
        let names: Vec<&str> = concealed
            .variables
            .iter()
            .map(|variable| variable.name.as_str())
            .collect();
        assert_eq!(
            names,
            [
                "KEY",
                "MCPSPEC_PATH",
                "URL_USER",
                "URL_PASSWORD",
                "URL_API_KEY",
                "URL_V",
                "URL_QUERY",
                "BEARER_TOKEN",
                "X_API_KEY"
            ]
        );
    }

    #[test]
    fn a_variable_that_is_named_keeps_its_name() {
        let given = GivenTarget {
            url: Some("https://host/mcp".to_owned()),
            bearer: Some(pair("NOTES_TOKEN", "t0ken")),
            env: vec![pair("UNUSED", "x")],
            ..GivenTarget::default()
        };
        let set = |name: &str| (name == "NOTES_TOKEN").then(|| "t0ken".to_owned());
        let concealed = given.conceal(&set);
        assert_eq!(
            concealed.headers,
            [pair("Authorization", "Bearer ${NOTES_TOKEN}")]
        );
        assert!(concealed.env.is_empty(), "no command would get it");
    }

    #[test]
    fn a_dollar_sign_before_a_secret_conceals_the_whole_word() {
        let given = GivenTarget {
            command: vec!["a".to_owned(), "x$s3cr3t".to_owned()],
            env: vec![pair("KEY", "s3cr3t")],
            ..GivenTarget::default()
        };
        assert_eq!(given.conceal(&|_| None).command, ["a", "${COMMAND_1}"]);
    }

    /// Texts that are likely to hold each other, dollar signs and braces.
    fn text() -> impl Strategy<Value = String> {
        prop_oneof![
            "[a-c${}=:@/?&]{0,8}",
            "(secret|other1){1,3}[$]?",
            "\\PC{0,8}"
        ]
    }

    proptest! {
        #[test]
        fn what_is_concealed_comes_back_and_shows_no_secret(
            command in prop::collection::vec(text(), 1..4),
            url in text(),
            env in prop::collection::vec(text(), 0..3),
            header in text(),
            cwd in text(),
            taken in text(),
        ) {
            let env: Vec<_> = env.into_iter().enumerate().map(|(index, value)| (format!("V{index}"), value)).collect();
            let given = GivenTarget {
                command,
                url: Some(format!("http://{url}")),
                env,
                headers: vec![pair("X-Key", &header)],
                cwd: Some(cwd),
                bearer: Some(pair("TOKEN", "the-token")),
            };
            let environment = |name: &str| matches!(name, "V0" | "X_KEY").then(|| taken.clone());
            let concealed = given.conceal(&environment);
            let value = |name: &str| {
                let mut variables = concealed.variables.iter();
                variables.find(|variable| variable.name == name).map(|variable| variable.value.clone())
            };
            let back = |text: &String| expand(text, &value).expect("it can be expanded").value;
            let pairs = |pairs: &[(String, String)]| pairs.iter().map(|(name, value)| (name.clone(), back(value))).collect::<Vec<_>>();
            prop_assert_eq!(concealed.command.iter().map(back).collect::<Vec<_>>(), given.command.clone());
            prop_assert_eq!(concealed.url.as_ref().map(back), given.url.clone());
            prop_assert_eq!(concealed.cwd.as_ref().map(back), given.cwd.clone());
            prop_assert_eq!(pairs(&concealed.env), given.env.clone());
            let mut headers = given.headers.clone();
            headers.push(pair("Authorization", "Bearer the-token"));
            prop_assert_eq!(pairs(&concealed.headers), headers);
            for variable in &concealed.variables {
                prop_assert!(environment(&variable.name).is_none_or(|other| other == variable.value));
            }
            let written = concealed.command.iter().chain(&concealed.url).chain(&concealed.cwd);
            for secret in concealed.variables.iter().filter(|secret| secret.value.len() >= SHORTEST_SECRET) {
                for text in written.clone().chain(concealed.env.iter().chain(&concealed.headers).map(|(_, text)| text)) {
                    // A name can happen to hold what a secret is.
                    let without_names = concealed.variables.iter().fold(text.clone(), |text, other| text.replace(&reference(&other.name), "\n"));
                    prop_assert!(!without_names.contains(&secret.value), "{} shows {}", text, secret.value);
                }
            }
        }
    }
}

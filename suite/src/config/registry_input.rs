//! The inputs of the MCP Registry's `server.json`: values that the file gives, or leaves to the user with or without a default.

use super::foreign::{Around, Unset};
use super::json::{ForeignFileError, Node};
use super::variables::Expanded;

/// Members of an argument by which one sees that a value follows its name.
const VALUE_SIGNS: [&str; 4] = ["choices", "format", "placeholder", "isSecret"];

/// Inputs of one package or remote, as they are resolved.
pub(super) struct Inputs<'a> {
    around: &'a Around<'a>,
    /// What is wanted and not there.
    pub(super) unset: Unset,
    /// Values by the names by which the URL of the transport may refer to them.
    named: Vec<(String, Expanded)>,
}

impl<'a> Inputs<'a> {
    pub(super) fn new(around: &'a Around<'a>) -> Inputs<'a> {
        Inputs {
            around,
            unset: Unset::default(),
            named: Vec::new(),
        }
    }

    /// The words of these arguments.
    pub(super) fn words(
        &mut self,
        arguments: &[Node<'_>],
    ) -> Result<Vec<Expanded>, ForeignFileError> {
        let mut words = Vec::new();
        for argument in arguments {
            match argument.required("type", "an argument")? {
                "positional" => words.extend(self.positional(argument)?),
                "named" => words.extend(self.flag(argument)?),
                kind => {
                    return Err(argument.error(format!(
                        "an argument has the type `{kind}`, not `positional` or `named`"
                    )));
                }
            }
        }
        Ok(words)
    }

    fn positional(&mut self, argument: &Node<'_>) -> Result<Option<Expanded>, ForeignFileError> {
        let hint = argument.optional("valueHint")?;
        let value = self.value(argument, hint.unwrap_or_default())?;
        if let (Some(hint), Some(value)) = (hint, &value) {
            self.named.push((hint.to_owned(), value.clone()));
        }
        Ok(value)
    }

    /// A flag and its value, if it has one.
    fn flag(&mut self, argument: &Node<'_>) -> Result<Vec<Expanded>, ForeignFileError> {
        let flag = argument.required("name", "a named argument")?;
        let name = flag.trim_start_matches('-').replace('-', "_");
        let value = self.value(argument, &name)?;
        if let Some(value) = &value {
            self.named.push((flag.to_owned(), value.clone()));
            self.named
                .push((flag.trim_start_matches('-').to_owned(), value.clone()));
        }
        let takes_one = argument.is_set("isRequired")
            || VALUE_SIGNS
                .iter()
                .any(|sign| argument.member(sign).is_some());
        Ok(match value {
            Some(value) => vec![Expanded::plain(flag), value],
            // The user may leave it out.
            None if takes_one => Vec::new(),
            None => vec![Expanded::plain(flag)],
        })
    }

    /// Environment variables of the command.
    pub(super) fn variables(
        &mut self,
        list: &[Node<'_>],
    ) -> Result<Vec<(String, Expanded)>, ForeignFileError> {
        let mut variables = Vec::new();
        for input in list {
            let name = input.required("name", "an environment variable")?;
            if name.contains(['=', '\0']) {
                return Err(input.error(format!(
                    "`{}` is no name of an environment variable",
                    name.escape_debug()
                )));
            }
            if let Some(value) = self.value(input, name)? {
                self.named.push((name.to_owned(), value.clone()));
                variables.push((name.to_owned(), value));
            }
        }
        Ok(variables)
    }

    /// Headers of every request, without those that the user gives on the command line.
    pub(super) fn headers(
        &mut self,
        list: &[Node<'_>],
    ) -> Result<Vec<(String, Expanded)>, ForeignFileError> {
        let mut headers = Vec::new();
        for input in list {
            let name = input.required("name", "a header")?;
            if (self.around.gives_header)(name) {
                continue;
            }
            let has_value = input.member("value").is_some() || input.member("default").is_some();
            if !has_value {
                if input.is_set("isRequired") {
                    return Err(input
                        .error(format!(
                            "the header `{name}` is required, and the file has no value for it"
                        ))
                        .with_help(format!(
                            "give it by --header '{name}: VALUE', or a token by --bearer-env NAME"
                        )));
                }
                continue;
            }
            let value = match input.member("value") {
                Some(_) => self.value(input, "")?,
                None => input.optional("default")?.map(Expanded::plain),
            };
            headers.extend(value.map(|value| (name.to_owned(), value)));
        }
        Ok(headers)
    }

    /// The URL of a transport. Names in braces are those of its own variables, or of other inputs.
    pub(super) fn url(
        &mut self,
        transport: &Node<'_>,
        text: &str,
    ) -> Result<Expanded, ForeignFileError> {
        self.filled(transport, text, true)
    }

    /// The value of an input; none if the user may leave it out. `name` is the variable that gives it where the file does
    /// not.
    fn value(
        &mut self,
        input: &Node<'_>,
        name: &str,
    ) -> Result<Option<Expanded>, ForeignFileError> {
        if let Some(value) = input.optional("value")? {
            return self.filled(input, value, false).map(Some);
        }
        if let Some(value) = self.given(name) {
            return Ok(Some(value));
        }
        if let Some(default) = input.optional("default")? {
            return Ok(Some(Expanded::plain(default)));
        }
        if input.is_set("isRequired") {
            if name.is_empty() {
                return Err(input.error("the value of an argument is left to the user, and it has no `valueHint` to name it by"));
            }
            self.unset.add(name);
        }
        Ok(None)
    }

    /// What the environment gives by this name.
    fn given(&self, name: &str) -> Option<Expanded> {
        let value = (!name.is_empty()).then(|| (self.around.variables)(name))??;
        Some(Expanded {
            written: format!("${{{name}}}"),
            value: value.clone(),
            variables: vec![(name.to_owned(), value)],
        })
    }

    /// A text with each `{name}` put in that is known. Others stay as they are, but for those of a URL.
    fn filled(
        &mut self,
        input: &Node<'_>,
        text: &str,
        is_url: bool,
    ) -> Result<Expanded, ForeignFileError> {
        let variables = input.member("variables");
        let mut filled = Expanded {
            written: text.to_owned(),
            ..Expanded::default()
        };
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            filled.value.push_str(before);
            let Some((name, tail)) = after.split_once('}') else {
                filled.value.push('{');
                rest = after;
                continue;
            };
            let value = match variables
                .as_ref()
                .and_then(|variables| variables.member(name))
            {
                Some(variable) => self
                    .value(&variable, name)?
                    .or_else(|| Some(Expanded::default())),
                None if is_url => self.named(name),
                None => None,
            };
            match value {
                Some(value) => {
                    filled.value.push_str(&value.value);
                    filled.variables.extend(value.variables);
                }
                None => {
                    if is_url {
                        self.unset.add(name);
                    }
                    filled.value.push_str(&format!("{{{name}}}"));
                }
            }
            rest = tail;
        }
        filled.value.push_str(rest);
        if filled.value.contains('\0') {
            return Err(input.error("a value holds a NUL"));
        }
        Ok(filled)
    }

    /// What another input of the file gives by this name. The environment does not: a file of somebody else's could have any of its
    /// variables sent to any host.
    fn named(&self, name: &str) -> Option<Expanded> {
        let mut named = self.named.iter();
        let other = named.find(|(known, _)| known == name);
        other.map(|(_, value)| value.clone())
    }
}

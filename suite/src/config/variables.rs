//! `${NAME}` in values of the configuration, so that no secret has to stand in the file.

/// A text of the file, and what it became.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Expanded {
    /// As it stands in the file: it may be shown.
    pub written: String,
    /// With the environment variables put in.
    pub value: String,
    /// Names and values of the variables that were put in. The values are secrets.
    pub variables: Vec<(String, String)>,
}

impl Expanded {
    /// A text in which nothing is put in.
    pub(super) fn plain(text: &str) -> Expanded {
        Expanded {
            written: text.to_owned(),
            value: text.to_owned(),
            variables: Vec::new(),
        }
    }
}

/// Why a text cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ExpandError {
    /// A variable has no value.
    #[error("the environment variable {0} is not set")]
    Unset(String),
    /// A name is not closed.
    #[error("`${{` has no `}}`")]
    Open,
    /// What stands between the braces names no variable.
    #[error("`${{{0}}}` names no environment variable")]
    Name(String),
}

impl From<ExpandError> for String {
    fn from(error: ExpandError) -> String {
        error.to_string()
    }
}

/// Puts in the value of each `${NAME}`. `$${` stands for `${` itself; any other `$` is one.
pub(super) fn expand(
    text: &str,
    variables: &dyn Fn(&str) -> Option<String>,
) -> Result<Expanded, ExpandError> {
    let mut expanded = Expanded {
        written: text.to_owned(),
        ..Expanded::default()
    };
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        let after = &rest[at + 2..];
        if let Some(before) = rest[..at].strip_suffix('$') {
            expanded.value.push_str(before);
            expanded.value.push_str("${");
            rest = after;
            continue;
        }
        let (name, tail) = after.split_once('}').ok_or(ExpandError::Open)?;
        let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
        if name.is_empty() || !name.chars().all(is_part) {
            return Err(ExpandError::Name(name.to_owned()));
        }
        let value = variables(name).ok_or_else(|| ExpandError::Unset(name.to_owned()))?;
        expanded.value.push_str(&rest[..at]);
        expanded.value.push_str(&value);
        expanded.variables.push((name.to_owned(), value));
        rest = tail;
    }
    expanded.value.push_str(rest);
    Ok(expanded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<String, ExpandError> {
        let variables = |name: &str| match name {
            "A" => Some("1".to_owned()),
            // A value is taken as it is, not expanded again.
            "B" => Some("${A}".to_owned()),
            _ => None,
        };
        expand(text, &variables).map(|expanded| expanded.value)
    }

    #[test]
    fn variables_are_put_in_once() {
        for (text, expected) in [
            ("", ""),
            ("$A costs 5$", "$A costs 5$"),
            ("<${A}${A}>", "<11>"),
            ("${B}", "${A}"),
            ("$${A} is ${A}", "${A} is 1"),
        ] {
            assert_eq!(value(text), Ok(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_put_in_is_told() {
        assert_eq!(value("${C}"), Err(ExpandError::Unset("C".to_owned())));
        assert_eq!(value("a${"), Err(ExpandError::Open));
        assert_eq!(value("${}"), Err(ExpandError::Name(String::new())));
        assert_eq!(value("${A-B}"), Err(ExpandError::Name("A-B".to_owned())));
        assert_eq!(ExpandError::Open.to_string(), "`${` has no `}`");
        assert_eq!(
            ExpandError::Name("A-B".to_owned()).to_string(),
            "`${A-B}` names no environment variable"
        );
    }
}

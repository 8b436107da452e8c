//! Drawing a message: each member is right seven times in eight.

use arbitrary::{Result, Unstructured};
use mcpspec_wire::ProblemKind;

use super::text::{blank, fraction, integer, object, quoted, short, value};

/// Methods, known and not, and names that look like none.
const METHODS: &[&str] = &[
    "tools/call",
    "tools/list",
    "server/discover",
    "notifications/progress",
    "",
    "x",
    "result",
];

/// A message with all that has to be found in it.
#[derive(Clone, Debug)]
pub struct DrawnMessage {
    pub(super) text: String,
    /// The kind that its members make it, if they make it any.
    pub(super) kind: Option<&'static str>,
    pub(super) method: Option<String>,
    /// Its id in the shortest spelling of strings, numbers as they are written.
    pub(super) id: Option<String>,
    pub(super) problems: Vec<ProblemKind>,
}

/// The members so far, and what is wrong with them.
#[derive(Default)]
struct Members {
    members: Vec<(&'static str, String)>,
    problems: Vec<ProblemKind>,
}

/// What a message is meant to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meant {
    Request,
    Notification,
    Response,
    Error,
}

impl DrawnMessage {
    /// Draws a message.
    ///
    /// # Errors
    /// The source has no more bytes.
    pub fn draw(source: &mut Unstructured<'_>) -> Result<DrawnMessage> {
        let meant = *source.choose(&[
            Meant::Request,
            Meant::Notification,
            Meant::Response,
            Meant::Error,
        ])?;
        let mut members = Members::default();
        members.version(source)?;
        let id = members.id(meant, source)?;
        let called = matches!(meant, Meant::Request | Meant::Notification);
        let method = if called { members.call(source)? } else { None };
        let (result, error) = members.outcome(meant, called, source)?;
        if id.is_none() && result && !called {
            members.problems.push(ProblemKind::IdMissing);
        }
        let kind = match (called, &method) {
            (true, None) => None,
            (true, Some(_)) if id.is_some() => Some("request"),
            (true, Some(_)) => Some("notification"),
            (false, _) if error && (!result || members.only_the_error_holds()) => Some("error"),
            (false, _) if result => Some("response"),
            (false, _) => None,
        };
        if kind.is_none() && !called {
            members.problems.push(ProblemKind::NoKind);
        }
        members.unknown(source)?;
        let text = members.write(source)?;
        Ok(DrawnMessage {
            text,
            kind,
            method,
            id,
            problems: members.problems,
        })
    }
}

/// Whether a member is to be wrong.
fn wrong(source: &mut Unstructured<'_>) -> Result<bool> {
    source.ratio(1, 8)
}

impl Members {
    fn push(&mut self, name: &'static str, text: impl Into<String>) {
        self.members.push((name, text.into()));
    }

    fn version(&mut self, source: &mut Unstructured<'_>) -> Result<()> {
        if !wrong(source)? {
            let version = quoted("2.0", source)?;
            self.push("jsonrpc", version);
            return Ok(());
        }
        match source.choose(&["", "\"1.0\"", "\"2.1\"", "2.0", "null", "\"2.0 \"", "[]"])? {
            &"" => self.problems.push(ProblemKind::VersionMissing),
            other => {
                self.push("jsonrpc", *other);
                self.problems.push(ProblemKind::VersionWrong);
            }
        }
        Ok(())
    }

    /// The id as it has to be found.
    fn id(&mut self, meant: Meant, source: &mut Unstructured<'_>) -> Result<Option<String>> {
        let due = matches!(meant, Meant::Request | Meant::Response);
        let absent = match meant {
            Meant::Error => source.arbitrary()?,
            _ => due == wrong(source)?,
        };
        if absent {
            return Ok(None);
        }
        let (id, problem) = if wrong(source)? {
            match source.int_in_range(0..=3)? {
                0 => ("null".to_owned(), Some(ProblemKind::IdNull)),
                1 => (fraction(source)?, Some(ProblemKind::IdFractional)),
                2 => (
                    source.choose(&["true", "false", "[]", "{}"])?.to_string(),
                    Some(ProblemKind::IdWrongType),
                ),
                _ => ("[1]".to_owned(), Some(ProblemKind::IdWrongType)),
            }
        } else if source.arbitrary()? {
            let text = short(source)?;
            let spelt = quoted(&text, source)?;
            self.push("id", spelt);
            return Ok(Some(serde_json::Value::from(text).to_string()));
        } else {
            (integer(source)?, None)
        };
        self.push("id", id.clone());
        self.problems.extend(problem);
        Ok(Some(id))
    }

    /// The method, if it is a string.
    fn call(&mut self, source: &mut Unstructured<'_>) -> Result<Option<String>> {
        let method = if wrong(source)? {
            self.push("method", *source.choose(&["null", "7", "[]", "{}"])?);
            self.problems.push(ProblemKind::MethodNotString);
            None
        } else {
            let method = match source.arbitrary()? {
                true => source.choose(METHODS)?.to_string(),
                false => short(source)?,
            };
            let spelt = quoted(&method, source)?;
            self.push("method", spelt);
            Some(method)
        };
        if wrong(source)? {
            self.push("params", *source.choose(&["null", "[]", "\"\"", "0"])?);
            self.problems.push(ProblemKind::ParamsNotObject);
        } else if source.arbitrary()? {
            let params = object(source, 2)?;
            self.push("params", params);
        }
        Ok(method)
    }

    /// Whether there are a result and an error.
    fn outcome(
        &mut self,
        meant: Meant,
        called: bool,
        source: &mut Unstructured<'_>,
    ) -> Result<(bool, bool)> {
        let result = (meant == Meant::Response) != wrong(source)?;
        let error = (meant == Meant::Error) != wrong(source)?;
        if result {
            let is_object = !wrong(source)?;
            let text = if is_object {
                object(source, 2)?
            } else {
                source.choose(&["null", "[]", "0", "\"x\""])?.to_string()
            };
            self.push("result", text);
            if !is_object && !called {
                self.problems.push(ProblemKind::ResultNotObject);
            }
        }
        if error {
            self.error(called, source)?;
        }
        match (called, result, error) {
            (true, true, _) | (true, _, true) => self.problems.push(ProblemKind::MethodAndOutcome),
            (false, true, true) => self.problems.push(ProblemKind::ResultAndError),
            _ => {}
        }
        Ok((result, error))
    }

    fn error(&mut self, called: bool, source: &mut Unstructured<'_>) -> Result<()> {
        let mut problems = Vec::new();
        if wrong(source)? {
            self.push("error", *source.choose(&["null", "[]", "\"x\"", "-32601"])?);
            problems.push(ProblemKind::ErrorNotObject);
        } else {
            let mut members = Vec::new();
            match source.int_in_range(0..=15)? {
                0 => problems.push(ProblemKind::CodeMissing),
                1 => {
                    let code = match source.arbitrary()? {
                        true => fraction(source)?,
                        false => source.choose(&["null", "\"-32601\"", "true"])?.to_string(),
                    };
                    members.push(format!("\"code\":{code}"));
                    problems.push(ProblemKind::CodeNotInteger);
                }
                _ => members.push(format!("\"code\":{}", integer(source)?)),
            }
            match source.int_in_range(0..=15)? {
                0 => problems.push(ProblemKind::MessageMissing),
                1 => {
                    members.push(format!(
                        "\"message\":{}",
                        source.choose(&["null", "0", "{}"])?
                    ));
                    problems.push(ProblemKind::MessageNotString);
                }
                _ => members.push(format!("\"message\":{}", quoted(&short(source)?, source)?)),
            }
            if source.ratio(1, 4)? {
                members.push(format!("\"data\":{}", value(source, 1)?));
            }
            if source.arbitrary()? {
                members.reverse();
            }
            self.push("error", format!("{{{}}}", members.join(",")));
        }
        if !called {
            self.problems.append(&mut problems);
        }
        Ok(())
    }

    fn only_the_error_holds(&self) -> bool {
        let holds = |wanted| {
            let mut members = self.members.iter();
            members.any(|(name, text)| *name == wanted && text != "null")
        };
        holds("error") && !holds("result")
    }

    /// A member that no page knows, now and then twice.
    fn unknown(&mut self, source: &mut Unstructured<'_>) -> Result<()> {
        let times = source.int_in_range(0..=7)?;
        if times > 5 {
            for _ in 5..times {
                let unknown = value(source, 2)?;
                self.push("extra", unknown);
            }
        }
        if times == 7 {
            self.problems.push(ProblemKind::DuplicateMember {
                pointer: String::new(),
                count: 1,
            });
        }
        Ok(())
    }

    fn write(&mut self, source: &mut Unstructured<'_>) -> Result<String> {
        let mut text = String::from("{");
        let mut separator = "";
        while !self.members.is_empty() {
            let index = source.choose_index(self.members.len())?;
            let (name, value) = self.members.swap_remove(index);
            text.push_str(separator);
            text.push_str(blank(source)?);
            text.push_str(&quoted(name, source)?);
            text.push_str(blank(source)?);
            text.push(':');
            text.push_str(blank(source)?);
            text.push_str(&value);
            text.push_str(blank(source)?);
            separator = ",";
        }
        text.push('}');
        Ok(text)
    }
}

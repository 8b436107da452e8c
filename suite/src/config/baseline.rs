//! Baselines: verdicts that are known of a server, so that a run fails only on what is new or gone.
//!
//! ```yaml
//! - case: http/legacy/get-405
//!   target: bench-ts-v2/http
//!   requirement: http.legacy.get-405
//!   verdict: warn
//!   reason: The SDK still opens the event stream of an older revision on GET.
//!   page: basic/transports/streamable-http
//!   anchor: receiving-messages
//!   until: 2027-06-30
//! ```
//!
//! All but `until` are required, since an entry that nobody can check is worth nothing.

use crate::spec::Transport;
use crate::template::{Data, Key, Kind, Location, read_yaml};
use crate::verdict::Verdict;

use super::ConfigError;

/// Keys of an entry.
const KEYS: [&str; 8] = [
    "anchor",
    "case",
    "page",
    "reason",
    "requirement",
    "target",
    "until",
    "verdict",
];

/// The known verdicts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Baseline {
    /// In the order of the file.
    pub entries: Vec<Known>,
}

/// A verdict that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Id of the case.
    pub case: String,
    /// The server's own name.
    pub server: String,
    /// The transport.
    pub transport: Transport,
    /// Id of the requirement.
    pub requirement: String,
    /// Its verdict: `fail`, `warn` or `inconclusive`.
    pub verdict: Verdict,
    /// Why the verdict is right.
    pub reason: String,
    /// Page of the specification that says so.
    pub page: String,
    /// Anchor on that page; may be empty.
    pub anchor: String,
    /// Last day (`2027-06-30`) on which the entry counts.
    pub until: Option<String>,
    /// Line of the entry, from 1.
    pub line: usize,
}

impl Baseline {
    /// Reads a baseline. `origin` names the file in messages.
    ///
    /// # Errors
    ///
    /// What is wrong first, with line and column: no list of maps, a key missing, unknown or empty, a verdict that
    /// needs no baseline, no date, or two entries for the same.
    pub fn read(origin: &str, text: &str) -> Result<Baseline, ConfigError> {
        let reader = Reader { origin };
        // A file of comments alone is the empty baseline.
        if text
            .lines()
            .all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
        {
            return Ok(Baseline::default());
        }
        let data = read_yaml(text).map_err(|error| reader.error(error.at, error.message))?;
        let Kind::List(items) = &data.kind else {
            return Err(reader.error(data.at, "a baseline is a list"));
        };
        let mut entries: Vec<Known> = Vec::new();
        for item in items {
            let known = reader.entry(item)?;
            if entries.iter().any(|other| other.is_same(&known)) {
                return Err(reader.error(item.at, "an earlier entry is about the same"));
            }
            entries.push(known);
        }
        Ok(Baseline { entries })
    }
}

impl Known {
    /// Whether both are about the same requirement in the same case on the same target.
    fn is_same(&self, other: &Known) -> bool {
        (&self.case, &self.server, self.transport, &self.requirement)
            == (
                &other.case,
                &other.server,
                other.transport,
                &other.requirement,
            )
    }
}

/// Reads entries of one file.
struct Reader<'a> {
    origin: &'a str,
}

impl Reader<'_> {
    fn error(&self, at: Location, message: impl Into<String>) -> ConfigError {
        ConfigError {
            origin: self.origin.to_owned(),
            line: at.line,
            column: at.column,
            message: message.into(),
        }
    }

    fn entry(&self, item: &Data) -> Result<Known, ConfigError> {
        let Kind::Map(members) = &item.kind else {
            return Err(self.error(item.at, "an entry is a map"));
        };
        for (key, _) in members {
            self.check_key(key)?;
        }
        let target = self.text(item, "target")?;
        let (server, transport) = target
            .rsplit_once('/')
            .and_then(|(server, name)| Some((server.to_owned(), transport_named(name)?)))
            .filter(|(server, _)| !server.is_empty())
            .ok_or_else(|| {
                self.error(
                    self.place(item, "target"),
                    "a target is written NAME/http or NAME/stdio",
                )
            })?;
        Ok(Known {
            case: self.text(item, "case")?,
            server,
            transport,
            requirement: self.text(item, "requirement")?,
            verdict: self.verdict(item)?,
            reason: self.text(item, "reason")?,
            page: self.text(item, "page")?,
            anchor: self
                .optional(item, "anchor")?
                .ok_or_else(|| self.missing(item, "anchor"))?,
            until: self.until(item)?,
            line: item.at.line,
        })
    }

    fn check_key(&self, key: &Key) -> Result<(), ConfigError> {
        match key.text.literal() {
            Some(name) if KEYS.contains(&name) => Ok(()),
            _ => Err(self.error(
                key.at,
                format!("unknown key, expected one of: {}", KEYS.join(", ")),
            )),
        }
    }

    fn verdict(&self, item: &Data) -> Result<Verdict, ConfigError> {
        match self.text(item, "verdict")?.as_str() {
            "fail" => Ok(Verdict::Fail),
            "warn" => Ok(Verdict::Warn),
            "inconclusive" => Ok(Verdict::Inconclusive),
            other => {
                let message =
                    format!("verdict `{other}`, expected one of: fail, inconclusive, warn");
                Err(self.error(self.place(item, "verdict"), message))
            }
        }
    }

    fn until(&self, item: &Data) -> Result<Option<String>, ConfigError> {
        let Some(text) = self.optional(item, "until")? else {
            return Ok(None);
        };
        match text.parse::<jiff::civil::Date>() {
            // The parser also takes a date with a time after it, which the file may not have.
            Ok(date) if date.to_string() == text => Ok(Some(text)),
            _ => Err(self.error(self.place(item, "until"), "a date is written 2027-06-30")),
        }
    }

    fn text(&self, item: &Data, key: &str) -> Result<String, ConfigError> {
        match self.optional(item, key)? {
            Some(text) if text.is_empty() => {
                Err(self.error(self.place(item, key), format!("`{key}` is empty")))
            }
            Some(text) => Ok(text),
            None => Err(self.missing(item, key)),
        }
    }

    fn optional(&self, item: &Data, key: &str) -> Result<Option<String>, ConfigError> {
        let Some(data) = item.member(key) else {
            return Ok(None);
        };
        match data.literal() {
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(self.error(data.at, format!("`{key}` is plain text"))),
        }
    }

    fn missing(&self, item: &Data, key: &str) -> ConfigError {
        self.error(item.at, format!("an entry has no `{key}`"))
    }

    fn place(&self, item: &Data, key: &str) -> Location {
        item.member(key).map_or(item.at, |data| data.at)
    }
}

fn transport_named(name: &str) -> Option<Transport> {
    Transport::ALL
        .into_iter()
        .find(|transport| transport.as_str() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = "\
- case: http/legacy/get-405
  target: a/b/http
  requirement: http.legacy.get-405
  verdict: warn
  reason: It still opens a stream.
  page: basic/transports/streamable-http
  anchor: \"\"
  until: 2027-06-30
";

    fn complaint(text: &str) -> String {
        Baseline::read("b.yaml", text)
            .expect_err("the baseline is wrong")
            .to_string()
    }

    #[test]
    fn an_entry_tells_what_is_known_and_why() {
        let baseline = Baseline::read("b.yaml", ENTRY).expect("the baseline is right");
        let [known] = baseline.entries.as_slice() else {
            panic!("one entry, not {baseline:?}")
        };
        assert_eq!(
            (known.server.as_str(), known.transport),
            ("a/b", Transport::Http)
        );
        assert_eq!(known.verdict, Verdict::Warn);
        assert_eq!(known.until.as_deref(), Some("2027-06-30"));
        assert_eq!(known.line, 1);
    }

    #[test]
    fn comments_alone_are_the_empty_baseline() {
        for text in ["", "# nothing yet\n\n  # at all\n"] {
            assert_eq!(
                Baseline::read("b.yaml", text),
                Ok(Baseline::default()),
                "{text:?}"
            );
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let cases = [
            ("case: a\n".to_owned(), "b.yaml:1:1: a baseline is a list"),
            ("- a\n".to_owned(), "b.yaml:1:3: an entry is a map"),
            (
                ENTRY.replace("a/b/http", "http"),
                "b.yaml:2:11: a target is written NAME/http or NAME/stdio",
            ),
            (
                ENTRY.replace("a/b/http", "a/smtp"),
                "b.yaml:2:11: a target is written NAME/http or NAME/stdio",
            ),
            (
                ENTRY.replace("warn", "pass"),
                "b.yaml:4:12: verdict `pass`, expected one of: fail, inconclusive, warn",
            ),
            (
                ENTRY.replace("2027-06-30", "soon"),
                "b.yaml:8:10: a date is written 2027-06-30",
            ),
            (
                ENTRY.replace("2027-06-30", "2027-06-30T10:00:00"),
                "b.yaml:8:10: a date is written 2027-06-30",
            ),
            (
                ENTRY.replace("  verdict: warn\n", ""),
                "b.yaml:1:3: an entry has no `verdict`",
            ),
            (
                ENTRY.replace("  anchor: \"\"\n", ""),
                "b.yaml:1:3: an entry has no `anchor`",
            ),
            (
                ENTRY.replace("It still opens a stream.", "\"\""),
                "b.yaml:5:11: `reason` is empty",
            ),
            (
                ENTRY.replace("It still opens a stream.", "[a]"),
                "b.yaml:5:11: `reason` is plain text",
            ),
            (
                format!("{ENTRY}{ENTRY}"),
                "b.yaml:9:3: an earlier entry is about the same",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(complaint(&text), expected, "{text}");
        }
        let unknown = complaint(&ENTRY.replace("reason", "raison"));
        assert!(
            unknown.starts_with("b.yaml:5:3: unknown key, expected one of: anchor, case"),
            "{unknown}"
        );
    }
}

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
//! All but `until` are required, since an entry that nobody can check is worth nothing. A requirement of the user's own, whose
//! id begins with `x.`, is not in the specification: its entries need neither `page` nor `anchor`.

use std::sync::Arc;

use crate::case::{Diagnostic, Suite};
use crate::spec::{OWN_REQUIREMENT, Transport};
use crate::template::{Data, Fields, Location, Problem, read_yaml};
use crate::text::closest;
use crate::verdict::Verdict;

/// Verdicts that need an explanation.
const VERDICTS: [(&str, Verdict); 3] = [
    ("fail", Verdict::Fail),
    ("inconclusive", Verdict::Inconclusive),
    ("warn", Verdict::Warn),
];

/// The known verdicts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Baseline {
    /// In the order of the file.
    pub entries: Vec<Known>,
    file: Arc<str>,
    text: Arc<str>,
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
    /// Page of the specification that says so; may be empty for a requirement of the user's own.
    pub page: String,
    /// Anchor on that page; may be empty.
    pub anchor: String,
    /// Last day (`2027-06-30`) on which the entry counts.
    pub until: Option<String>,
    /// Line of the entry, from 1.
    pub line: usize,
    case_at: Location,
    requirement_at: Location,
}

impl Baseline {
    /// Reads a baseline. `origin` names the file in messages.
    ///
    /// # Errors
    ///
    /// What is wrong first, with line and column: no list of maps, a key missing, unknown or empty, a verdict that
    /// needs no baseline, no date, or two entries for the same.
    pub fn read(origin: &str, text: &str) -> Result<Baseline, Diagnostic> {
        // A file of comments alone is the empty baseline.
        if text
            .lines()
            .all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
        {
            return Ok(Baseline::default());
        }
        let (file, text): (Arc<str>, Arc<str>) = (Arc::from(origin), Arc::from(text));
        match read_yaml(&text).and_then(|data| entries(&data)) {
            Ok(entries) => Ok(Baseline {
                entries,
                file,
                text,
            }),
            Err(problem) => Err(Diagnostic::new(&file, &text, problem)),
        }
    }

    /// Holds the entries against a suite: one about something that is not there would be passed over for ever.
    ///
    /// # Errors
    ///
    /// The first entry whose case the suite does not have, or whose case does not name its requirement.
    pub fn hold_against(&self, suite: &Suite) -> Result<(), Diagnostic> {
        let problem = self.entries.iter().find_map(|known| known.problem(suite));
        problem.map_or(Ok(()), |problem| {
            Err(Diagnostic::new(&self.file, &self.text, problem))
        })
    }
}

impl Known {
    /// What keeps the entry from ever applying.
    fn problem(&self, suite: &Suite) -> Option<Problem> {
        let Some(case) = suite.case(&self.case) else {
            let problem = Problem::new(self.case_at, format!("there is no case `{}`", self.case));
            let ids = suite.cases().iter().map(|case| case.id.as_str());
            return Some(match closest(&self.case, ids) {
                Some(id) => problem.with_help(format!("did you mean `{id}`?")),
                None => problem,
            });
        };
        let mut named = case.requirements.iter().map(|(id, _)| id.as_str());
        if named.any(|id| id == self.requirement) {
            return None;
        }
        let named: Vec<&str> = case
            .requirements
            .iter()
            .map(|(id, _)| id.as_str())
            .collect();
        let (case, requirement) = (&self.case, &self.requirement);
        let message = format!("`{case}` does not judge `{requirement}`");
        let help = format!("it judges {}", named.join(", "));
        Some(Problem::new(self.requirement_at, message).with_help(help))
    }

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

fn entries(data: &Data) -> Result<Vec<Known>, Problem> {
    let mut entries: Vec<Known> = Vec::new();
    for item in data.list("a baseline")? {
        let known = entry(item)?;
        if entries.iter().any(|other| other.is_same(&known)) {
            return Err(Problem::new(item.at, "an earlier entry is about the same"));
        }
        entries.push(known);
    }
    Ok(entries)
}

fn entry(data: &Data) -> Result<Known, Problem> {
    let mut fields = Fields::of(data, "an entry")?;
    let at = |name| data.member(name).map_or(data.at, |member| member.at);
    let (server, transport) = target(fields.require("target")?)?;
    let case = text(&mut fields, "case")?;
    let requirement = text(&mut fields, "requirement")?;
    let is_own = requirement.starts_with(OWN_REQUIREMENT);
    let has = |name| data.member(name).is_some();
    let known = Known {
        case,
        server,
        transport,
        verdict: fields.require("verdict")?.one_of("verdict", &VERDICTS)?,
        reason: text(&mut fields, "reason")?,
        page: match is_own && !has("page") {
            true => String::new(),
            false => text(&mut fields, "page")?,
        },
        anchor: match is_own && !has("anchor") {
            true => String::new(),
            false => fields.require("anchor")?.text("anchor")?.to_owned(),
        },
        requirement,
        until: fields.take("until").map(date).transpose()?,
        line: data.at.line,
        case_at: at("case"),
        requirement_at: at("requirement"),
    };
    fields.unknown().into_iter().next().map_or(Ok(known), Err)
}

fn target(data: &Data) -> Result<(String, Transport), Problem> {
    data.text("target")?
        .rsplit_once('/')
        .and_then(|(server, name)| Some((server.to_owned(), transport_named(name)?)))
        .filter(|(server, _)| !server.is_empty())
        .ok_or_else(|| Problem::new(data.at, "a target is written NAME/http or NAME/stdio"))
}

fn date(data: &Data) -> Result<String, Problem> {
    let text = data.text("until")?;
    match text.parse::<jiff::civil::Date>() {
        // The parser also takes a date with a time after it, which the file may not have.
        Ok(date) if date.to_string() == text => Ok(text.to_owned()),
        _ => Err(Problem::new(data.at, "a date is written 2027-06-30")),
    }
}

fn text(fields: &mut Fields<'_>, name: &'static str) -> Result<String, Problem> {
    let data = fields.require(name)?;
    match data.text(name)? {
        "" => Err(Problem::new(data.at, format!("`{name}` is empty"))),
        text => Ok(text.to_owned()),
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

    fn shown(error: &Diagnostic) -> String {
        format!(
            "{}:{}:{}: {}",
            error.file, error.at.line, error.at.column, error.message
        )
    }

    fn complaint(text: &str) -> String {
        shown(&Baseline::read("b.yaml", text).expect_err("the baseline is wrong"))
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
    fn only_an_entry_about_ones_own_requirement_needs_no_page() {
        let bare = ENTRY
            .replace(
                "  page: basic/transports/streamable-http\n  anchor: \"\"\n",
                "",
            )
            .replace("requirement: http.", "requirement: x.");
        let baseline = Baseline::read("b.yaml", &bare).expect("the baseline is right");
        assert_eq!(
            (
                baseline.entries[0].page.as_str(),
                baseline.entries[0].anchor.as_str()
            ),
            ("", "")
        );
        let with_page = ENTRY.replace("requirement: http.", "requirement: x.");
        let baseline = Baseline::read("b.yaml", &with_page).expect("the baseline is right");
        assert_eq!(baseline.entries[0].page, "basic/transports/streamable-http");
        assert_eq!(
            complaint(&bare.replace("requirement: x.", "requirement: http.")),
            "b.yaml:1:3: `page` is missing"
        );
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
            ("case: a\n".to_owned(), "b.yaml:1:1: `a baseline` is a list"),
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
                "b.yaml:4:12: `verdict` cannot be `pass`",
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
                "b.yaml:1:3: `verdict` is missing",
            ),
            (
                ENTRY.replace("  anchor: \"\"\n", ""),
                "b.yaml:1:3: `anchor` is missing",
            ),
            (
                ENTRY.replace("It still opens a stream.", "\"\""),
                "b.yaml:5:11: `reason` is empty",
            ),
            (
                ENTRY.replace("It still opens a stream.", "[a]"),
                "b.yaml:5:11: `reason` is text",
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
            unknown.starts_with("b.yaml:1:3: `reason` is missing"),
            "{unknown}"
        );
    }
}

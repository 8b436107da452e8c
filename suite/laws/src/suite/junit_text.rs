//! Laws of hostile text in a JUnit report.

use mcpspec::report::{Format, RenderOptions, Report, render};
use roxmltree::{Document, Node};
use serde_json::{Value as Json, json};

/// Most characters of a message, the longest escape of each byte taken.
const LONGEST_MESSAGE: usize = 500 * 10;

/// Characters, besides those that XML forbids, that an attribute may not show as they are.
const HIDDEN: &[std::ops::RangeInclusive<u32>] = &[
    0x00..=0x1f,
    0x7f..=0x9f,
    0xad..=0xad,
    0x61c..=0x61c,
    0x180e..=0x180e,
    0x200b..=0x200f,
    0x2028..=0x202e,
    0x2060..=0x206f,
    0xfdd0..=0xfdef,
    0xfeff..=0xfeff,
    0xfff9..=0xfffb,
    0xe0000..=0xe007f,
];

/// Whatever texts a report holds, its JUnit form is XML with one test case for each case, under its name, whose texts are
/// those of the report, escaped as a slow reading escapes them; and is the same each time.
///
/// The input is texts that are separated by bytes 0xFF, which no text has; what is not UTF-8 is replaced.
///
/// # Panics
/// If one of that does not hold.
pub fn junit_text(input: &[u8]) {
    let texts: Vec<_> = input
        .split(|byte| *byte == 0xFF)
        .map(String::from_utf8_lossy)
        .collect();
    let text = |index: usize| texts[index % texts.len()].as_ref();
    let verdicts = ["fail", "inconclusive", "skip", "warn", "pass"];
    let cases: Vec<Json> = verdicts
        .iter()
        .enumerate()
        .map(|(index, verdict)| case(verdict, text(index), text(index + 1)))
        .collect();
    let report = report(&cases, text(2), text(3));
    let report: Report = serde_json::from_value(report).expect("the report has every member");
    let xml = render(Format::Junit, &report, &RenderOptions::default());
    assert_eq!(
        xml,
        render(Format::Junit, &report, &RenderOptions::default()),
        "once more"
    );
    let document = Document::parse(&xml).unwrap_or_else(|error| panic!("{error}: {xml}"));
    let root = document.root_element();
    let found = |name: &'static str| {
        root.descendants()
            .filter(move |node| node.has_tag_name(name))
    };

    // One case tells that the target was unusable.
    assert_eq!(found("testcase").count(), verdicts.len() + 1, "{xml}");
    assert_eq!(found("failure").count(), 1, "{xml}");
    assert_eq!(found("error").count(), 2, "{xml}");
    assert_eq!(found("skipped").count(), 1, "{xml}");
    let known = [
        "testsuites",
        "testsuite",
        "testcase",
        "failure",
        "error",
        "skipped",
        "system-out",
    ];
    let elements = || root.descendants().filter(Node::is_element);
    assert!(
        elements().all(|node| known.contains(&node.tag_name().name())),
        "{xml}"
    );
    assert!(
        elements()
            .flat_map(|node| node.attributes())
            .all(|attribute| visible(attribute.value())),
        "{xml}"
    );

    let mut names: Vec<_> = found("testcase")
        .filter_map(|case| case.attribute("name"))
        .collect();
    let mut expected: Vec<_> = (0..verdicts.len())
        .map(|index| attribute(text(index)))
        .collect();
    expected.push("target is usable".to_owned());
    names.sort_unstable();
    expected.sort_unstable();
    assert_eq!(names, expected, "{xml}");
    for element in ["failure", "error", "skipped"] {
        for message in found(element).filter_map(|node| node.attribute("message")) {
            assert!(message.chars().count() <= LONGEST_MESSAGE, "{message}");
        }
    }
    let skipped = found("skipped")
        .next()
        .and_then(|node| node.attribute("message"));
    if text(3).len() <= 500 {
        assert_eq!(skipped, Some(attribute(text(3)).as_str()));
    }
    assert!(
        found("failure")
            .next()
            .and_then(|node| node.text())
            .is_some_and(|body| { body.chars().all(|character| !forbidden(character)) }),
        "{xml}"
    );
}

fn case(verdict: &str, id: &str, text: &str) -> Json {
    let fact = match verdict {
        "pass" => "held",
        "skip" => "notApplicable",
        "inconclusive" => "notObserved",
        _ => "violated",
    };
    json!({
        "id": id, "kind": "steps", "summary": text, "why": text, "target": 0, "transport": "stdio", "seconds": 0.5,
        "verdict": verdict, "notes": [text], "reason": text,
        "requirements": [{
            "id": id, "level": "must", "page": "basic/index", "anchor": text, "statement": text,
            "fact": fact, "verdict": verdict, "observed": 1,
            "mismatches": [{ "pointer": text, "expected": text, "actual": id }],
        }],
        "exchanges": [{
            "link": "shared", "atMs": 1, "head": [text], "sent": text,
            "received": [{ "afterMs": 2, "text": text }], "judged": true,
        }],
        "reproduce": [text],
    })
}

fn report(cases: &[Json], name: &str, problem: &str) -> Json {
    json!({
        "format": 1,
        "tool": { "name": "mcpspec", "version": "0.0.0", "suiteDigest": "0" },
        "revision": "2026-07-28", "startedAt": "2026-11-30T08:59:12.345Z", "seconds": 1.0, "seed": 1,
        "targets": [{ "index": 0, "name": name, "transport": "stdio", "unusable": problem }],
        "summary": {
            "verdicts": { "pass": 1, "fail": 1, "warn": 1, "inconclusive": 1, "skip": 1 },
            "requirements": { "held": 1, "violated": 1, "notJudged": 1 },
            "exitCode": 1,
        },
        "cases": cases, "calls": [],
    })
}

/// A text as an attribute shows it: escapes for what cannot be seen, and nothing that ends a section.
fn attribute(text: &str) -> String {
    let mut shown = String::new();
    for character in text.chars() {
        match character {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            _ if hidden(character) => shown.push_str(&format!("\\u{{{:x}}}", u32::from(character))),
            _ => shown.push(character),
        }
    }
    while let Some(at) = shown.find("]]>") {
        shown.insert(at + 2, ' ');
    }
    shown
}

fn hidden(character: char) -> bool {
    let code = u32::from(character);
    HIDDEN.iter().any(|range| range.contains(&code)) || code % 0x1_0000 >= 0xfffe
}

fn visible(value: &str) -> bool {
    !value.contains("]]>") && !value.chars().any(hidden)
}

/// What no XML file holds.
fn forbidden(character: char) -> bool {
    let code = u32::from(character);
    (code < 0x20 && !matches!(character, '\t' | '\n')) || matches!(code, 0xfffe | 0xffff)
}

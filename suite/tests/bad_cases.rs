//! Each rule of loading and linting, shown on a case that breaks it.

use std::fs;
use std::path::Path;

use mcpspec::case::{Suite, SuiteFile, load_case};
use proptest::prelude::*;

#[test]
fn each_fault_is_told_with_its_line_and_column() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let suite = suite(&manifest.join("../cases"));
    let folder = manifest.join("tests/fixtures/bad_cases");
    let mut rules: Vec<String> = fs::read_dir(&folder)
        .expect("the fixtures are readable")
        .map(|entry| {
            let path = entry.expect("the entry is readable").path();
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            stem.expect("fixtures have UTF-8 names").to_owned()
        })
        .collect();
    rules.sort();
    for rule in rules {
        let text = fs::read_to_string(folder.join(format!("{rule}.yaml")));
        let file = SuiteFile {
            path: format!("bad/cases/{rule}.yaml"),
            shown: format!("cases/bad/cases/{rule}.yaml"),
            text: text.expect("the fixture is UTF-8"),
        };
        let shown = match suite.clone().extend([file], false) {
            Ok(()) => panic!("{rule}: nothing is found wrong"),
            Err(diagnostics) => diagnostics
                .iter()
                .map(|diagnostic| format!("{diagnostic}\n"))
                .collect::<String>(),
        };
        insta::assert_snapshot!(rule, shown);
    }
}

#[test]
fn ids_belong_to_one_case() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let suite = suite(&manifest.join("../cases"));
    let case = suite.cases()[0].clone();
    let file = |formerly: &str| SuiteFile {
        path: format!("{}.yaml", case.id),
        shown: format!("own/{}.yaml", case.id),
        text: format!(
            "summary: A plain request is answered\nrequirement: discover.implemented\n\
             formerly: [{formerly}]\nsteps:\n  - send: server/discover\n    expect: {{}}\n"
        ),
    };
    let refused = suite.clone().extend([file("a/b/c")], false);
    let message = refused.expect_err("the id is taken")[0].message.clone();
    assert_eq!(
        message,
        format!("the id `{0}` is that of the case `{0}`", case.id)
    );

    let mut replaced = suite.clone();
    replaced
        .extend([file("a/b/c")], true)
        .expect("it takes the place");
    assert_eq!(replaced.cases().len(), suite.cases().len());
    let now = replaced.case(&case.id).expect("it is there");
    assert_eq!(now.summary, "A plain request is answered");

    let other = &suite.cases()[1].id;
    let clash = suite.clone().extend([file(other)], true);
    assert!(clash.is_err(), "a former id is another case's id");
}

#[test]
fn requirements_of_ones_own_come_with_cases_of_ones_own() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut suite = suite(&manifest.join("../cases"));
    let file = |path: &str, text: &str| SuiteFile {
        path: path.to_owned(),
        shown: format!("own/{path}"),
        text: text.to_owned(),
    };
    let files = [
        file(
            "requirements.yaml",
            "- { id: x.house, statement: A rule of the house., level: should, violated: warn }\n",
        ),
        file(
            "own/demo/house.yaml",
            "summary: The house rule is kept\nrequirement: x.house\nsteps:\n  \
             - send: server/discover\n    expect: { result: {} }\n",
        ),
    ];
    suite
        .extend(files, false)
        .unwrap_or_else(|wrong| panic!("{}", wrong[0]));
    assert!(suite.case("own/demo/house").is_some());
    assert!(suite.registry().get("x.house").is_some());
}

/// A case that uses much of the format.
const RICH: &str = "summary: A call is answered
requirement: [discover.implemented]
needs: [slow-tool.counter, not era.legacy]
isolation: own
each:
  - { label: x, a: null, b: \"$(byte e9)\" }
  - { label: y, a: { c: [1, $(null)] }, b: \"\" }
steps:
  - send: $(trigger.slow-tool)
    meta: { progressToken: p-1 }
    headers: { Mcp-Name: $(b), X: [a, b] }
    repeat: { until: { result: { $any: [{ $absent: true }, { x: { $gte: 1 } }] } } }
    open: true
    as: slow
    given: { notifications: { $len: { $gte: 1 } } }
  - silence: [slow, main]
    for: $(trigger.slow-tool.lasts | plus 2s)
    of: { $not: { method: { $regex: \"^x\" } } }
    else: [{ when: not slow-tool.cancellable, result: {}, grade: warn, note: late }]
  - send: server/discover
    params: $(a)
    expect: { result: { $same_as: $(slow.result | optional) } }
    else:
      - { error: { code: { $not: -32020 } }, grade: pass }
";

fn case(text: String) -> SuiteFile {
    SuiteFile {
        path: "a/b/c.yaml".to_owned(),
        shown: "cases/a/b/c.yaml".to_owned(),
        text,
    }
}

#[test]
fn a_case_that_uses_much_of_the_format_is_right() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let extended = suite(&manifest.join("../cases")).extend([case(RICH.to_owned())], false);
    extended.unwrap_or_else(|wrong| panic!("{}", wrong[0]));
}

/// Pieces that mean something to the reader of cases.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~\n]{0,12}",
        "\\PC{0,6}",
        prop::sample::select(vec![
            "{",
            "}",
            "[",
            "]",
            ": ",
            ", ",
            "\n  - ",
            "$(",
            ")",
            "| ",
            "&a ",
            "*a",
            "!t ",
            "\"",
            "'",
            "null",
            "$any",
            "$not",
            "steps:\n",
            "watch: line\n",
            "expect: ",
            "as: a\n",
            "|\n  x",
            "? ",
            "---\n",
            "%YAML 1.2\n",
            "1e999999",
            "\t",
            "\u{feff}",
            "#",
        ])
        .prop_map(str::to_owned),
    ]
}

proptest! {
    #[test]
    fn loading_arbitrary_text_never_panics(pieces in prop::collection::vec(piece(), 0..40)) {
        if let Err(diagnostics) = load_case(&case(pieces.concat())) {
            prop_assert!(!diagnostics.is_empty());
            for diagnostic in diagnostics {
                prop_assert!(diagnostic.to_string().contains("cases/a/b/c.yaml"));
            }
        }
    }

    #[test]
    fn a_damaged_case_is_right_or_told_to_be_wrong(
        at in 0..RICH.len(),
        cut in 0..20_usize,
        piece in piece(),
    ) {
        let end = (at + cut).min(RICH.len());
        let mut text = RICH.to_owned();
        text.replace_range(at..end, &piece);
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        thread_local! {
            static SUITE: std::cell::OnceCell<Suite> = const { std::cell::OnceCell::new() };
        }
        let extended = SUITE.with(|known| {
            let known = known.get_or_init(|| suite(&manifest.join("../cases")));
            known.clone().extend([case(text)], false)
        });
        if let Err(diagnostics) = extended {
            for diagnostic in diagnostics {
                prop_assert!(diagnostic.at.line > 0 && diagnostic.at.column > 0);
                prop_assert!(diagnostic.to_string().contains("-->"));
            }
        }
    }
}

/// The registry, the shapes and a few cases of the suite.
fn suite(root: &Path) -> Suite {
    let paths = [
        "requirements/2026-07-28.yaml",
        "shapes/2026-07-28.json",
        "jsonrpc/error/parse.yaml",
        "jsonrpc/id/echo-string.yaml",
    ];
    let files = paths.map(|path| SuiteFile {
        path: path.to_owned(),
        shown: format!("cases/{path}"),
        text: fs::read_to_string(root.join(path)).expect("the file is there"),
    });
    Suite::load(files).unwrap_or_else(|wrong| panic!("{}", wrong[0]))
}

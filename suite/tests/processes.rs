//! How many processes a run over stdio takes, and from which rows to which they go on.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

/// No command here takes longer.
const LIMIT: Duration = Duration::from_secs(120);

/// Most processes that a whole run takes. With one for each row that wants one for itself it would be half as many again, and more.
const MOST: usize = 125;

/// A folder with cases, and with what each process of a server was told.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Bench {
        let folder = tempfile::tempdir().expect("a folder can be made");
        fs::create_dir(folder.path().join("told")).expect("it is writable");
        Bench { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Adds a case whose row says who it is in the metadata of its requests.
    fn case(&self, name: &str, top: &str, steps: &str) {
        let topic = self.path("cases/pool/rows");
        fs::create_dir_all(&topic).expect("it is writable");
        let text = format!(
            "summary: A row is served\nrequirement: x.pool.row\n{top}steps:\n{steps}  - send: server/discover\n    \
             meta: {{ com.example/row: {name} }}\n    expect: {{ result: {{}} }}\n"
        );
        fs::write(topic.join(format!("{name}.yaml")), text).expect("it is writable");
        let requirement =
            "- id: x.pool.row\n  statement: Rows are served.\n  level: must\n  violated: fail\n";
        fs::write(self.path("cases/requirements.yaml"), requirement).expect("it is writable");
    }

    /// Judges a server, a shell command in which `$SERVER` is the reference server and `$TOLD` the file for what this process is told.
    fn check(&self, arguments: &[&str], server: &str) -> Value {
        let program = assert_cmd::cargo::cargo_bin("mcpspec");
        let own = program.to_str().expect("its path is UTF-8");
        let told = self.path("told");
        let script = format!(
            "SERVER='{own} serve --stdio'; TOLD='{}'/$$; {server}",
            told.display()
        );
        let output = assert_cmd::Command::new(&program)
            .args(["check", "--report", "json", "--no-progress"])
            .args(arguments)
            .args(["--", "sh", "-c", &script])
            .timeout(LIMIT)
            .output()
            .expect("the program runs");
        serde_json::from_slice(&output.stdout).expect("it is JSON")
    }

    fn check_cases(&self, server: &str) -> Value {
        let cases = self.path("cases");
        let cases = cases.to_str().expect("its path is UTF-8");
        let arguments = ["--jobs", "1", "--case", "pool/**", "--cases", cases];
        self.check(&arguments, server)
    }

    /// What each process was told.
    fn told(&self) -> Vec<String> {
        let files = fs::read_dir(self.path("told")).expect("it is readable");
        let read = |path: &Path| String::from_utf8_lossy(&fs::read(path).expect("it is")).into();
        files
            .map(|file| read(&file.expect("it is readable").path()))
            .collect()
    }
}

fn verdict<'r>(report: &'r Value, name: &str) -> &'r str {
    let cases = report["cases"].as_array().expect("cases are a list");
    let id = format!("pool/rows/{name}");
    let case = cases.iter().find(|case| case["id"] == id.as_str());
    let verdict = case.and_then(|case| case["verdict"].as_str());
    verdict.unwrap_or_else(|| panic!("{id} has no verdict"))
}

#[test]
fn a_whole_run_takes_few_processes() {
    let bench = Bench::new();
    let report = bench.check(&[], "echo >\"$TOLD\"; exec $SERVER");
    assert_eq!(
        report["summary"]["verdicts"]["fail"], 0,
        "{}",
        report["summary"]
    );
    let started = bench.told().len();
    assert!((10..=MOST).contains(&started), "{started} were started");
}

const OWN: &str = "isolation: own\n";

#[test]
fn a_process_goes_on_only_if_nothing_is_left_on_it() {
    let bench = Bench::new();
    let legacy = "fresh: [main]\n";
    let leaving = [
        ("a-raw", "", "  - raw: \"{\\n\"\n"),
        (
            "b-bare",
            "",
            "  - send: tools/list\n    meta: null\n    given: {}\n",
        ),
        (
            "c-older-version",
            "",
            "  - send: tools/list\n    meta: { protocolVersion: 2025-06-18 }\n    given: {}\n",
        ),
        (
            "d-initialize",
            legacy,
            "  - send: initialize\n    given: {}\n",
        ),
        (
            "e-legacy",
            legacy,
            "  - notify: notifications/initialized\n    era: legacy\n",
        ),
        (
            "f-no-version",
            "",
            "  - notify: notifications/x\n    meta: null\n",
        ),
        (
            "g-cancelled",
            "needs: [slow-tool]\n",
            "  - send: $(trigger.slow-tool)\n    open: true\n    as: slow\n  - cancel: slow\n    after: 50ms\n",
        ),
        (
            "h-envelope",
            "",
            "  - send: tools/list\n    envelope: { jsonrpc: null }\n    given: {}\n",
        ),
    ];
    let leaves = |name: &str| leaving.iter().any(|(leaving, ..)| *leaving == name);
    let mut names = Vec::new();
    for (name, top, steps) in leaving {
        let after = format!("{name}-after");
        bench.case(name, &format!("{OWN}{top}"), steps);
        bench.case(&after, OWN, "");
        names.extend([name.to_owned(), after]);
    }
    let report = bench.check_cases("tee \"$TOLD\" | $SERVER");
    for name in &names {
        assert_eq!(verdict(&report, name), "pass", "{name}");
    }
    let marker = |name: &str| format!("\"com.example/row\":\"{name}\"");
    let mut most = 0;
    for told in bench.told() {
        let mut seen: Vec<(usize, &String)> = names
            .iter()
            .filter_map(|name| Some((told.find(&marker(name))?, name)))
            .collect();
        seen.sort();
        most = most.max(seen.len());
        // Such a row may get a used process, and is the last that does.
        let last = seen.pop();
        let handed_on = seen.iter().find(|(_, name)| leaves(name));
        assert!(
            handed_on.is_none(),
            "{handed_on:?} was not the last: {last:?}"
        );
    }
    assert!(most > 1, "no process went on to another row");
}

#[test]
fn a_process_that_dies_under_another_row_blames_neither() {
    let bench = Bench::new();
    bench.case(
        "a-doom",
        OWN,
        "  - send: x-conformance/doom\n    given: {}\n",
    );
    bench.case("b-next", OWN, "");
    bench.case("c-later", OWN, "");
    // Once it was told of doom, it serves that row and the question whether anything is left, and dies of what comes then.
    let server = "left=-1; while IFS= read -r line; do case \"$line\" in *x-conformance/doom*) left=3;; esac; \
         [ $left -ne 0 ] || { printf '%s' \"$line\" >\"$TOLD.last\"; exit 7; }; left=$((left - 1)); printf '%s\\n' \"$line\" | tee -a \"$TOLD\"; done | $SERVER";
    let report = bench.check_cases(server);
    for name in ["a-doom", "b-next", "c-later"] {
        assert_eq!(verdict(&report, name), "pass", "{name}");
    }
    let rows = |told: &String| told.matches("com.example/row").count();
    // That of the row under which it died came twice: on that process, and on a fresh one.
    assert_eq!(bench.told().iter().map(rows).sum::<usize>(), 4);
    let died_of = bench
        .told()
        .into_iter()
        .filter(|told| told.contains("b-next"));
    assert_eq!(died_of.count(), 2);
}

//! How many processes a run over stdio takes, and from which rows to which they go on.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

const STAYS_ALIVE: &str = "robustness/liveness/stays-alive";

/// No command here takes longer.
const LIMIT: Duration = Duration::from_secs(120);

/// Most processes that a whole run takes. With one for each row that wants one for itself it would be half as many again, and more.
const MOST: usize = 110;

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

    /// One row after another, and whether the server stays alive.
    fn check_cases(&self, server: &str) -> Value {
        let cases = self.path("cases");
        let cases = cases.to_str().expect("its path is UTF-8");
        let chosen = ["--case", "pool/**", "--case", STAYS_ALIVE];
        let arguments = ["--jobs", "1", "--timeout", "1s", "--cases", cases];
        self.check(&[&arguments[..], &chosen[..]].concat(), server)
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

fn result<'r>(report: &'r Value, id: &str) -> &'r Value {
    let cases = report["cases"].as_array().expect("cases are a list");
    let case = cases.iter().find(|case| case["id"] == id);
    case.unwrap_or_else(|| panic!("{id} has no result"))
}

fn verdict<'r>(report: &'r Value, name: &str) -> &'r str {
    let result = result(report, &format!("pool/rows/{name}"));
    result["verdict"].as_str().expect("it has a verdict")
}

/// The verdict of a case, and its remarks.
fn remarks(report: &Value, id: &str) -> String {
    let result = result(report, id);
    format!("{}: {}", result["verdict"], result["notes"])
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
    let remarks = remarks(&report, STAYS_ALIVE);
    for told in [
        "seen during pool/rows/b-next\"",
        "seen on a process that other cases had used before",
    ] {
        assert!(remarks.contains(told), "{remarks}");
    }
}

#[test]
fn a_violation_on_a_used_process_stands_if_no_fresh_one_can_be_judged() {
    let bench = Bench::new();
    bench.case("a-first", OWN, "");
    bench.case(
        "b-wrong",
        OWN,
        "  - send: tools/list\n    given: { result: {} }\n  - send: x-conformance/wrong\n    expect: { error: { code: 1 } }\n",
    );
    // Once it was told of the wrong method, no process of it starts any more.
    let server = "gate=\"${TOLD%/*}.gate\"; [ ! -e \"$gate\" ] || exit 9; while IFS= read -r line; do case \"$line\" in \
         *x-conformance/wrong*) : >\"$gate\";; esac; printf '%s\\n' \"$line\" | tee -a \"$TOLD\"; done | $SERVER";
    let report = bench.check_cases(server);
    let remarks = remarks(&report, "pool/rows/b-wrong");
    assert!(
        remarks.starts_with("\"fail\"")
            && remarks.contains("seen on a process that other cases had used before"),
        "{remarks}"
    );
}

#[test]
fn a_request_that_a_used_process_leaves_unanswered_is_sent_to_a_fresh_one() {
    let bench = Bench::new();
    for name in ["a-listen", "b-listen", "c-listen"] {
        bench.case(
            name,
            OWN,
            "  - send: subscriptions/listen\n    params: { notifications: {} }\n    expect: { ack: {} }\n",
        );
    }
    let server = "told=0; while IFS= read -r line; do printf '%s\\n' \"$line\" >>\"$TOLD\"; case \"$line\" in \
         *subscriptions/listen*) told=$((told + 1)); [ $told -le 1 ] || continue;; esac; printf '%s\\n' \"$line\"; done | $SERVER";
    let report = bench.check_cases(server);
    for name in ["a-listen", "b-listen", "c-listen"] {
        assert_eq!(verdict(&report, name), "pass", "{name}");
    }
    let remarks = remarks(&report, "pool/rows/c-listen");
    assert!(
        remarks.contains("not so on a process that other cases had used before: expected"),
        "{remarks}"
    );
}

/// A server that serves the first `tools/list` of a process, with `otherwise` done to the later ones.
fn serves_one_list(otherwise: &str) -> String {
    format!(
        "told=0; while IFS= read -r line; do printf '%s\\n' \"$line\" >>\"$TOLD\"; case \"$line\" in *tools/list*) \
         case \"$line\" in *_meta*) ;; *) continue;; esac; told=$((told + 1)); [ $told -le 1 ] || {otherwise};; esac; \
         printf '%s\\n' \"$line\"; done | $SERVER"
    )
}

const LIST: &str = "  - send: tools/list\n    expect: { result: {} }\n";

#[test]
fn a_violation_on_a_used_process_falls_if_a_fresh_one_does_right_there() {
    let bench = Bench::new();
    bench.case("a-first", OWN, LIST);
    let unmet = "  - send: x-conformance/none\n    given: { result: {} }\n";
    bench.case("b-unmet", OWN, &format!("{LIST}{unmet}"));
    let refuses = "line=$(printf '%s' \"$line\" | sed 's#tools/list#x-none#')";
    let report = bench.check_cases(&serves_one_list(refuses));
    assert_eq!(verdict(&report, "a-first"), "pass");
    assert_eq!(verdict(&report, "b-unmet"), "inconclusive");
}

#[test]
fn a_malformed_request_that_was_left_unanswered_says_nothing_of_a_right_one() {
    let bench = Bench::new();
    // What gives the server longest comes first.
    let bare = "  - send: tools/list\n    meta: null\n    within: 11s\n    expect: { error: {} }\n";
    bench.case("a-bare", &format!("{OWN}fresh: [main]\n"), bare);
    bench.case("b-first", OWN, LIST);
    bench.case("c-used", OWN, LIST);
    let report = bench.check_cases(&serves_one_list("continue"));
    assert_ne!(verdict(&report, "a-bare"), "pass");
    for name in ["b-first", "c-used"] {
        assert_eq!(verdict(&report, name), "pass", "{name}");
    }
}

#[test]
fn processes_of_a_server_that_changes_by_use_soon_go_on_no_more() {
    let bench = Bench::new();
    let names: Vec<String> = (1..=9).map(|row| format!("row-{row}")).collect();
    for name in &names {
        bench.case(name, OWN, LIST);
    }
    let report = bench.check_cases(&serves_one_list("continue"));
    for name in &names {
        assert_eq!(verdict(&report, name), "pass", "{name}");
    }
    // Each row once, and those once more that came to it before five had shown how the server is.
    let told = bench.told();
    let of_rows = told.iter().filter(|told| told.contains("com.example/row"));
    let lists: usize = of_rows.map(|told| told.matches("tools/list").count()).sum();
    assert!(lists <= names.len() + 5, "{lists} lists were asked for");
}

#[test]
fn a_request_that_fresh_processes_leave_unanswered_is_not_waited_for_twice_in_each_row() {
    let bench = Bench::new();
    let names = ["b-mute", "c-mute", "d-mute", "e-mute"];
    for name in names {
        // Something is done with a process before each of them.
        bench.case(&format!("{name}-before"), OWN, "");
        bench.case(
            name,
            OWN,
            "  - send: x-conformance/mute\n    expect: { error: {} }\n",
        );
    }
    let server = "while IFS= read -r line; do printf '%s\\n' \"$line\" >>\"$TOLD\"; case \"$line\" in \
         *x-conformance/mute*) continue;; esac; printf '%s\\n' \"$line\"; done | $SERVER";
    let report = bench.check_cases(server);
    for name in names {
        assert_ne!(verdict(&report, name), "pass", "{name}");
    }
    let asked = bench.told();
    let asked = asked.iter().map(|told| told.matches("/mute").count());
    assert!(asked.sum::<usize>() <= names.len() + 1);
}

#[test]
fn a_process_that_discovers_something_else_after_a_row_does_not_go_on() {
    let bench = Bench::new();
    bench.case("a-change", OWN, "  - send: tools/list\n");
    bench.case("b-next", OWN, "");
    let server = "while IFS= read -r line; do printf '%s\\n' \"$line\" | tee -a \"$TOLD\"; done | $SERVER | while IFS= read -r line; do \
         ! grep -q com.example/row \"$TOLD\" || line=$(printf '%s' \"$line\" | sed 's/\"instructions\":\"/&Changed. /'); \
         printf '%s\\n' \"$line\"; done";
    let report = bench.check_cases(server);
    for name in ["a-change", "b-next"] {
        assert_eq!(verdict(&report, name), "pass", "{name}");
    }
    let rows = |told: &String| told.matches("com.example/row").count();
    assert!(bench.told().iter().all(|told| rows(told) <= 1));
}

#[test]
fn a_process_that_dies_between_two_rows_is_told_of() {
    let bench = Bench::new();
    bench.case(
        "a-doom",
        OWN,
        "  - send: x-conformance/doom\n    given: {}\n",
    );
    bench.case("b-next", OWN, "");
    let server = "left=-1; while IFS= read -r line; do case \"$line\" in *x-conformance/doom*) left=2;; esac; \
         [ $left -ne 0 ] || exit 7; left=$((left - 1)); printf '%s\\n' \"$line\"; done | $SERVER";
    let report = bench.check_cases(server);
    for name in ["a-doom", "b-next"] {
        assert_eq!(verdict(&report, name), "pass", "{name}");
    }
    let remarks = remarks(&report, STAYS_ALIVE);
    assert!(
        remarks.starts_with("\"fail\"") && remarks.contains("seen during pool/rows/a-doom\""),
        "{remarks}"
    );
}

const SIX_LINKS: &str = "  - { send: x-conformance/six, link: a, given: {} }\n  - { send: x-conformance/six, link: b, given: {} }\n  \
     - { send: x-conformance/six, link: c, given: {} }\n  - { send: x-conformance/six, link: d, given: {} }\n  \
     - { send: x-conformance/six, link: e, given: {} }\n  - { send: x-conformance/six, link: f, given: {} }\n";

#[test]
fn no_more_processes_wait_for_a_row_than_rows_may_take() {
    let bench = Bench::new();
    bench.case("a-six", OWN, SIX_LINKS);
    bench.case("b-count", &format!("{OWN}fresh: [main]\n"), "");
    let server = "alive=\"${TOLD%/*}.alive\"; mkdir -p \"$alive\"; : >\"$alive/$$\"; ls \"$alive\" | wc -l >\"$TOLD\"; \
         tee -a \"$TOLD\" | $SERVER; rm \"$alive/$$\"";
    let report = bench.check_cases(server);
    assert_eq!(verdict(&report, "b-count"), "pass");
    let told = bench.told();
    let counted = told.iter().find(|told| told.contains("b-count"));
    let counted = counted.expect("it was served").lines().next();
    let counted: usize = counted
        .and_then(|text| text.trim().parse().ok())
        .expect("it counts");
    // Three that wait, and this one.
    assert!(counted <= 4, "{counted} were alive");
}

#[test]
fn processes_that_died_while_they_waited_take_no_place() {
    let bench = Bench::new();
    // What takes longest comes first.
    let six = SIX_LINKS.replacen("given: {}", "given: {}, after: 2s", 1);
    bench.case("a-six", OWN, &six);
    let later = "  - send: server/discover\n    after: 1s\n";
    bench.case("b-later", OWN, later);
    bench.case("c-last", OWN, "");
    // One that was told of six answers what comes next, the question whether anything is left, and ends by itself a little later.
    let server = "left=-1; while IFS= read -r line; do printf '%s\\n' \"$line\" | tee -a \"$TOLD\"; \
         case \"$line\" in *x-conformance/six*) left=2;; esac; left=$((left - 1)); [ $left -ne 0 ] || { sleep 0.3; exit; }; done | $SERVER";
    let report = bench.check_cases(server);
    for name in ["b-later", "c-last"] {
        assert_eq!(verdict(&report, name), "pass", "{name}");
    }
    let is_of_both = |told: &String| told.contains("b-later") && told.contains("c-last");
    assert!(bench.told().iter().any(is_of_both));
}

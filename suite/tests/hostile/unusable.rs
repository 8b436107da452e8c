//! Targets and arguments that nothing can be judged with: one clear message, the right exit code, and no panic.

use libtest_mimic::{Failed, Trial};

use crate::bench::{Run, check, check_over, check_stdio, mcpspec, text};
use crate::server::{CODE, Deed, Order, WORDS};

/// Patience with servers that say nothing.
const SHORT: [&str; 4] = ["--timeout", "1s", "--startup-timeout", "1s"];

type Test = fn() -> Result<(), Failed>;

pub(crate) fn trials() -> Vec<Trial> {
    let tests: [(&str, Test); 13] = [
        (
            "a_server_that_exits_at_once_is_told_with_code_and_last_words",
            exits,
        ),
        ("a_server_that_dies_at_once_is_told_with_its_signal", dies),
        ("a_page_in_place_of_an_endpoint_is_told", page),
        ("an_endpoint_that_closes_every_connection_is_told", closes),
        ("an_endless_answer_to_discovery_is_told", endless),
        ("discovery_nested_too_deep_is_told", deep),
        ("a_command_that_never_answers_has_the_startup_timeout", deaf),
        ("a_command_that_never_listens_is_told", never_listens),
        (
            "a_command_that_ends_before_it_listens_is_told",
            never_begins,
        ),
        ("a_host_that_does_not_exist_is_told", no_host),
        ("an_empty_folder_of_cases_is_told", empty_folder),
        (
            "a_case_file_that_is_no_yaml_is_told_with_line_and_column",
            no_yaml,
        ),
        ("a_case_file_that_is_no_text_is_told", no_text),
    ];
    tests
        .into_iter()
        .map(|(name, test)| Trial::test(format!("unusable::{name}"), test))
        .collect()
}

/// Asserts that the target could not be used, for a reason that holds these parts.
fn unusable(run: &Run, parts: &[&str]) -> Result<(), Failed> {
    assert_eq!(run.code, 3, "{run}");
    for part in parts {
        assert!(run.unusable().contains(part), "{part}: {run}");
    }
    Ok(())
}

fn exits() -> Result<(), Failed> {
    let run = check_stdio(&SHORT, &Order::doing(Deed::Exit, Order::START));
    unusable(&run, &[&format!("exit code {CODE}"), WORDS])
}

fn dies() -> Result<(), Failed> {
    let run = check_stdio(&SHORT, &Order::doing(Deed::Die, "server/discover"));
    unusable(&run, &["signal 6", WORDS])
}

fn page() -> Result<(), Failed> {
    let run = check_over("http", &SHORT, &Order::doing(Deed::Page, Order::START));
    let parts = ["status 200", "text/html", "Welcome", "is the path right?"];
    unusable(&run, &parts)
}

fn closes() -> Result<(), Failed> {
    let run = check_over("http", &SHORT, &Order::doing(Deed::Close, Order::START));
    unusable(&run, &["did not answer server/discover"])
}

fn endless() -> Result<(), Failed> {
    over_both(
        &["--max-message", "64KiB"],
        Deed::Endless,
        "more than mcpspec keeps",
    )
}

fn deep() -> Result<(), Failed> {
    over_both(&SHORT, Deed::Deep, "nested deeper")
}

/// What discovery is answered with makes the target unusable over either transport, for a reason that holds this part.
fn over_both(options: &[&str], deed: Deed, part: &str) -> Result<(), Failed> {
    for transport in ["stdio", "http"] {
        let order = Order::doing(deed, "server/discover");
        unusable(&check_over(transport, options, &order), &[part])?;
    }
    Ok(())
}

/// A long time for an answer is none for the start.
fn deaf() -> Result<(), Failed> {
    let options = ["--timeout", "50s", "--startup-timeout", "1s"];
    let run = check_stdio(&options, &Order::doing(Deed::Deaf, Order::START));
    unusable(&run, &["within 1.0 s", "--startup-timeout"])
}

/// Judges a URL that nothing listens at, with a command that should listen there.
fn started(options: &[&str], order: &Order) -> Run {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let url = format!("http://{}/mcp", listener.local_addr().expect("it is bound"));
    drop(listener);
    let command = crate::bench::command(order);
    let command = command.iter().map(String::as_str);
    let target: Vec<&str> = [url.as_str(), "--"].into_iter().chain(command).collect();
    check(options, &target)
}

fn never_listens() -> Result<(), Failed> {
    let run = started(&SHORT, &Order::doing(Deed::Deaf, Order::START));
    unusable(
        &run,
        &["nothing listened there within 1 s", "--startup-timeout"],
    )
}

fn never_begins() -> Result<(), Failed> {
    let run = started(&[], &Order::doing(Deed::Exit, Order::START));
    let exit = format!("exit code {CODE} before it listened");
    unusable(&run, &[&exit, WORDS])
}

fn no_host() -> Result<(), Failed> {
    // The name is reserved, so that nobody can ever have it.
    let run = check(&SHORT, &["http://mcpspec.invalid/mcp"]);
    unusable(&run, &["http://mcpspec.invalid/mcp cannot be reached"])
}

fn empty_folder() -> Result<(), Failed> {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let run = mcpspec(&["check", "--demo", "--cases", text(folder.path())]);
    assert_eq!(run.code, 2, "{run}");
    assert!(run.stderr.contains("there is no case file under"), "{run}");
    assert!(run.stderr.contains("DIR/AREA/TOPIC/NAME.yaml"), "{run}");
    Ok(())
}

/// A folder with one case file.
fn with_case(bytes: &[u8]) -> Run {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let topic = folder.path().join("area/topic");
    std::fs::create_dir_all(&topic).expect("the folder is writable");
    std::fs::write(topic.join("broken.yaml"), bytes).expect("the folder is writable");
    let run = mcpspec(&["check", "--demo", "--cases", text(folder.path())]);
    assert_eq!(run.code, 2, "{run}");
    assert_eq!(run.stdout, "", "{run}");
    run
}

fn no_yaml() -> Result<(), Failed> {
    let run = with_case(b"summary: A case\nsteps: [\n");
    assert!(run.stderr.contains("broken.yaml:"), "{run}");
    let place = regex::Regex::new("broken[.]yaml:[0-9]+:[0-9]+").expect("it is one");
    assert!(place.is_match(&run.stderr), "{run}");
    Ok(())
}

fn no_text() -> Result<(), Failed> {
    let run = with_case(b"summary: \xff\n");
    assert!(run.stderr.contains("area/topic/broken.yaml: "), "{run}");
    assert!(run.stderr.contains("UTF-8"), "{run}");
    Ok(())
}

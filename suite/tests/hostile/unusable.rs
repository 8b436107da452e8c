//! Targets and arguments that nothing can be judged with: one clear message, the right exit code, and no panic.

use libtest_mimic::{Failed, Trial};

use crate::bench::{Run, check, check_over, check_stdio, mcpspec, text};
use crate::server::{CODE, Deed, Order, WORDS};

/// Patience with servers that say nothing.
const SHORT: [&str; 4] = ["--timeout", "1s", "--startup-timeout", "1s"];

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test(
            "unusable::a_server_that_exits_at_once_is_told_with_code_and_last_words",
            exits,
        ),
        Trial::test(
            "unusable::a_server_that_dies_at_once_is_told_with_its_signal",
            dies,
        ),
        Trial::test("unusable::a_page_in_place_of_an_endpoint_is_told", page),
        Trial::test(
            "unusable::an_endpoint_that_closes_every_connection_is_told",
            closes,
        ),
        Trial::test("unusable::an_endless_answer_to_discovery_is_told", endless),
        Trial::test("unusable::discovery_nested_too_deep_is_told", deep),
        Trial::test(
            "unusable::a_command_that_never_listens_is_told",
            never_listens,
        ),
        Trial::test(
            "unusable::a_command_that_ends_before_it_listens_is_told",
            never_begins,
        ),
        Trial::test("unusable::a_host_that_does_not_exist_is_told", no_host),
        Trial::test("unusable::an_empty_folder_of_cases_is_told", empty_folder),
        Trial::test(
            "unusable::a_case_file_that_is_no_yaml_is_told_with_line_and_column",
            no_yaml,
        ),
        Trial::test("unusable::a_case_file_that_is_no_text_is_told", no_text),
    ]
}

fn exits() -> Result<(), Failed> {
    let run = check_stdio(&SHORT, &Order::doing(Deed::Exit, Order::START));
    assert_eq!(run.code, 3, "{run}");
    for part in [format!("exit code {CODE}"), WORDS.to_owned()] {
        assert!(run.unusable().contains(&part), "{run}");
    }
    Ok(())
}

fn dies() -> Result<(), Failed> {
    let run = check_stdio(&SHORT, &Order::doing(Deed::Die, "server/discover"));
    assert_eq!(run.code, 3, "{run}");
    for part in ["signal 6", WORDS] {
        assert!(run.unusable().contains(part), "{run}");
    }
    Ok(())
}

fn page() -> Result<(), Failed> {
    let run = check_over("http", &SHORT, &Order::doing(Deed::Page, Order::START));
    assert_eq!(run.code, 3, "{run}");
    for part in ["status 200", "text/html", "Welcome", "is the path right?"] {
        assert!(run.unusable().contains(part), "{run}");
    }
    Ok(())
}

fn closes() -> Result<(), Failed> {
    let run = check_over("http", &SHORT, &Order::doing(Deed::Close, Order::START));
    assert_eq!(run.code, 3, "{run}");
    assert!(
        run.unusable().contains("did not answer server/discover"),
        "{run}"
    );
    Ok(())
}

fn endless() -> Result<(), Failed> {
    for transport in ["stdio", "http"] {
        let order = Order::doing(Deed::Endless, "server/discover");
        let run = check_over(transport, &["--max-message", "64KiB"], &order);
        assert_eq!(run.code, 3, "{run}");
        assert!(run.unusable().contains("more than mcpspec keeps"), "{run}");
    }
    Ok(())
}

fn deep() -> Result<(), Failed> {
    for transport in ["stdio", "http"] {
        let order = Order::doing(Deed::Deep, "server/discover");
        let run = check_over(transport, &SHORT, &order);
        assert_eq!(run.code, 3, "{run}");
        assert!(run.unusable().contains("nested deeper"), "{run}");
    }
    Ok(())
}

/// Something that nothing listens at.
fn nowhere() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    format!("http://{}/mcp", listener.local_addr().expect("it is bound"))
}

fn never_listens() -> Result<(), Failed> {
    let order = Order::doing(Deed::Deaf, Order::START);
    let command = crate::bench::command(&order);
    let url = nowhere();
    let target: Vec<&str> = [url.as_str(), "--"]
        .into_iter()
        .chain(command.iter().map(String::as_str))
        .collect();
    let run = check(&SHORT, &target);
    assert_eq!(run.code, 3, "{run}");
    for part in ["nothing listened there within 1 s", "--startup-timeout"] {
        assert!(run.unusable().contains(part), "{run}");
    }
    Ok(())
}

fn never_begins() -> Result<(), Failed> {
    let order = Order::doing(Deed::Exit, Order::START);
    let command = crate::bench::command(&order);
    let url = nowhere();
    let target: Vec<&str> = [url.as_str(), "--"]
        .into_iter()
        .chain(command.iter().map(String::as_str))
        .collect();
    let run = check(&[], &target);
    assert_eq!(run.code, 3, "{run}");
    for part in [
        format!("exit code {CODE} before it listened"),
        WORDS.to_owned(),
    ] {
        assert!(run.unusable().contains(&part), "{run}");
    }
    Ok(())
}

fn no_host() -> Result<(), Failed> {
    // The name is reserved, so that nobody can ever have it.
    let run = check(&SHORT, &["http://mcpspec.invalid/mcp"]);
    assert_eq!(run.code, 3, "{run}");
    assert!(
        run.unusable()
            .contains("http://mcpspec.invalid/mcp cannot be reached"),
        "{run}"
    );
    Ok(())
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

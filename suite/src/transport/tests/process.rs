use std::time::Instant as Clock;

use crate::case::StopHow;
use crate::transcript::{End, ExitStatus, Inbound, LineEnd, What};
use crate::transport::{CommandLine, Connection, Limits, SendError, WriteMode};

use super::*;

fn command(words: &[&str]) -> CommandLine {
    CommandLine {
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        env: Vec::new(),
        cwd: None,
    }
}

fn shell(script: &str) -> Connection {
    shell_with(script, &Limits::default())
}

fn shell_with(script: &str, limits: &Limits) -> Connection {
    let journal = Journal::bounded(info(Transport::Stdio), Instant::now(), Arc::default());
    Connection::to_process(&command(&["sh", "-c", script]), journal, limits).expect("sh starts")
}

async fn exit(connection: &Connection) -> ExitStatus {
    until(connection, "exited", |transcript| {
        transcript.exit().is_some()
    })
    .await;
    connection
        .journal()
        .read(Transcript::exit)
        .expect("it was just there")
        .1
}

fn lines(connection: &Connection) -> Vec<Arc<Inbound>> {
    connection.journal().read(|transcript| {
        let entries = transcript.entries().iter();
        entries
            .filter_map(|entry| match &entry.what {
                What::Line(inbound) => Some(inbound.clone()),
                _ => None,
            })
            .collect()
    })
}

/// Whether a process with this argument runs. What is dead and not reaped does not.
fn runs(argument: &str) -> bool {
    let entries = std::fs::read_dir("/proc").expect("Linux has it").flatten();
    let mut processes =
        entries.filter(|entry| entry.file_name().to_string_lossy().parse::<u32>().is_ok());
    processes.any(|entry| {
        let words = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        words
            .split(|&byte| byte == 0)
            .any(|word| word == argument.as_bytes())
    })
}

#[tokio::test]
async fn how_a_process_ends_is_told_with_what_it_said_last() {
    for (script, code, signal) in [
        ("echo oops >&2; exit 3", Some(3), None),
        ("echo oops >&2; kill -9 $$", None, Some(9)),
        ("echo oops >&2; kill -SEGV $$", None, Some(11)),
    ] {
        let connection = shell(script);
        assert_eq!(
            exit(&connection).await,
            ExitStatus { code, signal },
            "{script}"
        );
        assert_eq!(connection.stderr_tail(), ["oops"]);
        assert_eq!(
            connection.send(request("1", "x")).await,
            Err(SendError::Closed)
        );
        connection.close().await;
    }
}

#[tokio::test]
async fn what_was_written_before_the_end_is_read_an_unfinished_line_too() {
    let connection = shell("printf '{}\\r\\n\\377\\000\\n\\n{\"a'; exit 1");
    exit(&connection).await;
    let lines = lines(&connection);
    let read: Vec<_> = lines
        .iter()
        .map(|line| (line.bytes.as_ref(), line.ending))
        .collect();
    assert_eq!(
        read,
        [
            (&b"{}"[..], LineEnd::CrLf),
            (b"\xff\0", LineEnd::Lf),
            (b"", LineEnd::Lf),
            (b"{\"a", LineEnd::None)
        ]
    );
    let ends_with_exit = connection.journal().read(|transcript| {
        matches!(
            transcript.entries().last().map(|entry| &entry.what),
            Some(What::Exited(_))
        )
    });
    assert!(ends_with_exit);
}

#[tokio::test]
async fn a_child_that_keeps_the_pipe_open_does_not_hold_up_the_end() {
    for script in [
        "(trap '' TERM; exec sleep 86401) & exit 0",
        "setsid sleep 86401 & exit 0",
        "(setsid sh -c 'trap \"\" TERM; sleep 86401 & wait' &) ; exit 0",
    ] {
        let start = Clock::now();
        let connection = shell(script);
        exit(&connection).await;
        connection.close().await;
        assert!(start.elapsed() < Duration::from_secs(5), "{script}");
        assert!(!runs("86401"), "{script}");
    }
}

#[tokio::test]
async fn a_process_that_ignores_everything_is_killed_with_its_children() {
    let connection =
        shell("trap '' TERM; (trap '' TERM; exec sleep 86402) & while :; do sleep 1; done");
    let start = Clock::now();
    connection.close().await;
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!(exit(&connection).await.signal, Some(9));
    assert!(!runs("86402"));
}

#[tokio::test]
async fn a_link_that_is_dropped_leaves_nothing_running() {
    let connection = shell("setsid sleep 86403 & wait");
    let start = Clock::now();
    while !runs("86403") {
        assert!(start.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    drop(connection);
    assert!(!runs("86403"));
}

#[tokio::test]
async fn each_way_to_stop_has_its_status() {
    for (script, how, expected) in [
        (
            "echo; cat >&2; exit 5",
            StopHow::CloseStdin,
            Some((Some(5), None)),
        ),
        (
            "echo; exec sleep 86404",
            StopHow::Terminate,
            Some((None, Some(15))),
        ),
        (
            "trap 'exit 7' TERM; echo; while :; do sleep 0.05; done",
            StopHow::Terminate,
            Some((Some(7), None)),
        ),
        (
            "echo; exec sleep 86404",
            StopHow::Kill,
            Some((None, Some(9))),
        ),
        ("echo; exec sleep 86404", StopHow::CloseStdin, None),
    ] {
        let connection = shell(script);
        until(&connection, "started", |transcript| {
            !transcript.entries().is_empty()
        })
        .await;
        let stopped = connection.stop(how, Duration::from_secs(1)).await;
        let status = stopped.status.map(|status| (status.code, status.signal));
        assert_eq!(status, expected, "{script} {how:?}");
        assert_eq!(
            connection.send(request("1", "x")).await,
            Err(SendError::Closed)
        );
    }
    assert!(!runs("86404"));
}

#[tokio::test]
async fn a_line_of_200_megabytes_is_cut_and_what_follows_is_read() {
    let connection = shell("head -c 209715200 /dev/zero | tr '\\0' x; echo; echo '{}'");
    exit(&connection).await;
    let lines = lines(&connection);
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0].len, 209_715_200);
    assert!(lines[0].is_cut() && lines[0].bytes.len() <= 64 << 10);
    assert_eq!(lines[1].bytes.as_ref(), b"{}");
}

#[tokio::test]
async fn an_endless_line_ends_the_process_and_says_so() {
    let connection = shell("tr '\\0' x </dev/zero");
    let exchange = connection.send(request("1", "x")).await;
    exit(&connection).await;
    let lines = lines(&connection);
    assert_eq!(lines.len(), 1);
    assert!(lines[0].is_cut());
    if let Ok(exchange) = exchange {
        let ended = connection
            .journal()
            .read(|transcript| transcript.exchange(exchange).ended.clone());
        assert_eq!(ended.map(|(_, end)| end), Some(End::TooLarge));
    }
}

#[tokio::test]
async fn endless_lines_end_the_process_before_much_is_kept() {
    let limits = Limits {
        max_message: 1 << 20,
        max_link: 4 << 20,
    };
    let connection = shell_with("exec yes '{\"jsonrpc\":\"2.0\",\"method\":\"x\"}'", &limits);
    let status = exit(&connection).await;
    assert_eq!(status.signal, Some(9));
    let kept: usize = lines(&connection).iter().map(|line| line.bytes.len()).sum();
    assert!(kept < 4 << 20, "{kept}");
}

#[tokio::test]
async fn a_flood_ends_what_was_given_up_before_it_was_noticed() {
    let limits = Limits {
        max_message: 1 << 20,
        max_link: 4 << 20,
    };
    let connection = shell_with("read line; read line; exec yes '{}'", &limits);
    let exchange = connection.send(request("1", "x")).await;
    let exchange = exchange.expect("the process reads");
    connection.cancel(exchange).await;
    let second = connection.send(request("2", "x")).await;
    let second = second.expect("the process reads");
    exit(&connection).await;
    let ends = connection.journal().read(|transcript| {
        [exchange, second].map(|id| transcript.exchange(id).ended.clone().map(|(_, end)| end))
    });
    assert_eq!(ends, [Some(End::TooLarge), Some(End::TooLarge)]);
}

#[tokio::test(start_paused = true)]
async fn a_process_that_does_not_read_is_noticed() {
    let connection = shell("exec sleep 86405");
    let text = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#,
        "x".repeat(1 << 20)
    );
    let exchange = connection
        .send(message(&text))
        .await
        .expect("the link is open");
    let late = connection
        .send(request("2", "x"))
        .await
        .expect("the link is open");
    for exchange in [exchange, late] {
        let ended = connection
            .journal()
            .read(|transcript| transcript.exchange(exchange).ended.clone());
        assert!(
            matches!(ended, Some((_, End::CutOff(problem))) if problem.contains("did not read"))
        );
    }
}

#[tokio::test]
async fn a_process_that_closes_an_end_and_goes_on_is_noticed() {
    for (script, problem) in [
        ("exec 0<&-; echo; exec sleep 86406", "closed its input"),
        ("exec 1>&-; exec sleep 86406", "closed its output"),
    ] {
        let connection = shell(script);
        if problem.contains("input") {
            until(&connection, "started", |transcript| {
                !transcript.entries().is_empty()
            })
            .await;
        }
        for id in ["1", "2"] {
            let exchange = connection
                .send(request(id, "x"))
                .await
                .expect("the process is there");
            ended(&connection, exchange).await;
            let end = connection
                .journal()
                .read(|transcript| transcript.exchange(exchange).ended.clone());
            assert!(
                matches!(&end, Some((_, End::CutOff(told))) if told.contains(problem)),
                "{end:?}"
            );
        }
        drop(connection);
    }
    assert!(!runs("86406"));
}

#[tokio::test]
async fn messages_are_written_in_pieces_or_together_as_asked() {
    // `dd` does one read: what was written at once comes back whole.
    let connection = shell("dd bs=100000 count=1 2>/dev/null; cat >/dev/null");
    let kept = Outgoing {
        write: WriteMode::WithNext,
        ..message(r#"{"id":1}"#)
    };
    connection.send(kept).await.expect("the link is open");
    connection
        .send(message(r#"{"id":2}"#))
        .await
        .expect("the link is open");
    until(&connection, "both", |transcript| {
        transcript.entries().len() == 4
    })
    .await;
    connection.close().await;

    let connection = shell("dd bs=100000 count=1 2>/dev/null; cat >/dev/null");
    let pieces = Outgoing {
        write: WriteMode::Pieces,
        ..message(r#"{"id":123456}"#)
    };
    connection.send(pieces).await.expect("the link is open");
    connection.close().await;
    let first: Vec<_> = lines(&connection).iter().map(|line| line.text()).collect();
    assert_eq!(first, [r#"{"id""#]);
}

#[tokio::test]
async fn a_command_that_cannot_start_says_what_to_do() {
    let directory = tempfile::tempdir().expect("a place for files");
    let file = directory.path().join("server.py");
    std::fs::write(&file, "#!/no/such/interpreter\n").expect("writable");
    let path = file.to_str().expect("the path is text");
    let start = |words: &[&str]| {
        let line = command(words);
        match Connection::to_process(&line, journal(Transport::Stdio), &Limits::default()) {
            Ok(_) => panic!("{words:?} started"),
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(
        start(&["no-such-command"]),
        "cannot start no-such-command: there is no such command in PATH"
    );
    assert!(start(&["./no-such-file"]).contains("no such file"));
    assert!(start(&["node server.js"]).contains("as words of their own"));
    assert!(start(&[path]).contains("chmod +x"));
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&file, executable).expect("ours");
    assert!(start(&[path]).contains("interpreter"));
    let line = CommandLine {
        cwd: Some("/no/such/directory".into()),
        ..command(&["sh"])
    };
    let error = Connection::to_process(&line, journal(Transport::Stdio), &Limits::default()).err();
    assert!(
        error
            .expect("there is no such place")
            .to_string()
            .contains("/no/such/directory")
    );
}

#[tokio::test]
async fn environment_and_directory_are_those_asked_for() {
    let line = CommandLine {
        env: vec![("GREETING".to_owned(), "hello".to_owned())],
        cwd: Some("/".into()),
        ..command(&["sh", "-c", "echo $GREETING $PWD"])
    };
    let connection = Connection::to_process(&line, journal(Transport::Stdio), &Limits::default())
        .expect("sh starts");
    exit(&connection).await;
    assert_eq!(lines(&connection)[0].text(), "hello /");
}

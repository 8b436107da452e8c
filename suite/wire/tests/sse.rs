//! Server-sent events. The expected values are those of the WHATWG standard's examples, or follow its algorithm by hand.

use mcpspec_wire::sse::{Decoder, Event, Item};

fn items(cap: usize, chunks: &[&[u8]]) -> (Vec<Item>, Option<Event>) {
    let mut items = Vec::new();
    let mut decoder = Decoder::new(cap);
    for chunk in chunks {
        decoder.push(chunk, &mut |item| items.push(item));
    }
    (items, decoder.finish())
}

fn data(data: &str) -> Event {
    Event {
        event: "message".into(),
        id: None,
        data: data.into(),
        retry: None,
    }
}

/// What a stream gives that holds nothing odd, in one chunk and byte by byte.
fn events(stream: &str) -> Vec<Event> {
    let whole = items(1000, &[stream.as_bytes()]);
    let bytes: Vec<&[u8]> = stream.as_bytes().chunks(1).collect();
    assert_eq!(whole, items(1000, &bytes), "{stream:?} byte by byte");
    let event = |item| match item {
        Item::Event(event) => event,
        other => panic!("{other:?}"),
    };
    whole.0.into_iter().map(event).collect()
}

#[test]
fn the_examples_of_the_standard_are_read_as_it_says() {
    assert_eq!(
        events("data: YHOO\ndata: +2\ndata: 10\n\n"),
        [data("YHOO\n+2\n10")]
    );
    let stream = ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n";
    let first = Event {
        id: Some("1".into()),
        ..data("first event")
    };
    let second = Event {
        id: Some(String::new()),
        ..data("second event")
    };
    assert_eq!(events(stream), [first, second, data(" third event")]);
    assert_eq!(
        events("data\n\ndata\ndata\n\ndata:"),
        [data(""), data("\n")]
    );
    assert_eq!(
        events("data:test\n\ndata: test\n\n"),
        [data("test"), data("test")]
    );
}

#[test]
fn lines_end_with_cr_lf_or_both() {
    for stream in [
        "data:a\n\ndata:b\n\n",
        "data:a\r\rdata:b\r\r",
        "data:a\r\n\r\ndata:b\r\n\r\n",
        "data:a\n\r\ndata:b\r\n\r",
    ] {
        assert_eq!(events(stream), [data("a"), data("b")], "{stream:?}");
    }
    assert_eq!(events("data:a\r\n\ndata:b\n\n"), [data("a"), data("b")]);
    assert_eq!(events("data:a\r\ndata:b\r\n\r\n"), [data("a\nb")]);
}

#[test]
fn an_event_is_given_before_the_line_feed_of_its_last_crlf() {
    let (items, unfinished) = items(1000, &[b"data:a\r\n\r"]);
    assert_eq!((items, unfinished), (vec![Item::Event(data("a"))], None));
}

#[test]
fn a_byte_order_mark_counts_only_at_the_start() {
    assert_eq!(events("\u{feff}data:a\n\n"), [data("a")]);
    assert_eq!(events("\u{feff}\u{feff}data:a\n\n"), []);
    assert_eq!(events("\n\u{feff}data:a\n\n"), []);
    assert_eq!(events("data:\u{feff}\n\n"), [data("\u{feff}")]);
}

#[test]
fn comments_and_unknown_fields_are_passed_over() {
    assert_eq!(events(":\n: x\n\n"), []);
    assert_eq!(
        events(": x\ndata:a\nDATA:b\n data:c\nfoo\ndata :d\n\n"),
        [data("a")]
    );
}

#[test]
fn fields_are_taken_as_the_standard_says() {
    let event = |event: &str| Event {
        event: event.into(),
        ..data("")
    };
    assert_eq!(
        events("event:x\nevent: y\ndata\n\nevent\ndata\n\n"),
        [event("y"), data("")]
    );
    let retry = |retry| Event {
        retry: Some(retry),
        ..data("")
    };
    assert_eq!(events("retry:007\ndata\n\n"), [retry(7)]);
    assert_eq!(
        events("retry:99999999999999999999\ndata\n\n"),
        [retry(u64::MAX)]
    );
    assert_eq!(
        events("retry:\nretry:-1\nretry:1s\nretry:٣\ndata\n\n"),
        [data("")]
    );
    let id = |id: &str| Event {
        id: Some(id.into()),
        ..data("")
    };
    assert_eq!(events("id:a\nid:b\0\ndata\n\n"), [id("a")]);
    assert_eq!(events("id:a:b\ndata\n\n"), [id("a:b")]);
}

#[test]
fn a_block_without_data_is_no_event_and_leaves_nothing_behind() {
    assert_eq!(events("event:x\nid:1\nretry:5\n\ndata:a\n\n"), [data("a")]);
}

#[test]
fn an_event_that_no_blank_line_ended_is_told_at_the_end() {
    let unfinished = |stream: &str| items(1000, &[stream.as_bytes()]).1;
    assert_eq!(unfinished("data:a\n\ndata:b\n"), Some(data("b")));
    assert_eq!(unfinished("data:a\ndata:b"), Some(data("a\nb")));
    assert_eq!(
        unfinished("event:x"),
        Some(Event {
            event: "x".into(),
            ..data("")
        })
    );
    assert_eq!(unfinished("\u{feff}data:b"), Some(data("b")));
    for stream in [
        "",
        "data:a\n\n",
        ": comment",
        ": comment\n",
        "\u{feff}",
        "\u{feff}:",
    ] {
        assert_eq!(unfinished(stream), None, "{stream:?}");
    }
}

#[test]
fn bytes_that_are_not_utf_8_are_noted_and_replaced() {
    let expected = vec![
        Item::Event(data("a")),
        Item::InvalidUtf8 { offset: 14 },
        Item::InvalidUtf8 { offset: 17 },
        Item::Event(data("\u{fffd}")),
    ];
    let stream = b"data:a\n\n\ndata:\xff\n:\xc3\n\n";
    assert_eq!(items(1000, &[stream]).0, expected);
    let bytes: Vec<&[u8]> = stream.chunks(1).collect();
    assert_eq!(items(1000, &bytes).0, expected);
}

#[test]
fn an_event_larger_than_the_cap_is_reported_once_and_left_out() {
    let too_long = |offset| Item::TooLong { offset };
    for (stream, expected) in [
        (
            &b"data:12345\n\ndata:a\n\n"[..],
            vec![Item::Event(data("12345")), Item::Event(data("a"))],
        ),
        (
            b"data:123456\n\ndata:a\n\n",
            vec![too_long(0), Item::Event(data("a"))],
        ),
        (
            b"\ndata:1234\ndata:1\ndata:2\n\n\ndata:a\n\n",
            vec![too_long(1), Item::Event(data("a"))],
        ),
        (
            b": a long comment\ndata:b\n\ndata:a\n\n",
            vec![too_long(0), Item::Event(data("a"))],
        ),
        (
            b": a long comment\r\n\r\ndata:a\n\n",
            vec![too_long(0), Item::Event(data("a"))],
        ),
        (
            b"data:a\n\nfoo:bar and no end",
            vec![Item::Event(data("a")), too_long(8)],
        ),
    ] {
        let bytes: Vec<&[u8]> = stream.chunks(1).collect();
        for chunks in [&[stream][..], &bytes] {
            assert_eq!(
                items(10, chunks),
                (expected.clone(), None),
                "{}",
                stream.escape_ascii()
            );
        }
    }
}

#[test]
fn many_small_comments_and_events_do_not_add_up() {
    let mut decoder = Decoder::new(10);
    let mut events = 0;
    for _ in 0..1000 {
        decoder.push(b": ping\ndata:a\n\n: ping\n", &mut |item| {
            events += usize::from(matches!(item, Item::Event(_)))
        });
    }
    assert_eq!(events, 1000);
}

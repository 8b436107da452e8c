use proptest::prelude::*;

use super::redact::*;

#[test]
fn a_header_value_is_hidden_wherever_it_occurs() {
    let mut redactor = Redactor::new();
    redactor.header("Authorization", "Bearer s3cr3t-token");
    assert_eq!(
        redactor.redact("Authorization: Bearer s3cr3t-token"),
        "Authorization: [redacted]"
    );
    assert_eq!(
        redactor.redact(r#"{"error":"bad token s3cr3t-token"}"#),
        r#"{"error":"bad token [redacted]"}"#
    );
    assert_eq!(
        redactor.redact("Authorization: Bearer other"),
        "Authorization: Bearer other"
    );
}

#[test]
fn a_secret_is_hidden_in_other_spellings_too() {
    let mut redactor = Redactor::new();
    redactor.env("K", "pa\"S3c/ret z9");
    for spelling in [
        "pa%22S3c%2Fret%20z9",
        "cGEiUzNjL3JldCB6OQ==",
        "pa\\\"S3c/ret z9",
    ] {
        assert_eq!(redactor.redact(spelling), "[redacted]");
    }
}

#[test]
fn a_common_word_behind_an_option_is_hidden_beside_its_name_only() {
    let mut redactor = Redactor::new();
    redactor.command(&["a", "--auth", "server", "--key", "s3cr3t"].map(str::to_owned));
    assert_eq!(
        redactor.redact("the server; auth=server; no s3cr3t"),
        "the server; auth=[redacted]; no [redacted]"
    );
}

#[test]
fn basic_credentials_are_hidden_decoded_too() {
    let mut redactor = Redactor::new();
    redactor.header("Authorization", "Basic YWxpY2U6b3BlbiBzZXNhbWU=");
    assert_eq!(redactor.redact("alice:open sesame"), "[redacted]");
    assert_eq!(
        redactor.redact("wrong password: open sesame"),
        "wrong password: [redacted]"
    );
    assert_eq!(redactor.redact("YWxpY2U6b3BlbiBzZXNhbWU="), "[redacted]");
}

#[test]
fn each_cookie_is_hidden() {
    let mut redactor = Redactor::new();
    redactor.header("Cookie", "session=abcdef123; theme=dark");
    assert_eq!(redactor.redact("saw abcdef123"), "saw [redacted]");
    assert_eq!(
        redactor.redact("theme=dark is dark"),
        "theme=[redacted] is dark"
    );
}

#[test]
fn a_short_value_is_hidden_only_beside_its_name() {
    let mut redactor = Redactor::new();
    redactor.env("PORT", "3000");
    redactor.header("X-Key", "abc");
    for (text, redacted) in [
        (
            "PORT=3000 listens on 3000",
            "PORT=[redacted] listens on 3000",
        ),
        ("--env 'PORT=3000'", "--env 'PORT=[redacted]'"),
        ("x-key: abc, abc", "x-key: [redacted], abc"),
        (r#"{"X-Key":"abc"}"#, r#"{"X-Key":"[redacted]"}"#),
        ("PORT=30001", "PORT=30001"),
        ("PORT3000", "PORT3000"),
    ] {
        assert_eq!(redactor.redact(text), redacted);
    }
}

#[test]
fn common_words_are_hidden_only_beside_their_name_unless_it_says_secret() {
    let mut redactor = Redactor::new();
    redactor.env("MODE", "server");
    redactor.header("X-Region", "europe");
    redactor.env("DB_PASSWORD", "hunter");
    redactor.header("Cookie", "session=abcdefg");
    for (text, redacted) in [
        (
            "the server does not declare tools",
            "the server does not declare tools",
        ),
        ("MODE=server in europe", "MODE=[redacted] in europe"),
        (r#"{"x-region":"europe"}"#, r#"{"x-region":"[redacted]"}"#),
        ("wrong: hunter", "wrong: [redacted]"),
        ("saw abcdefg", "saw [redacted]"),
    ] {
        assert_eq!(redactor.redact(text), redacted);
    }
}

#[test]
fn a_secret_is_hidden_in_its_json_form() {
    let mut redactor = Redactor::new();
    redactor.token("quo\"ted\\token");
    assert_eq!(
        redactor.redact(r#"{"echo":"quo\"ted\\token"}"#),
        r#"{"echo":"[redacted]"}"#
    );
}

#[test]
fn overlapping_secrets_are_hidden_as_one() {
    let mut redactor = Redactor::new();
    redactor.token("abcdefgh");
    redactor.token("efghijkl");
    redactor.token("aaaaaa");
    assert_eq!(redactor.redact("<abcdefghijkl>"), "<[redacted]>");
    assert_eq!(redactor.redact("aaaaaaaa b"), "[redacted] b");
}

#[test]
fn what_a_url_hides_is_hidden_elsewhere_too() {
    let mut redactor = Redactor::new();
    redactor.url("https://me:hunter22@host/mcp?key=top%20secret&n=1");
    assert_eq!(redactor.redact("password hunter22"), "password [redacted]");
    assert_eq!(redactor.redact("key is top secret"), "key is [redacted]");
    assert_eq!(
        redactor.redact("GET /mcp?key=top%20secret&n=1"),
        "GET /mcp?key=[redacted]&n=[redacted]"
    );
}

#[test]
fn a_secret_across_the_cut_is_hidden_whole() {
    let mut redactor = Redactor::new();
    redactor.token("s3cr3t-token");
    let text = format!("{}s3cr3t-token{}", "x".repeat(95), "y".repeat(200));
    for limit in 64..140 {
        let bounded = redactor.bounded(&text, limit);
        assert!(
            bounded.len() <= limit && !bounded.contains("s3"),
            "{limit}: {bounded}"
        );
    }
    assert_eq!(redactor.bounded("say s3cr3t-token", 100), "say [redacted]");
    assert_eq!(redactor.bounded("plain", 100), "plain");
}

#[test]
fn debug_output_shows_no_secret() {
    let mut redactor = Redactor::new();
    redactor.token("s3cr3t-token");
    redactor.env("KEY", "abc");
    assert_eq!(format!("{redactor:?}"), "Redactor { .. }");
}

#[test]
fn a_short_value_is_hidden_beside_its_name_in_json_inside_json_too() {
    let mut redactor = Redactor::new();
    redactor.header("X-Key", "a\"b");
    let mut text = r#"{"x-key":"a\"b"}"#.to_owned();
    for _ in 0..NESTING {
        assert!(redactor.redact(&text).contains(REDACTED), "{text}");
        text = format!("{{\"message\":\"{}\"}}", escaped(&text));
    }
}

proptest! {
    #[test]
    fn no_secret_shows_however_often_it_is_escaped(
        // What JSON escapes, and what only some libraries do; no brackets, which the replacement itself is made of.
        secret in "[a\"\\\\é😀/]{6,9}",
        is_ascii in prop::collection::vec(any::<bool>(), NESTING),
        limit in 0usize..200,
    ) {
        let mut redactor = Redactor::new();
        redactor.header("X-Key", &secret);
        let mut shown = secret.clone();
        for is_ascii in is_ascii {
            shown = if is_ascii { ascii_escaped(&shown) } else { escaped(&shown) };
            let text = format!("{{\"echo\":\"<{shown}>\"}}");
            prop_assert!(!redactor.redact(&text).contains(&shown), "{}", text);
            prop_assert!(!redactor.bounded(&text, limit).contains(&shown), "{}", text);
        }
    }

    #[test]
    fn a_redacted_text_holds_no_secret(
        // Few letters, so that secrets overlap and touch; no brackets, which the replacement itself is made of.
        secrets in prop::collection::vec("[ab\"é]{6,9}", 1..4),
        texts in prop::collection::vec("[ab\"é]{0,12}", 0..6),
        limit in 0usize..120,
    ) {
        let mut redactor = Redactor::new();
        for secret in &secrets {
            redactor.token(secret);
        }
        let mut text = String::new();
        for (index, piece) in texts.iter().enumerate() {
            text.push_str(piece);
            text.push_str(&secrets[index % secrets.len()]);
        }
        let bounded = redactor.bounded(&text, limit);
        prop_assert!(bounded.len() <= limit);
        for secret in &secrets {
            prop_assert!(!redactor.redact(&text).contains(secret.as_str()));
            prop_assert!(!bounded.contains(secret.as_str()));
        }
    }
}

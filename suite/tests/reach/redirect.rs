//! A server that is somewhere else: told, never followed.

use crate::check;
use crate::front::{Front, answer, mcp};

#[test]
fn a_redirect_is_told_with_its_place_and_not_followed() {
    let elsewhere = Front::new(mcp);
    for status in [301, 302, 303, 307, 308] {
        let to = elsewhere.url("/other?key=a-secret-key");
        let headers = format!("Location: {to}\r\n");
        let front = Front::new(move |_| answer(status, &headers, ""));
        let run = check(&[], &[&front.url("/mcp")]);
        assert_eq!(run.code, Some(3), "{}", run.said);
        let told = format!(
            "{} answers with status {status}, a redirect to {}, and none is followed",
            front.url("/mcp"),
            elsewhere.url("/other?key=[redacted]"),
        );
        assert!(run.unusable().contains(&told), "{}", run.said);
        assert!(!run.said.contains("a-secret-key"), "{}", run.said);
    }
    assert_eq!(elsewhere.asked().len(), 0);
}

#[test]
fn a_redirect_on_the_same_host_is_told_as_a_whole_url() {
    for (location, place) in [("mcp/", "/server/mcp/"), ("/v2", "/v2")] {
        let headers = format!("Location: {location}\r\n");
        let front = Front::new(move |_| answer(308, &headers, ""));
        let run = check(&[], &[&front.url("/server/mcp")]);
        assert_eq!(run.code, Some(3), "{}", run.said);
        let told = format!("a redirect to {}, and", front.url(place));
        assert!(run.unusable().contains(&told), "{}", run.said);
        let asked = front.asked();
        assert!(
            asked.iter().all(|asked| asked.target == "/server/mcp"),
            "{asked:?}"
        );
    }
}

#[test]
fn a_redirect_to_nowhere_is_told() {
    for headers in ["", "Location: http://[\r\n"] {
        let front = Front::new(move |_| answer(302, headers, ""));
        let run = check(&[], &[&front.url("/mcp")]);
        assert_eq!(run.code, Some(3), "{}", run.said);
        assert!(
            run.unusable()
                .contains("answers with status 302, a redirect"),
            "{}",
            run.said
        );
    }
}

//! When a server that has had too many requests wants to be asked again (RFC 9110, section 10.2.3, and RFC 6585, section 4).

use std::time::Duration;

use http::header::RETRY_AFTER;
use http::{HeaderMap, StatusCode};
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;

/// The shortest pause, so that no server is asked without one.
const SHORTEST: Duration = Duration::from_millis(100);

/// How long the server of a response wants to be left alone; none where the response is another, or does not tell.
pub(super) fn pause(status: StatusCode, headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    if status != StatusCode::TOO_MANY_REQUESTS {
        return None;
    }
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    Some(told(text, now)?.max(SHORTEST))
}

fn told(text: &str, now: Timestamp) -> Option<Duration> {
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // What is too long for a number is longer than anybody waits.
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let at = DateTimeParser::new().parse_timestamp(text).ok()?;
    // A time that has passed is now.
    Some(Duration::try_from(at.duration_since(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(status: u16, lines: &[&'static str]) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(RETRY_AFTER, line.parse().expect("it is a value"));
        }
        let status = StatusCode::from_u16(status).expect("it is a status");
        let now = "1994-11-06T08:49:37Z".parse().expect("it is a time");
        pause(status, &headers, now)
    }

    #[test]
    fn seconds_and_dates_are_understood() {
        for (text, millis) in [
            ("1", 1_000),
            (" 120 ", 120_000),
            ("0", 100),
            ("Sun, 06 Nov 1994 08:49:40 GMT", 3_000),
            ("Sun, 06 Nov 1994 08:49:30 GMT", 100),
        ] {
            assert_eq!(
                of(429, &[text]),
                Some(Duration::from_millis(millis)),
                "{text}"
            );
        }
        assert!(of(429, &["99999999999999999999999"]) > Some(Duration::from_secs(1 << 40)));
    }

    #[test]
    fn what_tells_no_time_is_no_pause() {
        assert_eq!(of(429, &[]), None);
        for text in ["", "soon", "-1", "1.5", "Sun, 06 Nov"] {
            assert_eq!(of(429, &[text]), None, "{text}");
        }
        assert_eq!(of(503, &["1"]), None);
    }
}

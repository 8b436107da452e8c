//! Durations as cases, options and configuration write them.

use std::time::Duration;

use mcpspec_wire::Value;

/// Longest duration that is accepted.
const MAX: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// Why something is no duration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} is no duration: write 500ms, 2s, 1m or 8h")]
pub struct DurationError(pub String);

/// `500ms`, `2s`, `1m`, `8h`, or a number taken as milliseconds; at most a year.
pub fn duration(value: &Value) -> Result<Duration, DurationError> {
    let wrong = || DurationError(value.to_json());
    match value {
        Value::String(text) => text_duration(text),
        Value::Number(number) => {
            let milliseconds = number.as_f64().ok_or_else(wrong)?;
            Duration::try_from_secs_f64(milliseconds / 1000.0)
                .ok()
                .filter(|duration| *duration <= MAX)
                .ok_or_else(wrong)
        }
        _ => Err(wrong()),
    }
}

/// `500ms`, `2s`, `1m` or `8h`.
pub(super) fn text_duration(text: &str) -> Result<Duration, DurationError> {
    let wrong = || DurationError(format!("`{text}`"));
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let milliseconds = match unit {
        "ms" => Some(number),
        "s" => number.checked_mul(1000),
        "m" => number.checked_mul(60 * 1000),
        "h" => number.checked_mul(60 * 60 * 1000),
        _ => None,
    };
    milliseconds
        .map(Duration::from_millis)
        .filter(|duration| *duration <= MAX)
        .ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_a_number_and_a_unit() {
        for (text, milliseconds) in [
            ("0ms", 0),
            ("500ms", 500),
            ("2s", 2_000),
            ("1m", 60_000),
            ("8h", 28_800_000),
        ] {
            assert_eq!(
                duration(&Value::from(text)),
                Ok(Duration::from_millis(milliseconds)),
                "{text}"
            );
        }
    }

    #[test]
    fn numbers_are_milliseconds() {
        let ninety = duration(&Value::from(serde_json::json!(90.5)));
        assert_eq!(ninety, Ok(Duration::from_micros(90_500)));
        assert_eq!(
            duration(&Value::from(serde_json::json!(7))),
            Ok(Duration::from_millis(7))
        );
    }

    #[test]
    fn everything_else_is_refused() {
        for text in [
            "",
            "s",
            "2",
            "2 s",
            "2S",
            "1.5s",
            "-1s",
            "2sec",
            "99999999999999999999s",
            "18446744073709551615h",
            "10000h",
        ] {
            assert!(text_duration(text).is_err(), "{text}");
        }
        for value in [
            serde_json::json!(null),
            serde_json::json!(-1),
            serde_json::json!(1e300),
        ] {
            assert!(duration(&Value::from(value)).is_err());
        }
    }
}

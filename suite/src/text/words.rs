//! Numbers for people.

/// A number with its noun, which takes an `s` unless there is one of it: `1 case`, `2 cases`, `0 cases`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A span of time: `85 ms`, `1.2 s`, `2 min 5 s`, `3 h 20 min`. What is no span (negative, not a number) is `0 ms`.
pub fn seconds(seconds: f64) -> String {
    // The conversion saturates, and takes what is not a number for zero.
    let millis = (seconds * 1000.0).round() as u64;
    let whole = (millis + 500) / 1000;
    match millis {
        0..1000 => format!("{millis} ms"),
        1000..59_950 => format!("{:.1} s", millis as f64 / 1000.0),
        _ if whole < 3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

/// A number of bytes: `1 byte`, `512 bytes`, `1.5 KiB`, `10.0 MiB`.
pub fn size(bytes: usize) -> String {
    let kib = bytes as f64 / 1024.0;
    match bytes {
        0..1024 => counted(bytes, "byte"),
        1024..1_048_576 => format!("{kib:.1} KiB"),
        _ => format!("{:.1} MiB", kib / 1024.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noun_takes_an_s_unless_there_is_one_of_it() {
        assert_eq!(counted(0, "case"), "0 cases");
        assert_eq!(counted(1, "case"), "1 case");
        assert_eq!(counted(2, "case"), "2 cases");
    }

    #[test]
    fn times_are_as_precise_as_people_need() {
        for (span, text) in [
            (0.0, "0 ms"),
            (0.0854, "85 ms"),
            (0.9996, "1.0 s"),
            (1.24, "1.2 s"),
            (59.94, "59.9 s"),
            (59.96, "1 min 0 s"),
            (125.4, "2 min 5 s"),
            (3599.7, "1 h 0 min"),
            (12_000.0, "3 h 20 min"),
            (-1.0, "0 ms"),
            (f64::NAN, "0 ms"),
        ] {
            assert_eq!(seconds(span), text, "{span}");
        }
    }

    #[test]
    fn sizes_have_binary_units() {
        for (bytes, text) in [
            (1, "1 byte"),
            (1023, "1023 bytes"),
            (1536, "1.5 KiB"),
            (10 * 1024 * 1024, "10.0 MiB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }
}

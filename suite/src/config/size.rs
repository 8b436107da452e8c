//! Sizes as options write them.

/// Why something is no size.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// It is not a whole number with a unit.
    #[error("{0:?} is no size: write 512B, 64KiB, 16MiB or 1GiB")]
    Malformed(String),
    /// It cannot be counted on this machine.
    #[error("{0:?} is too large")]
    TooLarge(String),
}

/// The bytes of `512B`, `64KiB`, `16MiB` or `1GiB`.
///
/// # Errors
///
/// No whole number, no unit or another one, or more than can be counted.
pub fn size(text: &str) -> Result<usize, SizeError> {
    let malformed = || SizeError::Malformed(text.to_owned());
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let factor: usize = match unit {
        "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return Err(malformed()),
    };
    if number.is_empty() {
        return Err(malformed());
    }
    let number: Option<usize> = number.parse().ok();
    number
        .and_then(|number| number.checked_mul(factor))
        .ok_or_else(|| SizeError::TooLarge(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_binary_units() {
        assert_eq!(size("512B"), Ok(512));
        assert_eq!(size("64KiB"), Ok(65_536));
        assert_eq!(size("16MiB"), Ok(16_777_216));
        assert_eq!(size("1GiB"), Ok(1_073_741_824));
        assert_eq!(size("0B"), Ok(0));
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "", "16", "MiB", "1.5MiB", "16MB", "16 MiB", "-1B", "16mib", "²MiB",
        ] {
            assert_eq!(
                size(text),
                Err(SizeError::Malformed(text.to_owned())),
                "{text}"
            );
        }
    }

    #[test]
    fn a_size_that_overflows_is_refused() {
        for text in ["99999999999999999999B", "18446744073709551615GiB"] {
            assert_eq!(
                size(text),
                Err(SizeError::TooLarge(text.to_owned())),
                "{text}"
            );
        }
    }
}

//! A JSON number that keeps its spelling and compares by exact decimal value.

use std::cmp::Ordering;
use std::fmt;
use std::iter;

use super::token::Token;

/// A JSON number (RFC 8259, section 6): the token as it was written.
///
/// Numbers compare by exact decimal value: `1`, `1.0` and `10e-1` are equal, `9007199254740993` and
/// `9007199254740992` are not. No floating point takes part in that, and an exponent of any size costs no more than
/// the length of its token.
#[derive(Clone)]
pub struct Number {
    token: Token,
}

/// The text is no JSON number: it breaks the grammar of RFC 8259, section 6, or it stands for no finite number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a JSON number")]
pub struct InvalidNumber(pub String);

impl Number {
    /// Reads a token, which has to be a JSON number from its first character to its last.
    pub fn parse(token: &str) -> Result<Number, InvalidNumber> {
        match token_length(token.as_bytes()) {
            Ok(length) if length == token.len() => Ok(Number::from_token(token)),
            _ => Err(InvalidNumber(token.to_owned())),
        }
    }

    /// Takes a token that the caller has measured with [`token_length`].
    pub(crate) fn from_token(token: &str) -> Number {
        Number {
            token: Token::new(token),
        }
    }

    /// The token as it was written.
    pub fn as_str(&self) -> &str {
        self.token.as_str()
    }

    /// Whether the number is integral by value: `1.0` and `1e2` are, `1e-1` is not.
    pub fn is_integer(&self) -> bool {
        let decimal = Decimal::of(self.as_str());
        decimal.last.is_none_or(|last| {
            decimal
                .exponent
                .cmp_difference(Exponent::ZERO, last.saturating_neg())
                .is_ge()
        })
    }

    /// The value as an `i64`, if it is integral and in range; `1e2` gives 100.
    pub fn as_i64(&self) -> Option<i64> {
        let decimal = Decimal::of(self.as_str());
        let Some(first) = decimal.first else {
            return Some(0);
        };
        // More than 19 digits before the point are out of range whatever they are.
        let too_large = decimal
            .exponent
            .cmp_difference(Exponent::ZERO, 18 - first)
            .is_gt();
        if too_large || !self.is_integer() {
            return None;
        }
        let length = first + decimal.exponent.difference(Exponent::ZERO) + 1;
        let length = usize::try_from(length).ok()?;
        let magnitude = decimal
            .digits()
            .chain(iter::repeat(0))
            .take(length)
            .fold(0_i128, |sum, digit| sum * 10 + i128::from(digit));
        i64::try_from(if decimal.negative {
            -magnitude
        } else {
            magnitude
        })
        .ok()
    }

    /// The nearest double, or nothing if the number is beyond the finite ones.
    pub fn as_f64(&self) -> Option<f64> {
        self.as_str()
            .parse()
            .ok()
            .filter(|double: &f64| double.is_finite())
    }

    /// Compares by exact decimal value; `-0` equals `0`.
    pub fn cmp_value(&self, other: &Number) -> Ordering {
        let (left, right) = (Decimal::of(self.as_str()), Decimal::of(other.as_str()));
        match (left.signum(), right.signum()) {
            (1, 1) => left.cmp_magnitude(&right),
            (-1, -1) => right.cmp_magnitude(&left),
            (left, right) => left.cmp(&right),
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        self.as_str() == other.as_str() || self.cmp_value(other).is_eq()
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        self.cmp_value(other)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Number({self})")
    }
}

macro_rules! from_integer {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Number {
            fn from(integer: $integer) -> Number {
                Number { token: Token::new(&integer.to_string()) }
            }
        }
    )*};
}

from_integer!(i32, u32, i64, u64, usize);

impl TryFrom<f64> for Number {
    type Error = InvalidNumber;

    /// The shortest token that reads as this double again; infinities and NaN are no JSON numbers.
    fn try_from(double: f64) -> Result<Number, InvalidNumber> {
        let token = format!("{double:?}");
        if double.is_finite() {
            Ok(Number {
                token: Token::new(&token),
            })
        } else {
            Err(InvalidNumber(token))
        }
    }
}

/// Length of the number at the start of `text`, or the offset at which it stops being one.
pub(crate) fn token_length(text: &[u8]) -> Result<usize, usize> {
    let digits = |from: usize| {
        text[from..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let mut at = usize::from(text.first() == Some(&b'-'));
    match text.get(at) {
        Some(b'0') if text.get(at + 1).is_some_and(u8::is_ascii_digit) => return Err(at + 1),
        Some(b'0'..=b'9') => at += digits(at),
        _ => return Err(at),
    }
    if text.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        at += 1 + fraction;
        if fraction == 0 {
            return Err(at);
        }
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        at += 1;
        at += usize::from(matches!(text.get(at), Some(b'+' | b'-')));
        let exponent = digits(at);
        at += exponent;
        if exponent == 0 {
            return Err(at);
        }
    }
    Ok(at)
}

/// A token taken apart. A digit's *position* is the power of ten it stands for before the exponent is added: the last
/// digit before the point has position 0.
struct Decimal<'a> {
    negative: bool,
    whole: &'a [u8],
    fraction: &'a [u8],
    exponent: Exponent<'a>,
    /// Position of the first digit that is not zero; nothing if all are.
    first: Option<i128>,
    /// Position of the last digit that is not zero; nothing if all are.
    last: Option<i128>,
}

impl<'a> Decimal<'a> {
    fn of(token: &'a str) -> Decimal<'a> {
        let token = token.as_bytes();
        let negative = token.first() == Some(&b'-');
        let unsigned = &token[usize::from(negative)..];
        let (mantissa, exponent) =
            match unsigned.iter().position(|byte| matches!(byte, b'e' | b'E')) {
                Some(at) => (&unsigned[..at], Exponent::of(&unsigned[at + 1..])),
                None => (unsigned, Exponent::ZERO),
            };
        let (whole, fraction) = match mantissa.iter().position(|&byte| byte == b'.') {
            Some(at) => (&mantissa[..at], &mantissa[at + 1..]),
            None => (mantissa, &mantissa[mantissa.len()..]),
        };
        let position = |index: usize| whole.len() as i128 - 1 - index as i128;
        let significant = |&(_, &digit): &(usize, &u8)| digit != b'0';
        let first = whole.iter().chain(fraction).enumerate().find(significant);
        let last = fraction
            .iter()
            .enumerate()
            .rfind(significant)
            .map(|(index, _)| position(whole.len() + index));
        let last = last.or_else(|| {
            whole
                .iter()
                .enumerate()
                .rfind(significant)
                .map(|(index, _)| position(index))
        });
        Decimal {
            negative,
            whole,
            fraction,
            exponent,
            first: first.map(|(index, _)| position(index)),
            last,
        }
    }

    /// The digits from the first that is not zero.
    fn digits(&self) -> impl Iterator<Item = u8> {
        self.whole
            .iter()
            .chain(self.fraction)
            .map(|digit| digit - b'0')
            .skip_while(|&digit| digit == 0)
    }

    fn signum(&self) -> i8 {
        match (self.first, self.negative) {
            (None, _) => 0,
            (Some(_), true) => -1,
            (Some(_), false) => 1,
        }
    }

    /// Compares two that are not zero, signs aside.
    fn cmp_magnitude(&self, other: &Decimal<'_>) -> Ordering {
        let shift = other.first.unwrap_or(0) - self.first.unwrap_or(0);
        self.exponent
            .cmp_difference(other.exponent, shift)
            .then_with(|| {
                let length = self.whole.len() + self.fraction.len();
                let length = length.max(other.whole.len() + other.fraction.len());
                let left = self.digits().chain(iter::repeat(0)).take(length);
                left.cmp(other.digits().chain(iter::repeat(0)).take(length))
            })
    }
}

/// The exponent of a token: an integer of any size.
#[derive(Clone, Copy)]
struct Exponent<'a> {
    negative: bool,
    digits: &'a [u8],
}

impl<'a> Exponent<'a> {
    const ZERO: Exponent<'static> = Exponent {
        negative: false,
        digits: &[],
    };

    /// No sum of lengths of tokens in memory comes near it, so a difference beyond it need not be known exactly.
    const BOUND: i128 = 1 << 100;

    fn of(text: &'a [u8]) -> Exponent<'a> {
        match text {
            [b'-', digits @ ..] => Exponent {
                negative: true,
                digits,
            },
            [b'+', digits @ ..] | digits => Exponent {
                negative: false,
                digits,
            },
        }
    }

    /// The signed digit that stands for ten to the power of `position`.
    fn digit(self, position: usize) -> i128 {
        let digit = self
            .digits
            .len()
            .checked_sub(position + 1)
            .map_or(0, |index| self.digits[index] - b'0');
        if self.negative {
            -i128::from(digit)
        } else {
            i128::from(digit)
        }
    }

    /// `self - other`, clamped to [`Exponent::BOUND`] on either side.
    fn difference(self, other: Exponent<'_>) -> i128 {
        let length = self.digits.len().max(other.digits.len());
        // Once beyond the bound, later digits cannot bring the sum back, so that clamping keeps its sign.
        (0..length).rev().fold(0, |sum: i128, position| {
            (sum * 10 + self.digit(position) - other.digit(position))
                .clamp(-Exponent::BOUND, Exponent::BOUND)
        })
    }

    /// Compares `self - other` with `shift`.
    fn cmp_difference(self, other: Exponent<'_>, shift: i128) -> Ordering {
        self.difference(other).cmp(&shift)
    }
}

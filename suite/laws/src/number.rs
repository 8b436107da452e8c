//! Laws of numbers.

use std::cmp::Ordering;

use arbitrary::{Arbitrary, Unstructured};
use mcpspec_wire::Number;

/// Two numbers that a slow reference can compare although their exponents may be too large to compute with: both share
/// `high`, the digits of the exponents before the last four.
#[derive(Clone, Debug, Arbitrary)]
pub struct NumberPair {
    /// The digits of the exponents before the last four, and their sign. None: the exponents are small.
    pub high: Option<(u64, u128, bool)>,
    /// The first number.
    pub left: NumberParts,
    /// The second number.
    pub right: NumberParts,
}

/// The parts of a number.
#[derive(Clone, Debug, Arbitrary)]
pub struct NumberParts {
    /// Whether it has a minus sign.
    pub negative: bool,
    /// The digits before the point.
    pub whole: u32,
    /// Zeros behind the point, the digits after them, and zeros behind those; none if there is no point.
    pub fraction: Option<(u8, u32, u8)>,
    /// The last digits of the exponent, taken modulo 600.
    pub exponent: u16,
}

impl NumberParts {
    fn mantissa(&self) -> String {
        let sign = if self.negative { "-" } else { "" };
        let fraction = self.fraction.map(|(before, digits, after)| {
            format!(
                ".{}{digits}{}",
                "0".repeat(usize::from(before % 40)),
                "0".repeat(usize::from(after % 40))
            )
        });
        format!("{sign}{}{}", self.whole, fraction.unwrap_or_default())
    }

    fn small_exponent(&self) -> i32 {
        i32::from(self.exponent % 600) - 300
    }
}

/// [`NumberPair::hold`] for the pair that an input stands for.
///
/// # Panics
/// If the law does not hold.
pub fn numbers(input: &[u8]) {
    if let Ok(pair) = NumberPair::arbitrary(&mut Unstructured::new(input)) {
        pair.hold();
    }
}

impl NumberPair {
    /// Comparison is that of the digits written out; so are integrality and the integer.
    ///
    /// # Panics
    /// If that does not hold.
    pub fn hold(&self) {
        let (left, right) = (
            parse(&self.token(&self.left)),
            parse(&self.token(&self.right)),
        );
        // A common power of ten changes no comparison.
        let (small_left, small_right) = (Plain::of(&self.left), Plain::of(&self.right));
        assert_eq!(
            left.cmp_value(&right),
            small_left.cmp(&small_right),
            "{left} and {right}"
        );
        assert_eq!(
            right.cmp_value(&left),
            small_right.cmp(&small_left),
            "{right} and {left}"
        );
        self.equal_spelling(&left);
        if self.high.is_none() {
            for (number, plain) in [(&left, &small_left), (&right, &small_right)] {
                assert_eq!(number.is_integer(), plain.fraction.is_empty(), "{number}");
                assert_eq!(number.as_i64(), plain.integer(), "{number}");
            }
        }
    }

    /// A zero more before the exponent and one less of it make an equal number of another spelling.
    fn equal_spelling(&self, left: &Number) {
        if self.left.fraction.is_none()
            && self.left.whole < u32::MAX / 10
            && self.left.small_exponent() > -300
        {
            let parts = NumberParts {
                whole: self.left.whole * 10,
                exponent: self.left.exponent - 1,
                ..self.left.clone()
            };
            let other = parse(&self.token(&parts));
            assert_eq!(
                left.cmp_value(&other),
                Ordering::Equal,
                "{left} and {other}"
            );
            assert_eq!(left.is_integer(), other.is_integer(), "{left} and {other}");
        }
    }

    fn token(&self, parts: &NumberParts) -> String {
        let mantissa = parts.mantissa();
        let small = parts.small_exponent();
        match self.high {
            None => format!("{mantissa}e{small}"),
            Some((first, rest, false)) => {
                format!("{mantissa}E+{first}{rest:039}{:04}", 5000 + small)
            }
            Some((first, rest, true)) => {
                format!("{mantissa}e-{first}{rest:039}{:04}", 5000 - small)
            }
        }
    }
}

fn parse(token: &str) -> Number {
    Number::parse(token).expect("the grammar of a number was followed")
}

/// A number with all its digits written out.
struct Plain {
    negative: bool,
    /// Without leading zeros.
    whole: String,
    /// Without trailing zeros.
    fraction: String,
}

impl Plain {
    fn of(parts: &NumberParts) -> Plain {
        let mantissa = parts.mantissa();
        let mantissa = mantissa.trim_start_matches('-');
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let zeros = "0".repeat(400);
        let digits = format!("{zeros}{whole}{fraction}{zeros}");
        let point = zeros.len() as i32 + whole.len() as i32 + parts.small_exponent();
        let (whole, fraction) = digits
            .split_at(usize::try_from(point).expect("400 zeros are more than the exponent takes"));
        let (whole, fraction) = (
            whole.trim_start_matches('0').to_owned(),
            fraction.trim_end_matches('0').to_owned(),
        );
        let zero = whole.is_empty() && fraction.is_empty();
        Plain {
            negative: parts.negative && !zero,
            whole,
            fraction,
        }
    }

    fn cmp(&self, other: &Plain) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.cmp_magnitude(other),
            (true, true) => other.cmp_magnitude(self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }

    fn cmp_magnitude(&self, other: &Plain) -> Ordering {
        let whole = self
            .whole
            .len()
            .cmp(&other.whole.len())
            .then_with(|| self.whole.cmp(&other.whole));
        whole.then_with(|| self.fraction.cmp(&other.fraction))
    }

    fn integer(&self) -> Option<i64> {
        let sign = if self.negative { "-" } else { "" };
        self.fraction
            .is_empty()
            .then(|| format!("{sign}0{}", self.whole).parse().ok())?
    }
}

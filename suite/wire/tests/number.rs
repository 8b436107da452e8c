//! Numbers compare by exact decimal value.

use std::cmp::Ordering;

use mcpspec_wire::Number;

fn number(token: &str) -> Number {
    Number::parse(token).expect("a JSON number")
}

#[test]
fn spellings_of_one_value_are_equal() {
    for group in [
        &[
            "1",
            "1.0",
            "10e-1",
            "0.1e1",
            "1E0",
            "1e+0",
            "1e-0",
            "100e-2",
            "0.0000001e7",
        ][..],
        &[
            "0",
            "-0",
            "0.000",
            "0e99999999999999999999999999",
            "-0.0e-5",
        ],
        &[
            "9007199254740993",
            "9007199254740993.0",
            "9.007199254740993e15",
        ],
        &[
            "1e1000000000000000000000000000000000000001",
            "10e1000000000000000000000000000000000000000",
        ],
        &[
            "0.001e-1000000000000000000000000000000000000000",
            "1e-1000000000000000000000000000000000000003",
        ],
    ] {
        for left in group {
            for right in group {
                assert_eq!(number(left), number(right), "{left} and {right}");
            }
        }
    }
}

#[test]
fn different_values_are_ordered() {
    let ascending = [
        "-1e1000000000000000000000000000000000000000",
        "-2",
        "-1.5",
        "-1e-1000000000000000000000000000000000000000",
        "0",
        "1e-1000000000000000000000000000000000000001",
        "1e-1000000000000000000000000000000000000000",
        "0.1",
        "0.10000000000000000000000000001",
        "1",
        "9",
        "10",
        "9007199254740992",
        "9007199254740993",
        "18446744073709551616",
        "1e400",
        "1.0000001e400",
        "1e999999999999999999999999999999999999",
        "1e1000000000000000000000000000000000000",
    ];
    for (left_index, left) in ascending.iter().enumerate() {
        for (right_index, right) in ascending.iter().enumerate() {
            let expected = left_index.cmp(&right_index);
            assert_eq!(
                number(left).cmp_value(&number(right)),
                expected,
                "{left} and {right}"
            );
        }
    }
}

#[test]
fn an_integer_is_told_by_value() {
    for token in [
        "0",
        "-0.0",
        "1.0",
        "1e2",
        "1.5e1",
        "120e-1",
        "0.001e3",
        "1e99999999999999999999999999",
    ] {
        assert!(number(token).is_integer(), "{token}");
    }
    for token in [
        "0.5",
        "1e-1",
        "15e-1",
        "0.001e2",
        "1e-99999999999999999999999999",
        "-1.25e1",
    ] {
        assert!(!number(token).is_integer(), "{token}");
    }
}

#[test]
fn an_i64_is_exact_or_nothing() {
    for (token, expected) in [
        ("0", Some(0)),
        ("-0", Some(0)),
        ("1e2", Some(100)),
        ("-1.50e1", Some(-15)),
        ("0.00012e5", Some(12)),
        ("9223372036854775807", Some(i64::MAX)),
        ("9223372036854775808", None),
        ("-9223372036854775808", Some(i64::MIN)),
        ("-9223372036854775809", None),
        ("9.223372036854775807e18", Some(i64::MAX)),
        ("99999999999999999999", None),
        ("1e19", None),
        ("1.5", None),
        ("1e99999999999999999999999999", None),
        ("0e99999999999999999999999999", Some(0)),
        ("1e-99999999999999999999999999", None),
    ] {
        assert_eq!(number(token).as_i64(), expected, "{token}");
    }
}

#[test]
fn a_double_is_the_nearest_or_nothing() {
    assert_eq!(number("0.1").as_f64(), Some(0.1));
    assert_eq!(
        number("9007199254740993").as_f64(),
        Some(9_007_199_254_740_992.0)
    );
    assert_eq!(number("1e-400").as_f64(), Some(0.0));
    assert_eq!(number("1e400").as_f64(), None);
}

#[test]
fn a_token_that_breaks_the_grammar_is_refused() {
    for token in [
        "", "-", "+1", "01", "-01", ".5", "1.", "1.e1", "1e", "1e+", "0x1", "1 ", " 1", "NaN",
        "Infinity", "1_0",
    ] {
        assert!(Number::parse(token).is_err(), "{token}");
    }
}

#[test]
fn a_double_becomes_its_shortest_token() {
    assert_eq!(Number::try_from(1.0).expect("finite").as_str(), "1.0");
    assert_eq!(Number::try_from(1e300).expect("finite").as_str(), "1e300");
    assert_eq!(
        Number::try_from(-2.5e-7).expect("finite").as_str(),
        "-2.5e-7"
    );
    assert!(Number::try_from(f64::NAN).is_err());
    assert!(Number::try_from(f64::INFINITY).is_err());
}

#[test]
fn a_token_of_a_megabyte_is_compared_in_linear_time() {
    let nines = "9".repeat(1 << 20);
    let exponent = format!("1e{nines}");
    assert_eq!(
        number(&exponent).cmp_value(&number("1e5")),
        Ordering::Greater
    );
    assert_eq!(
        number(&nines).cmp_value(&number(&format!("{nines}.0"))),
        Ordering::Equal
    );
    assert_eq!(number(&exponent).as_i64(), None);
}

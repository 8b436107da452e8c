//! Making numbers.

use mcpspec_wire::{Number, Value};

/// Beyond this a double no longer tells integers apart.
const MAX_INTEGER: f64 = 9_007_199_254_740_991.0;

/// The number closest to 1 that the bounds of a schema permit.
pub(super) fn smallest(schema: &Value, is_integer: bool) -> Result<Value, &'static str> {
    let bound = |name: &str| {
        schema
            .get(name)
            .and_then(Value::as_number)
            .and_then(Number::as_f64)
    };
    let step = if is_integer {
        1.0
    } else {
        bound("multipleOf").unwrap_or(1.0)
    };
    let above = bound("exclusiveMinimum").map(|least| {
        if is_integer {
            (least + 1.0).floor()
        } else {
            least + step
        }
    });
    let below = bound("exclusiveMaximum").map(|most| {
        if is_integer {
            (most - 1.0).ceil()
        } else {
            most - step
        }
    });
    let least = largest(bound("minimum"), above);
    let most = smaller(bound("maximum"), below);
    let mut value = 1.0_f64;
    if let Some(most) = most {
        value = value.min(most);
    }
    if let Some(least) = least {
        value = value.max(least);
    }
    if is_integer {
        value = if most.is_some_and(|most| value.ceil() > most) {
            value.floor()
        } else {
            value.ceil()
        };
    }
    if let Some(multiple) = bound("multipleOf").filter(|multiple| *multiple > 0.0) {
        let count = value / multiple;
        let up = count.ceil() * multiple;
        value = if most.is_some_and(|most| up > most) {
            count.floor() * multiple
        } else {
            up
        };
    }
    written(value).ok_or("no number fits the bounds")
}

fn largest(left: Option<f64>, right: Option<f64>) -> Option<f64> {
    left.into_iter().chain(right).reduce(f64::max)
}

fn smaller(left: Option<f64>, right: Option<f64>) -> Option<f64> {
    left.into_iter().chain(right).reduce(f64::min)
}

/// An integral value without a point.
fn written(value: f64) -> Option<Value> {
    if value.fract() == 0.0 && value.abs() <= MAX_INTEGER {
        return Number::parse(&format!("{value:.0}"))
            .ok()
            .map(|number| normal(number).into());
    }
    Number::try_from(value).ok().map(Value::from)
}

/// Zero has no sign.
fn normal(number: Number) -> Number {
    if number.as_str() == "-0" {
        Number::from(0)
    } else {
        number
    }
}

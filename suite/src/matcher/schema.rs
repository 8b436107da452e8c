//! JSON Schemas: of the specification (shapes), and of servers, which are hostile input.
//!
//! A server's schema is bounded in size and depth, is matched by a regular expression engine of linear time, refers to no
//! other document, and has a limit of time, since references can multiply the work without end. What is beyond that,
//! or of an unknown dialect, is not judged.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use jsonschema::{Draft, PatternOptions, ValidationError, Validator};
use mcpspec_wire::Value;

use super::finding::{Breach, Finding};
use crate::spec::Shapes;

/// Longest schema that is judged, in bytes of JSON text.
const MAX_BYTES: usize = 256 * 1024;

/// Deepest nesting of a schema that is judged.
const MAX_DEPTH: usize = 64;

/// How long one schema may take.
const MAX_TIME: Duration = Duration::from_secs(2);

/// Stack of the thread that works on a schema: enough for a value of the greatest depth under a schema of the greatest depth.
const STACK: usize = 64 * 1024 * 1024;

/// How many threads may be stuck on schemas before no further one is judged.
const MAX_STUCK: usize = 2;

/// Most faults of a value that are told.
const MAX_FAULTS: usize = 5;

/// Threads that went on after their time.
static STUCK: AtomicUsize = AtomicUsize::new(0);

/// Whether a value is valid under a shape of the specification.
pub(super) fn of_shape(name: &str, value: &Value, shapes: &Shapes) -> Finding {
    let validator = match shapes.validator(name) {
        Ok(validator) => validator,
        Err(reason) => return Finding::Unknown(reason),
    };
    match value.to_serde() {
        Ok(value) => faults(&validator, &value),
        Err(lossy) => Finding::Unknown(lossy.to_string()),
    }
}

/// Whether a value is a valid schema of its dialect.
pub(super) fn is_schema(schema: &Value) -> Finding {
    let prepared = match Prepared::of(schema) {
        Ok(prepared) => prepared,
        Err(finding) => return finding,
    };
    in_time(move || {
        let metaschema = match prepared.draft {
            Draft::Draft4 => jsonschema::draft4::meta::validator(),
            Draft::Draft6 => jsonschema::draft6::meta::validator(),
            Draft::Draft7 => jsonschema::draft7::meta::validator(),
            Draft::Draft201909 => jsonschema::draft201909::meta::validator(),
            _ => jsonschema::draft202012::meta::validator(),
        };
        told(metaschema.iter_errors(&prepared.schema))
    })
}

/// Whether a value is valid under a server's schema. A schema that is not valid itself tells nothing.
pub(super) fn fits(schema: &Value, value: &Value) -> Finding {
    match is_schema(schema) {
        Finding::Holds => {}
        Finding::Breaks(_) => return Finding::Unknown("the schema itself is not valid".to_owned()),
        unknown => return unknown,
    }
    let prepared = match Prepared::of(schema) {
        Ok(prepared) => prepared,
        Err(finding) => return finding,
    };
    let value = match value.to_serde() {
        Ok(value) => value,
        Err(lossy) => return Finding::Unknown(lossy.to_string()),
    };
    in_time(move || {
        let built = jsonschema::options()
            .with_draft(prepared.draft)
            .with_pattern_options(PatternOptions::regex())
            .offline()
            .build(&prepared.schema);
        match built {
            Ok(validator) => faults(&validator, &value),
            Err(error) => Finding::Unknown(format!(
                "the schema cannot be used: {}",
                super::describe::bounded(&error.masked().to_string())
            )),
        }
    })
}

/// Whether a value is valid under a server's schema; else what breaks it first, or why that cannot be told.
///
/// It may block for some seconds.
pub fn fits_schema(schema: &Value, value: &Value) -> Result<(), String> {
    match fits(schema, value) {
        Finding::Holds => Ok(()),
        Finding::Breaks(breaches) => Err(breaches
            .first()
            .map(|breach| format!("at `{}` {}", breach.pointer, breach.rule))
            .unwrap_or_default()),
        Finding::Unknown(reason) => Err(reason),
    }
}

/// A schema within the bounds, of a known dialect.
struct Prepared {
    schema: serde_json::Value,
    draft: Draft,
}

impl Prepared {
    fn of(schema: &Value) -> Result<Prepared, Finding> {
        if !is_within(schema, MAX_DEPTH) {
            return Err(Finding::Unknown(format!(
                "the schema is deeper than {MAX_DEPTH} levels"
            )));
        }
        if schema.to_json().len() > MAX_BYTES {
            return Err(Finding::Unknown(format!(
                "the schema is longer than {MAX_BYTES} bytes"
            )));
        }
        let draft = match schema.get("$schema") {
            Some(Value::String(dialect)) => draft(dialect)
                .ok_or_else(|| Finding::Unknown(format!("the dialect {dialect} is unknown")))?,
            // Where it is no string, the metaschema says so.
            _ => Draft::Draft202012,
        };
        let schema = schema
            .to_serde()
            .map_err(|lossy| Finding::Unknown(lossy.to_string()))?;
        Ok(Prepared { schema, draft })
    }
}

/// The draft of a dialect. `2020-12` is the default (page `basic/index`, anchor `json-schema-usage`).
fn draft(dialect: &str) -> Option<Draft> {
    let dialect = dialect.strip_suffix('#').unwrap_or(dialect);
    let name = dialect
        .strip_prefix("https://")
        .or_else(|| dialect.strip_prefix("http://"))?;
    match name {
        "json-schema.org/draft-04/schema" => Some(Draft::Draft4),
        "json-schema.org/draft-06/schema" => Some(Draft::Draft6),
        "json-schema.org/draft-07/schema" => Some(Draft::Draft7),
        "json-schema.org/draft/2019-09/schema" => Some(Draft::Draft201909),
        "json-schema.org/draft/2020-12/schema" => Some(Draft::Draft202012),
        _ => None,
    }
}

fn is_within(value: &Value, depth: usize) -> bool {
    let mut children: Box<dyn Iterator<Item = &Value>> = match value {
        Value::Array(items) => Box::new(items.iter()),
        Value::Object(object) => Box::new(object.iter().map(|(_, value)| value)),
        _ => return true,
    };
    depth > 0 && children.all(|child| is_within(child, depth - 1))
}

/// What is wrong with a value under a schema.
fn faults(validator: &Validator, value: &serde_json::Value) -> Finding {
    told(validator.iter_errors(value))
}

fn told<'a>(errors: impl Iterator<Item = ValidationError<'a>>) -> Finding {
    Finding::of_breaches(
        errors
            .take(MAX_FAULTS)
            .map(|error| Breach {
                pointer: error.instance_path().to_string(),
                rule: error.masked_with("it").to_string(),
            })
            .collect(),
    )
}

/// Does work on a schema on a thread of its own and waits for it for [`MAX_TIME`]. A thread that is stuck cannot be ended;
/// it goes on, and after [`MAX_STUCK`] of them nothing is judged until one is done.
fn in_time(work: impl FnOnce() -> Finding + Send + 'static) -> Finding {
    if STUCK.load(Ordering::Relaxed) >= MAX_STUCK {
        return Finding::Unknown("other schemas still take too long".to_owned());
    }
    let (sender, receiver) = mpsc::sync_channel(1);
    let spawned = thread::Builder::new()
        .name("schema".to_owned())
        .stack_size(STACK)
        .spawn(move || {
            let finding = work();
            // The receiver is gone if the time was over: then this thread was counted as stuck.
            if sender.send(finding).is_err() {
                STUCK.fetch_sub(1, Ordering::Relaxed);
            }
        });
    if let Err(error) = spawned {
        return Finding::Unknown(format!("no thread for the schema: {error}"));
    }
    match receiver.recv_timeout(MAX_TIME) {
        Ok(finding) => finding,
        Err(mpsc::RecvTimeoutError::Timeout) => {
            STUCK.fetch_add(1, Ordering::Relaxed);
            Finding::Unknown(format!(
                "the schema takes longer than {} seconds",
                MAX_TIME.as_secs()
            ))
        }
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            Finding::Unknown("the schema cannot be worked on".to_owned())
        }
    }
}

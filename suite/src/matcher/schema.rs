//! JSON Schemas: of the specification (shapes), and of servers, which are hostile input.
//!
//! A server's schema is bounded in size and depth, is matched by a regular expression engine of linear time, refers to no
//! other document, and has a limit of time, since references can multiply the work without end. What is beyond that,
//! or of an unknown dialect, is not judged.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
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

/// Of how many schemas it is kept what was found. Each takes at most [`MAX_BYTES`].
const MAX_KNOWN: usize = 128;

/// Most faults of a value that are told.
const MAX_FAULTS: usize = 5;

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
    let text = prepared.text.clone();
    if let Some(finding) = KNOWN.get(&text) {
        return finding;
    }
    let finding = BENCH.work(move || {
        let metaschema = match prepared.draft {
            Draft::Draft4 => jsonschema::draft4::meta::validator(),
            Draft::Draft6 => jsonschema::draft6::meta::validator(),
            Draft::Draft7 => jsonschema::draft7::meta::validator(),
            Draft::Draft201909 => jsonschema::draft201909::meta::validator(),
            _ => jsonschema::draft202012::meta::validator(),
        };
        told(metaschema.iter_errors(&prepared.schema))
    });
    KNOWN.keep(text, &finding);
    finding
}

/// What was found of schemas before: a server shows the same ones in every list.
struct Known(Mutex<BTreeMap<String, Finding>>);

static KNOWN: Known = Known(Mutex::new(BTreeMap::new()));

impl Known {
    fn get(&self, schema: &str) -> Option<Finding> {
        self.lock().get(schema).cloned()
    }

    /// Keeps what was found, unless that is only that it took too long this time.
    fn keep(&self, schema: String, finding: &Finding) {
        let mut known = self.lock();
        if known.len() < MAX_KNOWN && !matches!(finding, Finding::Unknown(_)) {
            known.insert(schema, finding.clone());
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Finding>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
    BENCH.work(move || {
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
    text: String,
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
        let text = schema.to_json();
        if text.len() > MAX_BYTES {
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
        Ok(Prepared {
            text,
            schema,
            draft,
        })
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

/// Where work on schemas of servers is done, each piece on a thread that is waited for up to a limit.
///
/// A thread that is stuck cannot be ended: it goes on, and after [`MAX_STUCK`] of them nothing is done until one is ready.
/// The others are kept, since a run judges thousands of schemas.
struct Bench {
    limit: Duration,
    stuck: AtomicUsize,
    idle: Mutex<Vec<mpsc::Sender<Job>>>,
}

static BENCH: Bench = Bench::new(MAX_TIME);

impl Bench {
    const fn new(limit: Duration) -> Bench {
        Bench {
            limit,
            stuck: AtomicUsize::new(0),
            idle: Mutex::new(Vec::new()),
        }
    }

    fn work(&'static self, work: impl FnOnce() -> Finding + Send + 'static) -> Finding {
        if self.stuck.load(Ordering::SeqCst) >= MAX_STUCK {
            return Finding::Unknown("other schemas still take too long".to_owned());
        }
        let (answer, answered) = mpsc::sync_channel(1);
        let piece = Arc::new(Piece {
            bench: self,
            is_late: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
        });
        let job = Job {
            work: Box::new(work),
            answer,
            end: PieceEnd(Arc::clone(&piece)),
        };
        if let Err(error) = self.hand_out(job) {
            return Finding::Unknown(format!("no thread for the schema: {error}"));
        }
        match answered.recv_timeout(self.limit) {
            Ok(finding) => finding,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                piece.give_up();
                Finding::Unknown(format!("the schema takes longer than {:?}", self.limit))
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                Finding::Unknown("the schema cannot be worked on".to_owned())
            }
        }
    }

    /// Gives a job to a thread that has nothing to do, or to a new one.
    fn hand_out(&'static self, job: Job) -> io::Result<()> {
        let idle = self.idle().pop();
        let job = match idle {
            Some(idle) => match idle.send(job) {
                Ok(()) => return Ok(()),
                Err(mpsc::SendError(job)) => job,
            },
            None => job,
        };
        let (jobs, to_do) = mpsc::channel();
        thread::Builder::new()
            .name("schema".to_owned())
            .stack_size(STACK)
            .spawn(move || {
                let mut next = Some(job);
                while let Some(job) = next {
                    let (finding, answer) = job.run();
                    self.idle().push(jobs.clone());
                    // Nobody listens any more if the time was over.
                    let _ = answer.send(finding);
                    next = to_do.recv().ok();
                }
            })?;
        Ok(())
    }

    fn idle(&self) -> MutexGuard<'_, Vec<mpsc::Sender<Job>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Work, and who waits for it.
struct Job {
    work: Box<dyn FnOnce() -> Finding + Send>,
    answer: mpsc::SyncSender<Finding>,
    end: PieceEnd,
}

impl Job {
    /// Does the work. If it panics the thread is lost, which whoever waits notices.
    fn run(self) -> (Finding, mpsc::SyncSender<Finding>) {
        let finding = (self.work)();
        drop(self.end);
        (finding, self.answer)
    }
}

/// A piece of work: stuck from when it was given up until it is over, whichever comes first.
struct Piece {
    bench: &'static Bench,
    is_late: AtomicBool,
    is_over: AtomicBool,
}

impl Piece {
    fn give_up(&self) {
        self.bench.stuck.fetch_add(1, Ordering::SeqCst);
        self.is_late.store(true, Ordering::SeqCst);
        self.settle();
    }

    /// Takes the piece off the count once it is both late and over; whoever notices it first does so.
    fn settle(&self) {
        let is_both = self.is_over.load(Ordering::SeqCst)
            && self
                .is_late
                .compare_exchange(true, false, Ordering::SeqCst, Ordering::SeqCst)
                .is_ok();
        if is_both {
            self.bench.stuck.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Held by whoever works on a piece, so that it is over even if that panics.
struct PieceEnd(Arc<Piece>);

impl Drop for PieceEnd {
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::SeqCst);
        self.0.settle();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use serde_json::json;

    fn judged(schema: serde_json::Value, value: serde_json::Value) -> Finding {
        fits(&Value::from(schema), &Value::from(value))
    }

    #[test]
    fn a_schema_is_held_against_the_metaschema_of_its_dialect() {
        for (schema, is_valid) in [
            (json!({ "type": "object" }), true),
            (json!(true), true),
            (json!({ "type": "objekt" }), false),
            (
                json!({ "$schema": "https://json-schema.org/draft/2020-12/schema", "minimum": "1" }),
                false,
            ),
            (
                json!({ "$schema": "http://json-schema.org/draft-07/schema#", "exclusiveMinimum": 1 }),
                true,
            ),
            (
                json!({ "$schema": "http://json-schema.org/draft-04/schema#", "exclusiveMinimum": 1 }),
                false,
            ),
            (json!({ "$schema": 7 }), false),
            (json!([]), false),
        ] {
            let finding = is_schema(&Value::from(schema.clone()));
            assert_eq!(finding == Finding::Holds, is_valid, "{schema} {finding:?}");
        }
    }

    #[test]
    fn what_cannot_be_told_is_unknown() {
        for schema in [
            json!({ "$schema": "https://example.com/dialect" }),
            json!({ "$ref": "https://example.com/other.json" }),
            json!({ "$ref": "#/$defs/missing" }),
            json!({ "pattern": "(?=a)b" }),
            json!({ "type": "objekt" }),
        ] {
            assert!(
                matches!(judged(schema.clone(), json!("b")), Finding::Unknown(_)),
                "{schema}"
            );
        }
    }

    #[test]
    fn a_value_is_held_against_the_schema() {
        let schema = json!({ "type": "object", "properties": { "a": { "type": "string", "pattern": "^x+$" } }, "required": ["a"] });
        assert_eq!(judged(schema.clone(), json!({ "a": "xx" })), Finding::Holds);
        let Finding::Breaks(breaches) = judged(schema, json!({ "a": "y" })) else {
            panic!("a breach");
        };
        assert_eq!(breaches[0].pointer, "/a");
    }

    #[test]
    fn schemas_beyond_the_bounds_are_unknown() {
        let mut deep = json!({});
        for _ in 0..MAX_DEPTH + 1 {
            deep = json!({ "not": deep });
        }
        let long = json!({ "description": "x".repeat(MAX_BYTES) });
        for schema in [deep, long] {
            assert!(matches!(
                is_schema(&Value::from(schema.clone())),
                Finding::Unknown(_)
            ));
            assert!(matches!(judged(schema, json!(1)), Finding::Unknown(_)));
        }
    }

    #[test]
    fn references_in_a_circle_end() {
        for schema in [
            json!({ "$ref": "#" }),
            json!({ "allOf": [{ "$ref": "#" }] }),
            json!({ "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } }, "$ref": "#/$defs/a" }),
            json!({ "$dynamicAnchor": "x", "anyOf": [{ "$dynamicRef": "#x" }, { "$dynamicRef": "#x" }] }),
            json!({ "not": { "$ref": "#" } }),
            json!({ "if": { "$ref": "#" }, "then": { "$ref": "#" } }),
        ] {
            let begun = Instant::now();
            let _ = judged(schema.clone(), json!({ "a": 1 }));
            assert!(begun.elapsed() < 3 * MAX_TIME, "{schema}");
        }
    }

    #[test]
    fn a_deep_value_under_a_recursive_schema_is_judged() {
        let schema = json!({ "type": "array", "items": { "$ref": "#" } });
        let mut value = json!([]);
        for _ in 0..500 {
            value = json!([value]);
        }
        assert_eq!(judged(schema, value), Finding::Holds);
    }

    #[test]
    fn work_without_end_is_given_up_and_blocks_no_more_than_a_few_threads() {
        static SLOW: Bench = Bench::new(Duration::from_millis(20));
        let quick = || SLOW.work(|| Finding::Holds);
        let mut releases = Vec::new();
        for _ in 0..MAX_STUCK {
            assert_eq!(quick(), Finding::Holds);
            let (release, released) = mpsc::channel::<()>();
            releases.push(release);
            let finding = SLOW.work(move || {
                // It ends when the test lets go of the other side.
                let _ = released.recv();
                Finding::Holds
            });
            assert!(matches!(finding, Finding::Unknown(_)));
        }
        assert!(matches!(quick(), Finding::Unknown(_)));
        drop(releases);
        let begun = Instant::now();
        while quick() != Finding::Holds {
            assert!(
                begun.elapsed() < Duration::from_secs(10),
                "no thread is ready again"
            );
            thread::yield_now();
        }
    }
}

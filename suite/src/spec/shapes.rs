//! The shapes of everything a server may send (`cases/shapes/*.json`; `cases/README.md`, section 15).

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use jsonschema::Validator;
use serde::Deserialize;
use serde_json::Value;

/// The shapes of a revision, each compiled when it is first asked for. Cheap to clone.
#[derive(Clone, Default)]
pub struct Shapes {
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    dispatch: Dispatch,
    definitions: Value,
    validators: BTreeMap<String, OnceLock<Built>>,
}

/// A compiled shape, or why it cannot be.
type Built = Result<Arc<Validator>, String>;

/// Which shape a message has to have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Dispatch {
    results: BTreeMap<String, String>,
    interim: Option<String>,
    notifications: BTreeMap<String, String>,
}

/// The file of shapes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "$schema")]
    dialect: String,
    #[serde(rename = "title")]
    _title: Option<String>,
    #[serde(rename = "description")]
    _description: Option<String>,
    #[serde(rename = "x-results")]
    results: BTreeMap<String, String>,
    #[serde(rename = "x-interim")]
    interim: String,
    #[serde(rename = "x-notifications")]
    notifications: BTreeMap<String, String>,
    #[serde(rename = "$defs")]
    definitions: serde_json::Map<String, Value>,
}

/// The dialect of the file.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Why shapes could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShapesError {
    /// The text is no file of shapes.
    #[error("{origin}:{line}:{column}: {message}")]
    Malformed {
        /// File that was read.
        origin: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// A table names a shape that is not there.
    #[error("{origin}: {table} names the shape {name}, which is not under $defs")]
    Unknown {
        /// File that was read.
        origin: String,
        /// The table.
        table: &'static str,
        /// The name.
        name: String,
    },
    /// The definitions are no valid JSON Schema.
    #[error("{origin}: {name}: {message}")]
    Invalid {
        /// File that was read.
        origin: String,
        /// The definition, or `$schema`.
        name: String,
        /// What is wrong.
        message: String,
    },
}

impl ShapesError {
    /// What is wrong, without the file and the place.
    pub fn message(&self) -> String {
        match self {
            ShapesError::Malformed { message, .. } => message.clone(),
            ShapesError::Unknown { table, name, .. } => {
                format!("{table} names the shape {name}, which is not under $defs")
            }
            ShapesError::Invalid { name, message, .. } => format!("{name}: {message}"),
        }
    }
}

impl Shapes {
    /// Reads a file of shapes. `origin` names it in messages.
    ///
    /// # Errors
    ///
    /// The text is no such file, a table names a missing shape, or the whole is no JSON Schema.
    pub fn load(origin: &str, text: &str) -> Result<Shapes, ShapesError> {
        let file: File = serde_json::from_str(text).map_err(|error| ShapesError::Malformed {
            origin: origin.to_owned(),
            line: error.line(),
            column: error.column(),
            message: error.to_string(),
        })?;
        let invalid = |name: &str, message: String| ShapesError::Invalid {
            origin: origin.to_owned(),
            name: name.to_owned(),
            message,
        };
        if file.dialect != DIALECT {
            return Err(invalid("$schema", format!("write {DIALECT}")));
        }
        let tables = [
            ("x-results", file.results.values().collect::<Vec<_>>()),
            ("x-interim", vec![&file.interim]),
            ("x-notifications", file.notifications.values().collect()),
        ];
        for (table, names) in tables {
            for name in names {
                if !file.definitions.contains_key(name) {
                    return Err(ShapesError::Unknown {
                        origin: origin.to_owned(),
                        table,
                        name: name.clone(),
                    });
                }
            }
        }
        let mut definitions = Value::Object(file.definitions);
        if mcpspec_wire::planted("shape-result-type") {
            definitions["Complete"]["required"] = Value::Array(Vec::new());
        }
        let whole = serde_json::json!({ "$schema": DIALECT, "$defs": definitions });
        if let Err(error) = jsonschema::draft202012::meta::validate(&whole) {
            return Err(invalid(
                &error.instance_path().to_string(),
                error.masked().to_string(),
            ));
        }
        let names = definitions.as_object().into_iter().flatten();
        let validators = names
            .map(|(name, _)| (name.clone(), OnceLock::new()))
            .collect();
        let dispatch = Dispatch {
            results: file.results,
            interim: Some(file.interim),
            notifications: file.notifications,
        };
        Ok(Shapes {
            inner: Arc::new(Inner {
                dispatch,
                definitions,
                validators,
            }),
        })
    }

    /// Names of all shapes, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.inner.validators.keys().map(String::as_str)
    }

    /// Whether there is a shape with this name.
    pub fn contains(&self, name: &str) -> bool {
        self.inner.validators.contains_key(name)
    }

    /// The shape of a result by the method of its request and its resultType: none where the method is unknown, or the
    /// result is of a type that an extension brings.
    pub fn of_result(&self, method: &str, result_type: Option<&str>) -> Option<&str> {
        let dispatch = &self.inner.dispatch;
        match result_type {
            Some("input_required") => dispatch.interim.as_deref(),
            // A result without a type, or of a wrong one, is held against the complete one, which says so.
            Some("task") => None,
            _ => dispatch.results.get(method).map(String::as_str),
        }
    }

    /// The shape of a whole notification by its method.
    pub fn of_notification(&self, method: &str) -> Option<&str> {
        let notifications = &self.inner.dispatch.notifications;
        notifications.get(method).map(String::as_str)
    }

    /// What is wrong with a value under a shape: nothing, or pointers and messages.
    ///
    /// # Errors
    ///
    /// There is no such shape, or it cannot be used.
    pub fn check(&self, name: &str, value: &Value) -> Result<Vec<(String, String)>, String> {
        let validator = self.validator(name)?;
        Ok(validator
            .iter_errors(value)
            .map(|error| {
                (
                    error.instance_path().to_string(),
                    error.masked().to_string(),
                )
            })
            .collect())
    }

    /// The validator of a shape, or why there is none.
    pub(crate) fn validator(&self, name: &str) -> Result<Arc<Validator>, String> {
        let Some(place) = self.inner.validators.get(name) else {
            return Err(format!("there is no shape {name}"));
        };
        place
            .get_or_init(|| {
                let schema = serde_json::json!({
                    "$schema": DIALECT,
                    "$ref": format!("#/$defs/{name}"),
                    "$defs": self.inner.definitions,
                });
                jsonschema::options()
                    .with_pattern_options(jsonschema::PatternOptions::regex())
                    .offline()
                    .build(&schema)
                    .map(Arc::new)
                    .map_err(|error| format!("the shape {name} cannot be used: {}", error.masked()))
            })
            .clone()
    }
}

impl fmt::Debug for Shapes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

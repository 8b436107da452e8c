//! What a server was asked for.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use serde_json::Value;

/// A file with a line for each request: the method, and the name in its params.
pub(super) struct Record(Option<File>);

impl Record {
    /// Processes of one target share the file.
    pub(super) fn open(path: Option<&Path>) -> Record {
        Record(path.map(|path| {
            OpenOptions::new()
                .create(true)
                .append(true)
                .open(path)
                .expect("the record can be written")
        }))
    }

    pub(super) fn note(&self, message: &Value) {
        let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let line = format!(
            "{} {}\n",
            text(&message["method"]),
            text(&message["params"]["name"])
        );
        if let Some(mut file) = self.0.as_ref() {
            file.write_all(line.as_bytes())
                .expect("the record can be written");
        }
    }
}

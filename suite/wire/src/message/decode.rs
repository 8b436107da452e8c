//! From bytes to a message and its problems.

use super::{Message, Problem, ProblemKind};
use crate::{Document, Object, Reading, Value, planted};

/// What a text was found to be.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// The message, sorted as well as its members allow, so that even a faulty one can be told from others and traced to its
    /// request. Nothing if the text holds no object, or one that has no `method`, `result` or `error` to go by.
    pub message: Option<Message>,
    /// Everything that is wrong, in order of the bytes. Empty for a well-formed message of this revision.
    pub problems: Vec<Problem>,
    /// The whole value, unknown members included. Nothing if the text could not be read to the end of a value.
    pub value: Option<Value>,
}

impl Message {
    /// Reads one message. Blanks around it are allowed; whether a line may hold them is for the transport to say.
    pub fn decode(text: &[u8]) -> Decoded {
        let reading = Reading::of(text);
        let (message, problems) = Message::examine(&reading);
        Decoded {
            message,
            problems,
            value: reading.document.map(Document::into_value),
        }
    }

    /// The message and the problems of a text that was read already.
    pub fn examine(reading: &Reading) -> (Option<Message>, Vec<Problem>) {
        let mut problems = Vec::new();
        if let Some(error) = reading.error {
            problems.push(Problem {
                kind: ProblemKind::NotJson(error),
                offset: error.offset,
            });
        }
        let Some(document) = &reading.document else {
            return (None, problems);
        };
        let mut examination = Examination { document, problems };
        examination.text();
        examination.root();
        let mut problems = examination.problems;
        problems.sort_by_key(|problem| problem.offset);
        (document.root().as_object().and_then(Message::of), problems)
    }
}

/// A document being examined.
struct Examination<'a> {
    document: &'a Document,
    problems: Vec<Problem>,
}

impl Examination<'_> {
    /// Notes a problem of the value at a JSON pointer.
    fn note(&mut self, kind: ProblemKind, pointer: &str) {
        let span = self
            .document
            .span_of(pointer)
            .expect("only values that were found are examined");
        self.problems.push(Problem {
            kind,
            offset: span.start,
        });
    }

    /// What a library forgives in a text.
    fn text(&mut self) {
        let document = self.document;
        if document.has_bom() {
            self.problems.push(Problem {
                kind: ProblemKind::Bom,
                offset: 0,
            });
        }
        if let Some(&offset) = document.duplicates().first() {
            let (pointer, count) = (document.pointer_at(offset), document.duplicates().len());
            self.problems.push(Problem {
                kind: ProblemKind::DuplicateMember { pointer, count },
                offset,
            });
        }
        if let Some(&offset) = document.lone_surrogates().first() {
            let (pointer, count) = (
                document.pointer_at(offset),
                document.lone_surrogates().len(),
            );
            self.problems.push(Problem {
                kind: ProblemKind::LoneSurrogate { pointer, count },
                offset,
            });
        }
    }

    fn root(&mut self) {
        match self.document.root() {
            Value::Object(object) => self.object(object),
            Value::Array(_) => self.note(ProblemKind::Batch, ""),
            other => self.note(ProblemKind::NotAnObject(other.type_name()), ""),
        }
    }

    fn object(&mut self, object: &Object) {
        match object.get("jsonrpc") {
            None => self.note(ProblemKind::VersionMissing, ""),
            Some(version) if version.as_str() == Some("2.0") => {}
            Some(version) if planted("version-one") && version.as_str() == Some("1.0") => {}
            Some(_) => self.note(ProblemKind::VersionWrong, "/jsonrpc"),
        }
        self.id(object);
        match (
            object.get("method"),
            object.get("result"),
            object.get("error"),
        ) {
            (None, None, None) => self.note(ProblemKind::NoKind, ""),
            (Some(method), result, error) => {
                self.call(method, object.get("params"));
                if result.is_some() || error.is_some() {
                    self.note(ProblemKind::MethodAndOutcome, "/method");
                }
            }
            (None, result, error) => self.outcome(result, error),
        }
    }

    fn id(&mut self, object: &Object) {
        match object.get("id") {
            Some(Value::String(_)) => {}
            Some(Value::Number(number)) if number.is_integer() => {}
            Some(Value::Number(_)) => self.note(ProblemKind::IdFractional, "/id"),
            Some(Value::Null) => self.note(ProblemKind::IdNull, "/id"),
            Some(Value::Bool(_)) if planted("id-boolean") => {}
            Some(_) => self.note(ProblemKind::IdWrongType, "/id"),
            None if object.contains_key("result") && !object.contains_key("method") => {
                self.note(ProblemKind::IdMissing, "");
            }
            None => {}
        }
    }

    /// A request or notification.
    fn call(&mut self, method: &Value, params: Option<&Value>) {
        if method.as_str().is_none() {
            self.note(ProblemKind::MethodNotString, "/method");
        }
        if params.is_some_and(|params| params.as_object().is_none()) {
            self.note(ProblemKind::ParamsNotObject, "/params");
        }
    }

    /// A response with a result, an error, or both.
    fn outcome(&mut self, result: Option<&Value>, error: Option<&Value>) {
        if result.is_some() && error.is_some() {
            self.note(ProblemKind::ResultAndError, "");
        }
        if result.is_some_and(|result| result.as_object().is_none()) {
            self.note(ProblemKind::ResultNotObject, "/result");
        }
        match error {
            None => {}
            Some(Value::Object(error)) => self.error(error),
            Some(_) => self.note(ProblemKind::ErrorNotObject, "/error"),
        }
    }

    fn error(&mut self, error: &Object) {
        match error.get("code") {
            None => self.note(ProblemKind::CodeMissing, "/error"),
            Some(Value::Number(code)) if code.is_integer() => {}
            Some(_) => self.note(ProblemKind::CodeNotInteger, "/error/code"),
        }
        match error.get("message") {
            None => self.note(ProblemKind::MessageMissing, "/error"),
            Some(Value::String(_)) => {}
            Some(_) => self.note(ProblemKind::MessageNotString, "/error/message"),
        }
    }
}

//! The reader proper: an explicit stack of open arrays and objects.

use std::collections::HashSet;

use super::spans::Spans;
use super::{Document, SyntaxError, SyntaxErrorKind};
use crate::planted;
use crate::value::{Number, Object, Value, token_length};

/// How many arrays and objects may be open at once. Deeper texts are [`SyntaxErrorKind::TooDeep`].
pub const MAX_DEPTH: usize = 512;

/// How many values one text may hold. A value takes many times the memory of its text, so texts with more are
/// [`SyntaxErrorKind::TooManyValues`] and given up.
pub const MAX_VALUES: usize = 250_000;

/// What a text holds, and the first thing that is wrong with it.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Nothing if the text was given up. A reading that has an error and yet a document went past faults that do not hide
    /// the structure, so that a message can still be told from its neighbours.
    pub document: Option<Document>,
    /// The fault that comes first in the text.
    pub error: Option<SyntaxError>,
}

impl Reading {
    /// Reads a text. Bytes that are not UTF-8 and control characters inside strings, arrays and objects that are too deep
    /// (read as null) and text after the end do not stop it.
    pub fn of(text: &[u8]) -> Reading {
        let mut reader = Reader {
            text,
            at: 0,
            first_error: None,
            bom: text.starts_with(b"\xEF\xBB\xBF"),
            depth: 0,
            duplicates: Vec::new(),
            lone_surrogates: Vec::new(),
            spans: Spans::default(),
            open: Vec::new(),
            name_offsets: Vec::new(),
        };
        let root = reader.document();
        let error = match &root {
            Ok(_) => reader.first_error,
            Err(error) => reader.first_error.or(Some(*error)),
        };
        // Objects are looked through when they end, inner ones first.
        reader.duplicates.sort_unstable();
        let document = root.ok().map(|root| Document {
            root,
            bom: reader.bom,
            depth: reader.depth,
            duplicates: reader.duplicates,
            lone_surrogates: reader.lone_surrogates,
            spans: reader.spans,
        });
        Reading { document, error }
    }
}

pub(super) struct Reader<'a> {
    pub(super) text: &'a [u8],
    /// Offset of the next byte.
    pub(super) at: usize,
    /// The first fault that was read past.
    first_error: Option<SyntaxError>,
    bom: bool,
    depth: usize,
    duplicates: Vec<usize>,
    pub(super) lone_surrogates: Vec<usize>,
    spans: Spans,
    open: Vec<Open>,
    /// Offsets of the names of all open objects, the innermost object's last.
    name_offsets: Vec<usize>,
}

/// An array or object whose end has not been read.
struct Open {
    span: usize,
    content: Content,
}

enum Content {
    Array(Vec<Value>),
    /// The members so far; the last one waits for its value.
    Object(Vec<(String, Value)>),
}

impl Reader<'_> {
    fn document(&mut self) -> Result<Value, SyntaxError> {
        if self.bom {
            self.at = 3;
        }
        let root = self.value()?;
        self.skip_blanks();
        if self.at < self.text.len() {
            self.note(SyntaxErrorKind::TrailingText, self.at);
        }
        Ok(root)
    }

    /// Reads one value with all that is in it.
    fn value(&mut self) -> Result<Value, SyntaxError> {
        loop {
            let Some(mut value) = self.start_of_value()? else {
                continue;
            };
            // A value is complete: it goes into what is open, and that may be complete with it.
            loop {
                let Some(open) = self.open.last_mut() else {
                    return Ok(value);
                };
                open.content.take(value);
                match self.end_of_item()? {
                    Some(closed) => value = closed,
                    None => break,
                }
            }
        }
    }

    /// Reads a scalar or an empty array or object. Of any other it reads what stands before its first value.
    fn start_of_value(&mut self) -> Result<Option<Value>, SyntaxError> {
        self.skip_blanks();
        if self.spans.count() == MAX_VALUES {
            return Err(self.error(SyntaxErrorKind::TooManyValues));
        }
        let span = self.spans.open(self.at);
        let value = match self.peek() {
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            Some(b't') => self.literal("true", Value::Bool(true))?,
            Some(b'f') => self.literal("false", Value::Bool(false))?,
            Some(b'n') => self.literal("null", Value::Null)?,
            Some(b'[' | b'{') if self.open.len() == MAX_DEPTH => self.too_deep()?,
            Some(b'[') => {
                self.open(span, Content::Array(Vec::new()));
                if !self.skip_if(b']') {
                    return Ok(None);
                }
                return Ok(self.close());
            }
            Some(b'{') => {
                self.open(span, Content::Object(Vec::new()));
                if !self.skip_if(b'}') {
                    self.name()?;
                    return Ok(None);
                }
                return Ok(self.close());
            }
            _ => return Err(self.unexpected()),
        };
        self.spans.close(span, self.at);
        Ok(Some(value))
    }

    /// Reads what follows a value in an array or object: a comma with the next name, or the closing bracket, which gives
    /// the whole.
    fn end_of_item(&mut self) -> Result<Option<Value>, SyntaxError> {
        self.skip_blanks();
        let in_array = matches!(
            self.open.last(),
            Some(Open {
                content: Content::Array(_),
                ..
            })
        );
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                if !in_array {
                    self.name()?;
                }
                Ok(None)
            }
            Some(b']') if in_array => {
                self.at += 1;
                Ok(self.close())
            }
            Some(b'}') if !in_array => {
                self.at += 1;
                Ok(self.close())
            }
            _ => Err(self.unexpected()),
        }
    }

    fn open(&mut self, span: usize, content: Content) {
        self.at += 1;
        self.open.push(Open { span, content });
        self.depth = self.depth.max(self.open.len());
    }

    /// Takes the innermost open array or object, whose closing bracket was read.
    fn close(&mut self) -> Option<Value> {
        let Open { span, content } = self.open.pop()?;
        self.spans.close(span, self.at);
        Some(match content {
            Content::Array(items) => Value::Array(items),
            Content::Object(members) => {
                let first = self.name_offsets.len() - members.len();
                note_duplicates(&members, &self.name_offsets[first..], &mut self.duplicates);
                self.name_offsets.truncate(first);
                Value::Object(Object::from_members(members))
            }
        })
    }

    /// Reads the name of a member and the colon after it.
    fn name(&mut self) -> Result<(), SyntaxError> {
        self.skip_blanks();
        if self.peek() != Some(b'"') {
            return Err(self.unexpected());
        }
        self.name_offsets.push(self.at);
        let name = self.string()?;
        if planted("name-utf8") {
            let error = self.first_error.map(|error| error.kind);
            assert!(
                error != Some(SyntaxErrorKind::InvalidUtf8),
                "names are UTF-8"
            );
        }
        if let Some(Open {
            content: Content::Object(members),
            ..
        }) = self.open.last_mut()
        {
            members.push((name, Value::Null));
        }
        self.skip_blanks();
        if self.peek() != Some(b':') {
            return Err(self.unexpected());
        }
        self.at += 1;
        Ok(())
    }

    fn number(&mut self) -> Result<Number, SyntaxError> {
        match token_length(&self.text[self.at..]) {
            Ok(length) => {
                let token = std::str::from_utf8(&self.text[self.at..self.at + length]);
                self.at += length;
                let token = token.expect("the token of a number is ASCII");
                if planted("number-double")
                    && token.starts_with('-')
                    && let Ok(double) = token.parse::<f64>()
                    && double.fract() == 0.0
                {
                    return Ok(Number::from_token(&double.to_string()));
                }
                Ok(Number::from_token(token))
            }
            Err(length) => {
                self.at += length;
                let ended = self.at == self.text.len();
                Err(self.error(if ended {
                    SyntaxErrorKind::EndOfText
                } else {
                    SyntaxErrorKind::BadNumber
                }))
            }
        }
    }

    fn literal(&mut self, literal: &str, value: Value) -> Result<Value, SyntaxError> {
        for &byte in literal.as_bytes() {
            if self.peek() != Some(byte) {
                return Err(self.unexpected());
            }
            self.at += 1;
        }
        Ok(value)
    }

    /// Notes that an array or object is too deep and goes past its end, heeding nothing but strings and brackets.
    fn too_deep(&mut self) -> Result<Value, SyntaxError> {
        self.note(SyntaxErrorKind::TooDeep, self.at);
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                Some(b'[' | b'{') => depth += 1,
                Some(b']' | b'}') => depth -= 1,
                Some(b'"') => {
                    self.string()?;
                    continue;
                }
                Some(_) => {}
                None => return Err(self.error(SyntaxErrorKind::EndOfText)),
            }
            self.at += 1;
            if depth == 0 {
                return Ok(Value::Null);
            }
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Goes past blanks, and past `byte` if it follows them.
    fn skip_if(&mut self, byte: u8) -> bool {
        self.skip_blanks();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Keeps a fault that does not stop the reader, if it is the first.
    pub(super) fn note(&mut self, kind: SyntaxErrorKind, offset: usize) {
        self.first_error.get_or_insert(SyntaxError { kind, offset });
    }

    /// An error at the next byte.
    pub(super) fn error(&self, kind: SyntaxErrorKind) -> SyntaxError {
        SyntaxError {
            kind,
            offset: self.at,
        }
    }

    /// The next byte is none of those that can stand here.
    fn unexpected(&self) -> SyntaxError {
        let rest = &self.text[self.at..];
        let first_character = &rest[..rest.len().min(4)];
        let kind = match rest.first() {
            None => SyntaxErrorKind::EndOfText,
            Some(_)
                if std::str::from_utf8(first_character)
                    .is_err_and(|error| error.valid_up_to() == 0) =>
            {
                SyntaxErrorKind::InvalidUtf8
            }
            Some(&byte) => SyntaxErrorKind::UnexpectedByte(byte),
        };
        self.error(kind)
    }
}

impl Content {
    /// Adds a value: an item, or the value of the member that waits for it.
    fn take(&mut self, value: Value) {
        match self {
            Content::Array(items) => items.push(value),
            Content::Object(members) => {
                if let Some((_, waiting)) = members.last_mut() {
                    *waiting = value;
                }
            }
        }
    }
}

/// Adds the offsets of the names that occurred before in the same object.
fn note_duplicates(members: &[(String, Value)], offsets: &[usize], duplicates: &mut Vec<usize>) {
    let names = members.iter().map(|(name, _)| name.as_str());
    let named = names.zip(offsets);
    // Comparing each with each is faster for the few members that most objects have.
    if members.len() <= 16 {
        let occurred =
            |index: usize, name: &str| members[..index].iter().any(|(earlier, _)| earlier == name);
        let repeated = named
            .enumerate()
            .filter(|(index, (name, _))| occurred(*index, name));
        duplicates.extend(repeated.map(|(_, (_, offset))| offset));
    } else {
        let mut seen = HashSet::with_capacity(members.len());
        duplicates.extend(
            named
                .filter(|(name, _)| !seen.insert(*name) && !planted("duplicate-many"))
                .map(|(_, offset)| offset),
        );
    }
}

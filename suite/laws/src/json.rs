//! Laws of JSON documents.

use std::collections::HashSet;

use mcpspec_wire::{Document, SyntaxErrorKind, Value};

/// What serde_json goes down to.
const SERDE_DEPTH: usize = 127;
/// Texts beyond it are not looked through value by value, which takes time that grows with the square.
const SMALL: usize = 1024;

/// A text is accepted just if serde_json accepts it, known differences aside, and then holds the same; printing gives a text
/// with the same value; what is told of a text is true of it.
///
/// The known differences: mcpspec goes past a byte order mark and lone surrogates, which it notes; goes deeper; and takes
/// numbers beyond the range of a double.
///
/// # Panics
/// If one of that does not hold.
pub fn json(text: &[u8]) {
    let serde = serde_json::from_slice::<serde_json::Value>(text);
    match Document::parse(text) {
        Ok(document) => {
            agreement(&document, serde);
            notes(&document, text);
            printing(document.root());
            if text.len() <= SMALL {
                spans(&document, text);
            }
        }
        Err(error) => {
            assert!(
                error.offset <= text.len(),
                "{error} in {} bytes",
                text.len()
            );
            assert!(serde.is_err(), "serde_json accepts: {error}");
            if error.kind == SyntaxErrorKind::InvalidUtf8 {
                let valid = std::str::from_utf8(text)
                    .expect_err("the text is not UTF-8")
                    .valid_up_to();
                assert_eq!(valid, error.offset);
            }
        }
    }
}

fn agreement(document: &Document, serde: Result<serde_json::Value, serde_json::Error>) {
    let root = document.root();
    match serde {
        Ok(serde) => {
            if let Ok(converted) = root.to_serde() {
                assert_eq!(converted, serde);
                assert_eq!(Value::from_serde(converted), *root);
            }
        }
        Err(error) => {
            let forgiven = document.has_bom() || !document.lone_surrogates().is_empty();
            let beyond = document.depth() > SERDE_DEPTH || any(root, &|value| infinite(value));
            assert!(forgiven || beyond, "serde_json refuses: {error}");
        }
    }
}

fn infinite(value: &Value) -> bool {
    value
        .as_number()
        .is_some_and(|number| number.as_f64().is_none())
}

/// Whether `test` holds for a value or one in it.
fn any(value: &Value, test: &impl Fn(&Value) -> bool) -> bool {
    test(value)
        || match value {
            Value::Array(items) => items.iter().any(|item| any(item, test)),
            Value::Object(object) => object.iter().any(|(_, member)| any(member, test)),
            _ => false,
        }
}

fn notes(document: &Document, text: &[u8]) {
    assert_eq!(document.has_bom(), text.starts_with("\u{feff}".as_bytes()));
    assert_eq!(document.depth(), depth(document.root()));
    assert_eq!(document.duplicates().len(), repeated(document.root()));
    assert!(document.duplicates().is_sorted());
    assert!(
        document
            .duplicates()
            .iter()
            .all(|&offset| text[offset] == b'"')
    );
    assert!(document.lone_surrogates().is_sorted());
    assert!(
        document
            .lone_surrogates()
            .iter()
            .all(|&offset| text[offset..].starts_with(b"\\u"))
    );
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(object) => {
            1 + object
                .iter()
                .map(|(_, member)| depth(member))
                .max()
                .unwrap_or(0)
        }
        _ => 0,
    }
}

/// How many members have a name that occurred before in their object.
fn repeated(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(repeated).sum(),
        Value::Object(object) => {
            let names: HashSet<_> = object.iter().map(|(name, _)| name).collect();
            let inside: usize = object.iter().map(|(_, member)| repeated(member)).sum();
            object.len() - names.len() + inside
        }
        _ => 0,
    }
}

fn printing(root: &Value) {
    let printed = root.to_json();
    assert!(
        !printed.contains(|character: char| character < ' '),
        "{printed} is not on one line"
    );
    let again = Document::parse(printed.as_bytes()).expect("what is printed is JSON");
    assert_eq!(again.root(), root);
    assert_eq!(again.root().to_json(), printed);
    assert_eq!(again.duplicates().len(), repeated(root));
}

/// The span of each value that a pointer leads to holds a text with that value, and leads back.
fn spans(document: &Document, text: &[u8]) {
    let mut waiting = vec![(String::new(), document.root())];
    while let Some((pointer, value)) = waiting.pop() {
        assert_eq!(
            document.root().pointer(&pointer),
            Some(value),
            "at {pointer}"
        );
        let span = document.span_of(&pointer).expect("each value has a span");
        let inside =
            Document::parse(&text[span.clone()]).expect("the span of a value is a JSON text");
        assert_eq!(inside.root().to_json(), value.to_json(), "at {pointer}");
        assert_eq!(document.pointer_at(span.start), pointer);
        assert_eq!(document.pointer_at(span.end - 1), pointer);
        match value {
            Value::Array(items) => {
                waiting.extend(
                    items
                        .iter()
                        .enumerate()
                        .map(|(index, item)| (format!("{pointer}/{index}"), item)),
                );
            }
            Value::Object(object) => {
                let names: HashSet<_> = object.iter().map(|(name, _)| name).collect();
                let member =
                    |name: &str| Some((format!("{pointer}/{}", escape(name)), object.get(name)?));
                waiting.extend(names.into_iter().filter_map(member));
            }
            _ => {}
        }
    }
}

fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

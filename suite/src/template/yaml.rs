//! Reading YAML 1.2 with places; duplicate keys, anchors, aliases and tags are errors.

use std::collections::HashSet;

use mcpspec_wire::{Number, planted};
use saphyr_parser::{Event, Parser, ScalarStyle, Span, StrInput};

use super::{Data, Key, Kind, Location, Problem, Template};

/// Longest file that is read, in bytes. The registry of requirements is the largest there is, with half a megabyte.
pub const MAX_YAML_BYTES: usize = 4 * 1024 * 1024;

/// Deepest nesting that is read: far more than a case needs, and little enough for recursion.
pub const MAX_YAML_DEPTH: usize = 64;

/// Reads one YAML document.
///
/// Plain scalars follow the core schema of YAML 1.2.2 with two differences: only `true` and `false` are booleans, and a
/// number has to be spelt as JSON spells it, so that nothing is sent that the file does not show. Every other plain
/// scalar is text. Placeholders in texts and keys are parsed; an empty file is `null`. A byte order mark may stand at the
/// beginning only.
pub fn read_yaml(text: &str) -> Result<Data, Problem> {
    if text.len() > MAX_YAML_BYTES {
        return Err(error(
            Location { line: 1, column: 1 },
            format!("the file is longer than {MAX_YAML_BYTES} bytes"),
        ));
    }
    // A byte order mark is no content, but the parser counts it as a column.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some((before, _)) = text.split_once('\u{feff}') {
        return Err(error(
            end(before),
            "a byte order mark (U+FEFF) stands here, where nobody sees it: remove it, or write \\uFEFF in double quotes",
        ));
    }
    let mut reader = Reader {
        parser: Parser::new_from_str(text),
        text,
        last: Location { line: 1, column: 1 },
    };
    reader.document()
}

/// A place that is not beyond the end of its line: the parser counts bytes where there are directives.
fn within_line(text: &str, at: Location) -> Location {
    let text = with_plain_breaks(text);
    let line = text.split('\n').nth(at.line - 1).unwrap_or_default();
    Location {
        column: at.column.min(line.chars().count() + 1),
        ..at
    }
}

fn with_plain_breaks(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The place behind a text.
fn end(text: &str) -> Location {
    let text = with_plain_breaks(text);
    let last = text.rsplit('\n').next().unwrap_or_default();
    Location {
        line: 1 + text.matches('\n').count(),
        column: 1 + last.chars().count(),
    }
}

struct Reader<'input> {
    parser: Parser<'input, StrInput<'input>>,
    text: &'input str,
    last: Location,
}

impl<'input> Reader<'input> {
    fn document(&mut self) -> Result<Data, Problem> {
        let mut data = None;
        loop {
            let Some((event, span)) = self.next()? else {
                return Ok(data.unwrap_or(Data {
                    kind: Kind::Null,
                    at: Location { line: 1, column: 1 },
                }));
            };
            match event {
                Event::StreamStart | Event::StreamEnd | Event::DocumentEnd | Event::Nothing => {}
                Event::DocumentStart(_) if data.is_none() => {}
                Event::DocumentStart(_) => {
                    return Err(error(
                        location(span),
                        "a second document begins here; a file holds one",
                    ));
                }
                event => data = Some(self.value(event, span, 0)?),
            }
        }
    }

    fn next(&mut self) -> Result<Option<(Event<'input>, Span)>, Problem> {
        match self.parser.next_event() {
            None => Ok(None),
            Some(Ok((event, span))) => {
                self.last = location(span);
                Ok(Some((event, span)))
            }
            Some(Err(scan)) => {
                let at = Location {
                    line: scan.marker().line(),
                    column: scan.marker().col() + 1,
                };
                Err(error(within_line(self.text, at), scan.info()))
            }
        }
    }

    fn expect_next(&mut self) -> Result<(Event<'input>, Span), Problem> {
        let last = self.last;
        self.next()?
            .ok_or_else(|| error(last, "the file ends before this is complete"))
    }

    fn value(&mut self, event: Event<'input>, span: Span, depth: usize) -> Result<Data, Problem> {
        let at = location(span);
        if depth >= MAX_YAML_DEPTH {
            return Err(error(
                at,
                format!("nested deeper than {MAX_YAML_DEPTH} levels"),
            ));
        }
        let kind = match event {
            Event::Scalar(text, style, anchor, tag) => {
                refuse(anchor, tag.is_some(), at)?;
                scalar(&text, style, at)?
            }
            Event::SequenceStart(anchor, tag) => {
                refuse(anchor, tag.is_some(), at)?;
                Kind::List(self.list(depth)?)
            }
            Event::MappingStart(anchor, tag) => {
                refuse(anchor, tag.is_some(), at)?;
                Kind::Map(self.map(depth)?)
            }
            Event::Alias(_) => {
                return Err(error(
                    at,
                    "aliases (`*name`) are not used in cases; quote text that begins with `*`",
                ));
            }
            _ => return Err(error(at, "a value is missing here")),
        };
        Ok(Data { kind, at })
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Data>, Problem> {
        let mut items = Vec::new();
        loop {
            match self.expect_next()? {
                (Event::SequenceEnd, _) => return Ok(items),
                (event, span) => items.push(self.value(event, span, depth + 1)?),
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Vec<(Key, Data)>, Problem> {
        let mut members = Vec::new();
        let mut names = HashSet::new();
        loop {
            let (event, span) = self.expect_next()?;
            let at = location(span);
            let text = match event {
                Event::MappingEnd => return Ok(members),
                Event::Scalar(text, style, anchor, tag) => {
                    refuse(anchor, tag.is_some(), at)?;
                    if text.is_empty() && style == ScalarStyle::Plain {
                        return Err(error(at, "a key is missing before the colon"));
                    }
                    text
                }
                Event::Alias(_) => {
                    return Err(error(
                        at,
                        "aliases (`*name`) are not used in cases; quote a key that begins with `*`",
                    ));
                }
                _ => {
                    return Err(error(
                        at,
                        "a key is a list or a map; only text can be a key",
                    ));
                }
            };
            if planted("yaml-key-twice") {
                names.clear();
            }
            if !names.insert(text.to_string()) {
                return Err(error(at, format!("the key `{text}` stands here twice")));
            }
            let key = Key {
                text: template(&text, at)?,
                at,
            };
            let (event, span) = self.expect_next()?;
            members.push((key, self.value(event, span, depth + 1)?));
        }
    }
}

/// Refuses what YAML offers and cases do without.
fn refuse(anchor: usize, tagged: bool, at: Location) -> Result<(), Problem> {
    if anchor != 0 {
        return Err(error(
            at,
            "anchors (`&name`) are not used in cases; quote text that begins with `&`",
        ));
    }
    if tagged {
        return Err(error(
            at,
            "tags (`!name`) are not used in cases; quote text that begins with `!`",
        ));
    }
    Ok(())
}

fn scalar(text: &str, style: ScalarStyle, at: Location) -> Result<Kind, Problem> {
    if style != ScalarStyle::Plain {
        return Ok(Kind::Text(template(text, at)?));
    }
    Ok(match text {
        "" | "~" | "null" | "Null" | "NULL" => Kind::Null,
        "true" => Kind::Bool(true),
        "false" => Kind::Bool(false),
        _ => match Number::parse(text) {
            Ok(number) => Kind::Number(number),
            Err(_) if is_yaml_number(text) => {
                return Err(error(
                    at,
                    format!(
                        "`{text}` is a number to YAML but not to JSON: quote it if it is text, else spell it as JSON does"
                    ),
                ));
            }
            Err(_) => Kind::Text(template(text, at)?),
        },
    })
}

/// Whether the core schema (YAML 1.2.2, section 10.3.2) reads a plain scalar as a number.
fn is_yaml_number(text: &str) -> bool {
    let digits = |text: &str, radix: u32| {
        !text.is_empty() && text.chars().all(|character| character.is_digit(radix))
    };
    if let Some(octal) = text.strip_prefix("0o") {
        return digits(octal, 8);
    }
    if let Some(hexadecimal) = text.strip_prefix("0x") {
        return digits(hexadecimal, 16);
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let exponent_fits = exponent
        .is_none_or(|exponent| digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent), 10));
    let mantissa_fits = match mantissa.split_once('.') {
        None => digits(mantissa, 10),
        Some(("", fraction)) => digits(fraction, 10),
        Some((whole, "")) => digits(whole, 10),
        Some((whole, fraction)) => digits(whole, 10) && digits(fraction, 10),
    };
    exponent_fits && mantissa_fits
}

fn template(text: &str, at: Location) -> Result<Template, Problem> {
    Template::parse(text).map_err(|problem| error(at, problem.to_string()))
}

fn location(span: Span) -> Location {
    Location {
        line: span.start.line(),
        column: span.start.col() + 1,
    }
}

fn error(at: Location, message: impl Into<String>) -> Problem {
    Problem::new(at, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Data {
        read_yaml(text).unwrap_or_else(|error| panic!("{text:?}: {error} at {:?}", error.at))
    }

    fn member(text: &str) -> Kind {
        read(text)
            .member("a")
            .expect("the key a is there")
            .kind
            .clone()
    }

    fn text(text: &str) -> Kind {
        Kind::Text(Template::parse(text).expect("a template"))
    }

    fn number(token: &str) -> Kind {
        Kind::Number(Number::parse(token).expect("a JSON number"))
    }

    #[test]
    fn plain_scalars_follow_the_core_schema_with_two_booleans() {
        for (yaml, kind) in [
            ("a: true", Kind::Bool(true)),
            ("a: false", Kind::Bool(false)),
            ("a: True", text("True")),
            ("a: no", text("no")),
            ("a: on", text("on")),
            ("a: y", text("y")),
            ("a: null", Kind::Null),
            ("a: ~", Kind::Null),
            ("a:", Kind::Null),
            ("a: ''", text("")),
            ("a: \"null\"", text("null")),
            ("a: 2026-07-28", text("2026-07-28")),
            ("a: 1.2.3", text("1.2.3")),
            ("a: 0", number("0")),
            ("a: -1", number("-1")),
            ("a: 1.0", number("1.0")),
            ("a: 1e3", number("1e3")),
            ("a: '1'", text("1")),
            ("a: 4xx", text("4xx")),
            ("a: .", text(".")),
            ("a: 1e", text("1e")),
            ("a: 0xg", text("0xg")),
        ] {
            assert_eq!(member(yaml), kind, "{yaml}");
        }
    }

    #[test]
    fn numbers_keep_their_spelling() {
        let Kind::Number(number) = member("a: 9007199254740993") else {
            panic!("no number");
        };
        assert_eq!(number.as_str(), "9007199254740993");
        let Kind::Number(number) = member("a: 1.50") else {
            panic!("no number");
        };
        assert_eq!(number.as_str(), "1.50");
    }

    #[test]
    fn numbers_that_json_cannot_spell_are_errors() {
        for token in [
            "012", "+1", "0x1F", "0o17", ".5", "1.", "-.5", ".inf", "-.inf", ".nan", "+1e5", "01.5",
        ] {
            let error = read_yaml(&format!("a: {token}")).expect_err(token);
            assert_eq!(error.at, Location { line: 1, column: 4 }, "{token}");
            assert!(error.message.contains("quote it"), "{}", error.message);
            assert_eq!(member(&format!("a: '{token}'")), text(token));
        }
    }

    #[test]
    fn what_cases_do_without_is_refused_where_it_stands() {
        for (yaml, line, column, part) in [
            ("a: 1\nb: 2\na: 3\n", 3, 1, "twice"),
            ("a: { x: 1, x: 2 }", 1, 12, "twice"),
            ("a: 1\n\"a\": 2", 2, 1, "twice"),
            ("a: &x 1", 1, 4, "anchors"),
            ("a: &x { b: 1 }", 1, 4, "anchors"),
            ("a: &x 1\nb: *x", 1, 4, "anchors"),
            ("a: !!str 1", 1, 4, "tags"),
            ("a: !x [1]", 1, 4, "tags"),
            ("a: 1\n---\nb: 2", 2, 1, "second document"),
            ("? [1]\n: 2", 1, 3, "only text"),
            (": 2", 1, 1, "key is missing"),
        ] {
            let error = read_yaml(yaml).expect_err(yaml);
            assert!(error.message.contains(part), "{yaml}: {}", error.message);
            assert_eq!(error.at, Location { line, column }, "{yaml}");
        }
    }

    #[test]
    fn an_unknown_alias_is_an_error_with_a_place() {
        let error = read_yaml("a: 1\nb: *x").expect_err("an alias");
        assert_eq!(error.at.line, 2);
    }

    #[test]
    fn places_are_lines_and_columns_in_characters() {
        let data = read("é: { ü: [ß, 2] }\n");
        let outer = data.member("é").expect("é");
        assert_eq!(outer.at, Location { line: 1, column: 4 });
        let inner = outer.member("ü").expect("ü");
        let Kind::List(items) = &inner.kind else {
            panic!("no list");
        };
        assert_eq!(
            items[1].at,
            Location {
                line: 1,
                column: 13
            }
        );
    }

    #[test]
    fn a_problem_lies_within_its_line() {
        let error = read_yaml("a: 1\n...\n%x \u{e9}\u{e9}\u{e9}\n}").expect_err("a directive");
        assert_eq!(error.at.line, 4, "{error}");
        let error = read_yaml("%x \u{e9}\u{e9}\u{e9}").expect_err("a directive");
        assert!(error.at.column <= 7, "{error} at {:?}", error.at);
    }

    #[test]
    fn depth_and_size_are_bounded() {
        let deep = "[".repeat(MAX_YAML_DEPTH + 1) + &"]".repeat(MAX_YAML_DEPTH + 1);
        assert!(
            read_yaml(&deep)
                .expect_err("too deep")
                .message
                .contains("deeper")
        );
        let fits = "[".repeat(MAX_YAML_DEPTH) + &"]".repeat(MAX_YAML_DEPTH);
        assert!(read_yaml(&fits).is_ok());
        let long = format!("a: {}", "x".repeat(MAX_YAML_BYTES));
        assert!(
            read_yaml(&long)
                .expect_err("too long")
                .message
                .contains("longer")
        );
    }

    #[test]
    fn a_byte_order_mark_and_an_empty_file_are_read() {
        assert_eq!(member("\u{feff}a: true"), Kind::Bool(true));
        assert_eq!(read("").kind, Kind::Null);
        assert_eq!(read("# nothing\n").kind, Kind::Null);
    }

    #[test]
    fn a_byte_order_mark_further_down_is_an_error_with_a_place() {
        for (text, line, column) in [
            ("\u{feff}\u{feff}a: 1", 1, 1),
            ("a: 1\r\n\rb: \"\u{e9}\u{feff}\"", 3, 6),
            ("\n\u{feff}", 2, 1),
        ] {
            let error = read_yaml(text).expect_err("a byte order mark");
            assert_eq!(error.at, Location { line, column }, "{text:?}");
            assert!(error.message.contains("U+FEFF"), "{}", error.message);
        }
        assert_eq!(member("a: \"\\uFEFF\""), text("\u{feff}"), "escaped");
    }

    #[test]
    fn a_broken_placeholder_is_an_error_with_a_place() {
        let error = read_yaml("a: 1\nb: $(x").expect_err("unclosed");
        assert_eq!(error.at, Location { line: 2, column: 4 });
    }
}

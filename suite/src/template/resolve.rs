//! Filling templates in.

use mcpspec_wire::{Object, Value};

use super::bytes::text_to_bytes;
use super::{Data, Kind, Part, Placeholder, SourcePath, Template, filter};

/// What a piece of data comes to.
#[derive(Debug, Clone, PartialEq)]
pub enum Resolved {
    /// Nothing, where `optional` permits it: the member or entry is left out.
    Absent,
    /// A plain `null`, written there or in the row it comes from: on the send side, remove.
    Remove,
    /// A value; `$(null)` gives JSON null.
    Value(Value),
}

impl Resolved {
    /// The value, if there is one.
    pub fn into_value(self) -> Option<Value> {
        match self {
            Resolved::Value(value) => Some(value),
            Resolved::Absent | Resolved::Remove => None,
        }
    }
}

/// Why a template could not be filled in. The case is then not observed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unresolved {
    /// A source resolves to nothing.
    #[error("$({path}) resolves to nothing")]
    Nothing {
        /// As written.
        path: String,
    },
    /// A filter does not fit its value.
    #[error("$({path}): {problem}")]
    Filter {
        /// As written.
        path: String,
        /// What is wrong.
        problem: String,
    },
}

/// Gives the values of sources during a run.
pub trait Scope {
    /// The value of a source, [`Resolved::Absent`] if it resolves to nothing.
    ///
    /// `null`, `byte`, `text` and `deep` never get here: they need no run. A variable of the row that [`Scope::row`]
    /// gives does not either.
    fn source(&self, path: &SourcePath) -> Resolved;

    /// A variable of the current row as the case file writes it, so that a plain `null` inside it still removes.
    ///
    /// None for names that are no variables, and for rows that come from a list of values.
    fn row(&self, name: &str) -> Option<&Data> {
        let _ = name;
        None
    }
}

/// A scope in which no row is seen: variables of a row are not made of other variables.
pub(super) struct Outside<'a>(pub(super) &'a dyn Scope);

impl Scope for Outside<'_> {
    fn source(&self, path: &SourcePath) -> Resolved {
        self.0.source(path)
    }
}

/// What a plain `null` comes to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// It removes.
    Send,
    /// It is JSON null.
    Match,
}

impl Data {
    /// The value with every placeholder filled in. Members that are removed or absent are left out, and so are absent
    /// entries of lists; a plain `null` in a list is JSON null.
    pub fn resolve(&self, scope: &dyn Scope) -> Result<Resolved, Unresolved> {
        self.resolve_on(Side::Send, scope)
    }

    /// The value as a matcher reads it: a plain `null` is JSON null wherever it stands.
    pub fn resolve_expected(&self, scope: &dyn Scope) -> Result<Resolved, Unresolved> {
        Ok(match self.resolve_on(Side::Match, scope)? {
            Resolved::Remove => Resolved::Value(Value::Null),
            other => other,
        })
    }

    /// The members of a map one by one, those that remove included; none if it comes to something else.
    ///
    /// Members whose key is absent are left out. A `$(…)` that gives an object has its members.
    pub fn resolve_members(
        &self,
        scope: &dyn Scope,
    ) -> Result<Option<Vec<(String, Resolved)>>, Unresolved> {
        match &self.kind {
            Kind::Map(members) => {
                let mut resolved = Vec::with_capacity(members.len());
                for (key, data) in members {
                    if let Some(key) = key.text.resolve_text(scope)? {
                        resolved.push((key, data.resolve(scope)?));
                    }
                }
                Ok(Some(resolved))
            }
            Kind::Text(template) => {
                if let Some(row) = template.row(scope) {
                    return row.resolve_members(&Outside(scope));
                }
                Ok(match template.resolve(scope)? {
                    Resolved::Value(Value::Object(object)) => Some(
                        object
                            .into_iter()
                            .map(|(name, value)| (name, Resolved::Value(value)))
                            .collect(),
                    ),
                    _ => None,
                })
            }
            _ => Ok(None),
        }
    }

    fn resolve_on(&self, side: Side, scope: &dyn Scope) -> Result<Resolved, Unresolved> {
        Ok(match &self.kind {
            Kind::Null => Resolved::Remove,
            Kind::Bool(bool) => Resolved::Value(Value::Bool(*bool)),
            Kind::Number(number) => Resolved::Value(Value::Number(number.clone())),
            Kind::Text(template) => match template.row(scope) {
                Some(row) => row.resolve_on(side, &Outside(scope))?,
                None => template.resolve(scope)?,
            },
            Kind::List(items) => {
                let mut values = Vec::with_capacity(items.len());
                for item in items {
                    match item.resolve_on(side, scope)? {
                        Resolved::Absent => {}
                        Resolved::Remove => values.push(Value::Null),
                        Resolved::Value(value) => values.push(value),
                    }
                }
                Resolved::Value(Value::Array(values))
            }
            Kind::Map(members) => {
                let mut object = Object::new();
                for (key, data) in members {
                    let Some(key) = key.text.resolve_text(scope)? else {
                        continue;
                    };
                    match data.resolve_on(side, scope)? {
                        Resolved::Remove if side == Side::Match => object.push(key, Value::Null),
                        Resolved::Absent | Resolved::Remove => {}
                        Resolved::Value(value) => object.push(key, value),
                    }
                }
                Resolved::Value(Value::Object(object))
            }
        })
    }
}

impl Template {
    /// The value: of one placeholder alone with its type, else text. Text with an absent part is absent as a whole.
    pub fn resolve(&self, scope: &dyn Scope) -> Result<Resolved, Unresolved> {
        if let Some(placeholder) = self.whole() {
            return placeholder.resolve(scope);
        }
        Ok(match self.resolve_text(scope)? {
            Some(text) => Resolved::Value(Value::String(text)),
            None => Resolved::Absent,
        })
    }

    /// The text as bytes, in which `$(byte HH)` may stand. Values that are no strings are inserted as JSON text.
    pub fn resolve_bytes(&self, scope: &dyn Scope) -> Result<Vec<u8>, Unresolved> {
        Ok(self
            .resolve_text(scope)?
            .map(|text| text_to_bytes(&text))
            .unwrap_or_default())
    }

    /// The text, in which values that are no strings stand as JSON text; none if a part is absent.
    pub fn resolve_text(&self, scope: &dyn Scope) -> Result<Option<String>, Unresolved> {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Literal(literal) => text.push_str(literal),
                Part::Placeholder(placeholder) => match placeholder.resolve(scope)? {
                    Resolved::Absent => return Ok(None),
                    Resolved::Remove => text.push_str("null"),
                    Resolved::Value(Value::String(string)) => text.push_str(&string),
                    Resolved::Value(value) => text.push_str(&value.to_json()),
                },
            }
        }
        Ok(Some(text))
    }

    /// The variable of the row that the text is nothing but, as the case file writes it.
    fn row<'a>(&self, scope: &'a dyn Scope) -> Option<&'a Data> {
        let placeholder = self.whole()?;
        let [name] = placeholder.source.segments.as_slice() else {
            return None;
        };
        let plain = placeholder
            .filters
            .iter()
            .all(|filter| filter.literal() == Some("optional"));
        plain.then(|| scope.row(name))?
    }
}

impl Placeholder {
    fn resolve(&self, scope: &dyn Scope) -> Result<Resolved, Unresolved> {
        let fails = |problem: String| Unresolved::Filter {
            path: self.text.clone(),
            problem,
        };
        let nothing = || match self.is_optional() {
            true => Ok(Resolved::Absent),
            false => Err(Unresolved::Nothing {
                path: self.text.clone(),
            }),
        };
        let (first, filters) = self.start(scope, &fails)?;
        let mut value = match first {
            Resolved::Absent => return nothing(),
            Resolved::Remove if filters.iter().all(|filter| filter == "optional") => {
                return Ok(Resolved::Remove);
            }
            Resolved::Remove => Value::Null,
            Resolved::Value(value) => value,
        };
        for filter in &filters {
            match filter::apply(filter, value).map_err(fails)? {
                Some(filtered) => value = filtered,
                None => return nothing(),
            }
        }
        Ok(Resolved::Value(value))
    }

    /// The value of the source, and the filters that are still to be applied to it.
    fn start(
        &self,
        scope: &dyn Scope,
        fails: &dyn Fn(String) -> Unresolved,
    ) -> Result<(Resolved, Vec<String>), Unresolved> {
        let mut filters = Vec::with_capacity(self.filters.len());
        for filter in &self.filters {
            match filter.resolve_text(scope)? {
                Some(filter) => filters.push(filter),
                None => return Ok((Resolved::Absent, filters)),
            }
        }
        if let Some(depth) = self.source.deep().map_err(fails)?
            && filters.first().is_some_and(|filter| filter == "json")
        {
            // As text it may be deeper than values are, which are worked on by recursion.
            let text = "[".repeat(depth) + &"]".repeat(depth);
            filters.remove(0);
            return Ok((Resolved::Value(text.into()), filters));
        }
        Ok((self.source.resolve(scope, fails)?, filters))
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_yaml;
    use super::*;
    use serde_json::json;

    /// Sources are the members of one object; rows stand beside it.
    struct Sources {
        values: Value,
        rows: Data,
    }

    impl Scope for Sources {
        fn source(&self, path: &SourcePath) -> Resolved {
            match path.descend(&self.values, 0) {
                Some(value) => Resolved::Value(value.clone()),
                None => Resolved::Absent,
            }
        }

        fn row(&self, name: &str) -> Option<&Data> {
            self.rows.member(name)
        }
    }

    fn sources() -> Sources {
        let rows = "{ gone: null, changes: { jsonrpc: null, x: [null] }, high: $(byte e9), \
                    odd: edit start, self: $(self) }";
        Sources {
            values: Value::from(json!({
                "a": { "result": { "nextCursor": "abc", "_meta": { "io.x/y": [1, 2] } }, "id": 7 },
                "text": "t",
            })),
            rows: read_yaml(rows).expect("the rows are YAML"),
        }
    }

    fn resolved(yaml: &str) -> Result<Resolved, Unresolved> {
        read_yaml(yaml)
            .unwrap_or_else(|error| panic!("{yaml}: {error}"))
            .resolve(&sources())
    }

    fn value(yaml: &str) -> serde_json::Value {
        match resolved(yaml) {
            Ok(Resolved::Value(value)) => value.to_serde().expect("nothing is lost"),
            other => panic!("{yaml}: {other:?}"),
        }
    }

    #[test]
    fn a_placeholder_alone_keeps_its_type_and_inside_text_it_is_text() {
        for (yaml, expected) in [
            ("$(a.id)", json!(7)),
            ("x-$(a.id)", json!("x-7")),
            ("x-$(text)$(text)", json!("x-tt")),
            ("$(a.result._meta.'io.x/y'.1)", json!(2)),
            ("\"$(a.result._meta) \"", json!("{\"io.x/y\":[1,2]} ")),
            ("$$(text)", json!("$(text)")),
            ("$(null)", json!(null)),
            ("$(text 3)", json!("xxx")),
            ("$(deep 3)", json!([[[]]])),
            ("$(deep 3 | json)", json!("[[[]]]")),
            ("$(text | upper | base64)", json!("VA==")),
            ("$(a.result.nextCursor | $(odd))", json!("bbc")),
            (
                "{ \"k-$(text)\": [$(a.id), x] }",
                json!({ "k-t": [7, "x"] }),
            ),
        ] {
            assert_eq!(value(yaml), expected, "{yaml}");
        }
    }

    #[test]
    fn what_resolves_to_nothing_is_named_unless_it_is_optional() {
        assert_eq!(
            resolved("{ a: [$(a.result.cursor)] }"),
            Err(Unresolved::Nothing {
                path: "a.result.cursor".to_owned()
            })
        );
        for (yaml, expected) in [
            ("{ a: $(a.x | optional), b: 1 }", json!({ "b": 1 })),
            ("[1, $(a.x | optional), 2]", json!([1, 2])),
            ("{ a: \"x$(a.x | optional)\", b: 1 }", json!({ "b": 1 })),
            ("{ \"$(a.x | optional)\": 1, b: 1 }", json!({ "b": 1 })),
            ("{ a: $(a.id | optional) }", json!({ "a": 7 })),
        ] {
            assert_eq!(value(yaml), expected, "{yaml}");
        }
        assert_eq!(resolved("$(a.x | optional | upper)"), Ok(Resolved::Absent));
        assert!(matches!(
            resolved("$(a.id | upper)"),
            Err(Unresolved::Filter { .. })
        ));
    }

    #[test]
    fn a_plain_null_removes_a_member_and_stands_in_a_list() {
        assert_eq!(resolved("null"), Ok(Resolved::Remove));
        assert_eq!(
            value("{ a: null, b: [null], c: $(null) }"),
            json!({ "b": [null], "c": null })
        );
        let data = read_yaml("{ a: null }").expect("YAML");
        assert_eq!(
            data.resolve_expected(&sources()),
            Ok(Resolved::Value(Value::from(json!({ "a": null }))))
        );
    }

    #[test]
    fn a_row_stands_for_what_its_file_says() {
        assert_eq!(resolved("$(gone)"), Ok(Resolved::Remove));
        assert_eq!(value("$(changes)"), json!({ "x": [null] }));
        let data = read_yaml("$(changes)").expect("YAML");
        let members = data.resolve_members(&sources()).expect("it resolves");
        assert_eq!(
            members,
            Some(vec![
                ("jsonrpc".to_owned(), Resolved::Remove),
                ("x".to_owned(), Resolved::Value(Value::from(json!([null])))),
            ])
        );
        // A row is not made of rows.
        assert_eq!(
            resolved("$(self)"),
            Err(Unresolved::Nothing {
                path: "self".to_owned()
            })
        );
    }

    #[test]
    fn bytes_pass_through_rows_and_text() {
        let template = Template::parse("a$(high)$(byte 01)é").expect("a template");
        assert_eq!(
            template.resolve_bytes(&sources()),
            Ok(b"a\xe9\x01\xc3\xa9".to_vec())
        );
    }

    #[test]
    fn sizes_are_bounded() {
        assert_eq!(
            value("$(deep 100000 | json)").as_str().map(str::len),
            Some(200_000)
        );
        assert!(matches!(
            resolved("$(deep 513)"),
            Err(Unresolved::Filter { .. })
        ));
        assert_eq!(
            value("$(text 16777216)").as_str().map(str::len),
            Some(16_777_216)
        );
    }
}

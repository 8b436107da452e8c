//! Reading what a step changes: maps whose plain `null` removes, header lines with odd bytes.

use mcpspec_wire::Value;

use crate::case::{Retry, Send};
use crate::template::{Data, Kind, Resolved, Template};

use super::super::draft::{Change, Departures};
use super::super::headers::HeaderChange;
use super::super::row::{Row, StepError};
use super::super::scope::Variable;

impl Row<'_> {
    /// Everything a `send` changes.
    pub(super) fn departures_of_send(&self, send: &Send) -> Result<Departures, StepError> {
        let capabilities = send
            .capabilities
            .as_ref()
            .or(self.steps.capabilities.as_ref());
        Ok(Departures {
            params: self.change(send.params.as_ref())?,
            meta: self.change(send.meta.as_ref())?,
            capabilities: self.change(capabilities)?,
            id: self.change_whole(send.id.as_ref())?,
            envelope: self.change(send.envelope.as_ref())?,
            headers: self.header_changes(send.headers.as_ref())?,
            marked: self.change_whole(send.marked.as_ref())?,
        })
    }

    /// Everything a `retry` changes beside answers and state.
    pub(super) fn departures_of_retry(&self, retry: &Retry) -> Result<Departures, StepError> {
        Ok(Departures {
            meta: self.change(retry.meta.as_ref())?,
            capabilities: self.change(retry.capabilities.as_ref())?,
            id: self.change_whole(retry.id.as_ref())?,
            envelope: self.change(retry.envelope.as_ref())?,
            headers: self.header_changes(retry.headers.as_ref())?,
            ..Departures::default()
        })
    }

    /// A field whose members are changed one by one.
    pub(super) fn change(&self, data: Option<&Data>) -> Result<Change, StepError> {
        let Some(data) = data else {
            return Ok(Change::Keep);
        };
        let data = self.written(data);
        let Kind::Map(members) = &data.kind else {
            return self.change_whole(Some(data)).map(|change| match change {
                Change::Replace(Value::Object(members)) => Change::Members(
                    members
                        .iter()
                        .map(|(name, value)| (name.to_owned(), Some(value.clone())))
                        .collect(),
                ),
                other => other,
            });
        };
        let scope = self.scope();
        let mut changes = Vec::new();
        for (key, value) in members {
            let Resolved::Value(name) = key.text.resolve(&scope)? else {
                continue;
            };
            let name = name.as_str().map_or_else(|| name.to_json(), str::to_owned);
            match self.written(value).resolve(&scope)? {
                Resolved::Absent => {}
                Resolved::Remove => changes.push((name, None)),
                Resolved::Value(value) => changes.push((name, Some(value))),
            }
        }
        Ok(Change::Members(changes))
    }

    /// A field that is replaced whole.
    pub(super) fn change_whole(&self, data: Option<&Data>) -> Result<Change, StepError> {
        let Some(data) = data else {
            return Ok(Change::Keep);
        };
        Ok(match self.written(data).resolve(&self.scope())? {
            Resolved::Absent => Change::Keep,
            Resolved::Remove => Change::Remove,
            Resolved::Value(value) => Change::Replace(value),
        })
    }

    /// What a step makes of headers.
    pub(super) fn header_changes(
        &self,
        data: Option<&Data>,
    ) -> Result<Option<Vec<HeaderChange>>, StepError> {
        let Some(data) = data else {
            return Ok(None);
        };
        let data = self.written(data);
        let Kind::Map(members) = &data.kind else {
            return match data.resolve(&self.scope())? {
                Resolved::Value(Value::Object(members)) => Ok(Some(
                    members
                        .iter()
                        .map(|(name, value)| header_of_value(name, value))
                        .collect(),
                )),
                Resolved::Absent => Ok(None),
                _ => Err(StepError::Other(
                    "headers are a map of names to values".to_owned(),
                )),
            };
        };
        let mut changes = Vec::new();
        for (key, value) in members {
            let name =
                String::from_utf8_lossy(&key.text.resolve_bytes(&self.scope())?).into_owned();
            if let Some(lines) = self.header_lines(value)? {
                changes.push(HeaderChange { name, lines });
            }
        }
        Ok(Some(changes))
    }

    /// The lines of one header; none where `optional` leaves it as made.
    fn header_lines(&self, data: &Data) -> Result<Option<Vec<Vec<u8>>>, StepError> {
        let data = self.written(data);
        match &data.kind {
            Kind::Text(template) if template.whole().is_none() => {
                Ok(Some(vec![self.bytes(template)?]))
            }
            Kind::List(items) => {
                let mut lines = Vec::new();
                for item in items {
                    lines.extend(self.header_lines(item)?.unwrap_or_default());
                }
                Ok(Some(lines))
            }
            _ => Ok(match data.resolve(&self.scope())? {
                Resolved::Absent => None,
                Resolved::Remove => Some(Vec::new()),
                Resolved::Value(value) => Some(header_of_value("", &value).lines),
            }),
        }
    }

    /// A text as bytes, odd ones included.
    pub(super) fn bytes(&self, template: &Template) -> Result<Vec<u8>, StepError> {
        if let Some(Data {
            kind: Kind::Text(inner),
            ..
        }) = self.variable(template)
        {
            return Ok(inner.resolve_bytes(&self.scope())?);
        }
        Ok(template.resolve_bytes(&self.scope())?)
    }

    /// What stands in the file: of a field that is nothing but a row's variable, the variable's own data, so that a plain
    /// `null` in a row still removes.
    fn written<'d>(&'d self, data: &'d Data) -> &'d Data {
        match &data.kind {
            Kind::Text(template) => self.variable(template).unwrap_or(data),
            _ => data,
        }
    }

    fn variable(&self, template: &Template) -> Option<&Data> {
        let placeholder = template.whole()?;
        let [name] = placeholder.source.segments.as_slice() else {
            return None;
        };
        if !placeholder.filters.is_empty() {
            return None;
        }
        self.variables
            .iter()
            .find_map(|(variable, value)| match value {
                Variable::Data(data) if variable == name => Some(data),
                _ => None,
            })
    }
}

fn header_of_value(name: &str, value: &Value) -> HeaderChange {
    let text = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_json(), str::to_owned)
            .into_bytes()
    };
    let lines = match value {
        Value::Array(items) => items.iter().map(text).collect(),
        other => vec![text(other)],
    };
    HeaderChange {
        name: name.to_owned(),
        lines,
    }
}

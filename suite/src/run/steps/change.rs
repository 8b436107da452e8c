//! Reading what a step changes: maps whose plain `null` removes, header lines with odd bytes.

use mcpspec_wire::Value;

use crate::case::{Retry, Send};
use crate::template::{Data, Resolved, Template, text_to_bytes};

use super::super::draft::{Change, Departures};
use super::super::headers::HeaderChange;
use super::super::row::{Row, StepError};

impl Row<'_> {
    /// Everything a `send` changes.
    pub(in super::super) fn departures_of_send(
        &self,
        send: &Send,
    ) -> Result<Departures, StepError> {
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
        let members = match data {
            Some(data) => data.resolve_members(&self.scope())?,
            None => None,
        };
        let Some(members) = members else {
            return self.change_whole(data);
        };
        let changes = members
            .into_iter()
            .filter_map(|(name, resolved)| match resolved {
                Resolved::Absent => None,
                Resolved::Remove => Some((name, None)),
                Resolved::Value(value) => Some((name, Some(value))),
            });
        Ok(Change::Members(changes.collect()))
    }

    /// A field that is replaced whole.
    pub(super) fn change_whole(&self, data: Option<&Data>) -> Result<Change, StepError> {
        let Some(data) = data else {
            return Ok(Change::Keep);
        };
        Ok(match data.resolve(&self.scope())? {
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
        let scope = self.scope();
        let Some(members) = data.resolve_members(&scope)? else {
            return match data.resolve(&scope)? {
                Resolved::Absent => Ok(None),
                _ => Err(StepError::Other(
                    "headers are a map of names to values".to_owned(),
                )),
            };
        };
        let changes = members
            .into_iter()
            .filter_map(|(name, resolved)| match resolved {
                Resolved::Absent => None,
                Resolved::Remove => Some(HeaderChange {
                    name,
                    lines: Vec::new(),
                }),
                Resolved::Value(value) => Some(HeaderChange {
                    name,
                    lines: header_lines(&value),
                }),
            });
        Ok(Some(changes.collect()))
    }

    /// A text as bytes, odd ones included.
    pub(in super::super) fn bytes(&self, template: &Template) -> Result<Vec<u8>, StepError> {
        Ok(template.resolve_bytes(&self.scope())?)
    }
}

/// The lines of a header: one, or one for each item of a list.
fn header_lines(value: &Value) -> Vec<Vec<u8>> {
    let line = |value: &Value| match value {
        Value::String(text) => text_to_bytes(text),
        other => other.to_json().into_bytes(),
    };
    match value {
        Value::Array(items) => items.iter().map(line).collect(),
        other => vec![line(other)],
    }
}

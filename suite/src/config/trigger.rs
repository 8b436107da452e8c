//! Reading triggers: `[NAME]` tables under `triggers` of a profile or of the configuration.

use std::collections::BTreeMap;

use mcpspec_wire::{Object, Value};
use toml::de::DeTable;

use crate::case::Diagnostic;
use crate::spec::{NAMINGS, PropertyValue, TRIGGERS, TriggerKind, TriggerProperty};
use crate::template::duration;

use super::document::{Entry, Source, entries};
use super::{Trigger, TriggerAction, WholeRequest};

/// Keys of a trigger that are neither a variant nor a property.
const OWN_KEYS: [&str; 4] = ["capabilities", "command", "method", "params"];

/// The trigger of which any variant will do: whichever list changes, one does.
const LIST_CHANGE: &str = "list-change";

/// Reads a table of triggers by name, and keeps what is wrong with each. `told_by` goes to [`Trigger::source`].
pub(super) fn read_triggers<'a>(
    source: Source<'a>,
    table: &'a DeTable<'a>,
    told_by: &str,
    faults: &mut Vec<Diagnostic>,
) -> BTreeMap<String, Trigger> {
    let mut triggers = BTreeMap::new();
    for entry in entries(table) {
        let Some(kind) = TriggerKind::of(entry.key) else {
            let names: Vec<&str> = TRIGGERS.iter().map(|kind| kind.name).collect();
            faults.push(source.unknown(&entry, "trigger", &names));
            continue;
        };
        let mut reader = Reader {
            source,
            kind,
            told_by,
            faults: &mut *faults,
        };
        if let Some(trigger) = reader.trigger(&entry, kind.variants) {
            triggers.insert(entry.key.to_owned(), trigger);
        }
    }
    triggers
}

/// Reads one trigger of the closed list.
struct Reader<'a, 'b> {
    source: Source<'a>,
    kind: &'static TriggerKind,
    told_by: &'b str,
    faults: &'b mut Vec<Diagnostic>,
}

/// What the own keys of a trigger say.
#[derive(Default)]
struct Own {
    method: Option<String>,
    params: Option<Value>,
    capabilities: Option<Value>,
    command: Option<String>,
}

impl<'a> Reader<'a, '_> {
    /// Reads the trigger, or one of its variants, which has none of its own. None if something is wrong with it.
    fn trigger(&mut self, entry: &Entry<'a>, variants: &[&str]) -> Option<Trigger> {
        let table = match self.source.table(entry) {
            Ok(table) => table,
            Err(fault) => {
                self.faults.push(fault);
                return None;
            }
        };
        let before = self.faults.len();
        let variant = (entry.key != self.kind.name).then_some(entry.key);
        let mut own = Own::default();
        let mut trigger = Trigger {
            action: TriggerAction::Variants,
            variants: BTreeMap::new(),
            properties: BTreeMap::new(),
            source: self.told_by.to_owned(),
        };
        for member in entries(table) {
            if variants.contains(&member.key) {
                if let Some(variant) = self.trigger(&member, &[]) {
                    trigger.variants.insert(member.key.to_owned(), variant);
                }
            } else if let Err(fault) = self.member(&member, variants, &mut own, &mut trigger) {
                self.faults.push(fault);
            } else if let Some(fault) = self.method_fault(&member, variant) {
                self.faults.push(fault);
            }
        }
        self.faults.extend(self.misnamed(entry, table));
        // What is missing may be what is wrong.
        if self.faults.len() > before {
            return None;
        }
        match self.action(entry, own, !trigger.variants.is_empty()) {
            Ok(TriggerAction::Variants) if self.kind.name == LIST_CHANGE => {
                let first = trigger.variants.values().next();
                let action = first.map_or(TriggerAction::Variants, |first| first.action.clone());
                Some(Trigger { action, ..trigger })
            }
            Ok(action) => Some(Trigger { action, ..trigger }),
            Err(fault) => {
                self.faults.push(fault);
                None
            }
        }
    }

    fn member(
        &self,
        member: &Entry<'a>,
        variants: &[&str],
        own: &mut Own,
        trigger: &mut Trigger,
    ) -> Result<(), Diagnostic> {
        if OWN_KEYS.contains(&member.key) {
            return self.own_key(member, own);
        }
        let Some(property) = self.kind.property(member.key) else {
            return Err(self.unknown_key(member, variants));
        };
        let value = self.property(member, property)?;
        trigger.properties.insert(member.key.to_owned(), value);
        Ok(())
    }

    fn own_key(&self, member: &Entry<'a>, own: &mut Own) -> Result<(), Diagnostic> {
        match member.key {
            "method" => own.method = Some(self.source.string(member)?),
            "params" => own.params = Some(self.source.object(member)?),
            "capabilities" => own.capabilities = Some(self.source.object(member)?),
            _ if self.kind.may_be_command => own.command = Some(self.source.string(member)?),
            _ => {
                let message = format!("`{}` takes a request, not a command", self.kind.name);
                return Err(self.source.error(member.at, message));
            }
        }
        Ok(())
    }

    /// What is wrong with the method, if this is it and no request of it could be such a trigger.
    fn method_fault(&self, member: &Entry<'a>, variant: Option<&str>) -> Option<Diagnostic> {
        let known = self.kind.methods(variant);
        let method = member.value.as_str().filter(|_| member.key == "method")?;
        if known.is_empty() || known.contains(&method) {
            return None;
        }
        let path = self.path(variant.unwrap_or(self.kind.name));
        let message = format!("`{method}` is no method of `{path}`");
        Some(self.source.closed(member.at, message, method, known))
    }

    /// The trigger by its key, or a variant of it by its.
    fn path(&self, key: &str) -> String {
        match self.kind.name {
            name if name == key => name.to_owned(),
            name => format!("{name}.{key}"),
        }
    }

    /// What is wrong if the request names nothing that could be called: its refusal would say nothing of the server.
    fn misnamed(&self, entry: &Entry<'a>, table: &'a DeTable<'a>) -> Option<Diagnostic> {
        let method = table.get("method")?.get_ref().as_str()?;
        let naming = NAMINGS.iter().find(|naming| naming.method == method)?;
        let (member, what) = (naming.member, naming.what);
        let members = entries(table);
        let params = members.iter().find(|member| member.key == "params");
        let mut fault = match params {
            None => {
                let message = format!("`{}` names no {what}", self.path(entry.key));
                self.source.error(entry.at, message)
            }
            Some(params) => {
                let named = entries(params.value.as_table()?);
                match named.iter().find(|named| named.key == member) {
                    None => {
                        let message = format!("`params` names no {what}");
                        self.source.error(params.at, message)
                    }
                    Some(named) => self.source.string(named).err()?,
                }
            }
        };
        let capitals = member.to_uppercase();
        fault.help = Some(format!(
            "write params = {{ {member} = \"{capitals}\" }}, with the {member} of the {what}"
        ));
        Some(fault)
    }

    fn action(
        &self,
        entry: &Entry<'a>,
        own: Own,
        has_variants: bool,
    ) -> Result<TriggerAction, Diagnostic> {
        let complain = |message: String| Err(self.source.error(entry.at, message));
        match own {
            Own {
                method: Some(_),
                command: Some(_),
                ..
            } => complain(format!("`{}` has both a method and a command", entry.key)),
            Own {
                method: Some(method),
                params,
                capabilities,
                ..
            } => {
                let params = params.unwrap_or_else(|| Object::new().into());
                Ok(TriggerAction::Request(WholeRequest {
                    method,
                    params,
                    capabilities,
                    header: None,
                    label: None,
                }))
            }
            Own {
                params: Some(_), ..
            }
            | Own {
                capabilities: Some(_),
                ..
            } => complain(format!("`{}` has no method", entry.key)),
            Own {
                command: Some(command),
                ..
            } => Ok(TriggerAction::Command(command)),
            Own { .. } if has_variants => Ok(TriggerAction::Variants),
            Own { .. } => complain(format!("`{}` has no method", entry.key)),
        }
    }

    fn property(&self, member: &Entry<'a>, property: TriggerProperty) -> Result<Value, Diagnostic> {
        let value = self.source.value(member)?;
        match property.value {
            PropertyValue::Flag if value.as_bool().is_none() => {
                Err(self.source.wrong_type(member, "a boolean"))
            }
            PropertyValue::Text if value.as_str().is_none() => {
                Err(self.source.wrong_type(member, "a string"))
            }
            PropertyValue::Object if value.as_object().is_none() => {
                Err(self.source.wrong_type(member, "a table"))
            }
            PropertyValue::Duration => match duration(&value) {
                Ok(time) if time < property.least && self.is_told_by_user() => {
                    let least = property.least.as_millis();
                    let message = format!(
                        "`{}` is less than {least}ms, which is too short to see anything by: name a request that takes longer",
                        member.key
                    );
                    Err(self.source.error(member.at, message))
                }
                Ok(_) => Ok(value),
                Err(error) => Err(self
                    .source
                    .error(member.at, format!("`{}`: {error}", member.key))),
            },
            PropertyValue::Flag | PropertyValue::Text | PropertyValue::Object => Ok(value),
        }
    }

    /// Whether it is about a server that nobody knows but the user.
    fn is_told_by_user(&self) -> bool {
        matches!(self.told_by, Trigger::OF_ALL | Trigger::OF_TARGET)
    }

    fn unknown_key(&self, member: &Entry<'a>, variants: &[&str]) -> Diagnostic {
        let mut known: Vec<&str> = OWN_KEYS.to_vec();
        if !self.kind.may_be_command {
            known.retain(|key| *key != "command");
        }
        known.extend(variants);
        known.extend(self.kind.properties.iter().map(|property| property.name));
        self.source
            .unknown(member, &format!("key of `{}`", self.kind.name), &known)
    }
}

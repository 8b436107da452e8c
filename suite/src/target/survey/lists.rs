//! Walking the lists of a target.

use std::collections::BTreeSet;

use mcpspec_wire::{Object, Value};

use crate::config::WholeRequest;

use super::Unanswered;
use super::asker::{Asker, Said};

/// Most items that are kept of one list.
const MAX_ITEMS: usize = 1000;

/// Most pages that are asked for.
const MAX_PAGES: usize = 100;

/// The items of one list.
#[derive(Debug, Default)]
pub(super) struct Listed {
    pub(super) items: Vec<Value>,
    /// Whether the first page was answered with a result.
    pub(super) is_served: bool,
    /// Whether it has more than one page.
    pub(super) is_paginated: bool,
    /// Whether there may be items that were not seen.
    pub(super) is_partial: bool,
    /// What came of the request for the first page, if not an answer.
    pub(super) unanswered: Option<Unanswered>,
}

/// Walks a list to its end, or to where it cannot be followed.
pub(super) async fn walk(asker: &mut Asker<'_>, method: &str, member: &str) -> Listed {
    let mut listed = Listed {
        is_partial: true,
        ..Listed::default()
    };
    let mut cursors = BTreeSet::new();
    let mut params = Object::new();
    for _ in 0..MAX_PAGES {
        let whole = WholeRequest::new(method, Value::Object(params.clone()));
        let answer = if cursors.is_empty() {
            asker.demand(&whole).await
        } else {
            Ok(asker.ask(&whole).await)
        };
        let result = match answer.map(|answer| answer.what) {
            Ok(Said::Result(result)) => result,
            Ok(_) => return listed,
            Err(unanswered) => {
                listed.unanswered = Some(unanswered);
                return listed;
            }
        };
        listed.is_served = true;
        let items = result
            .get(member)
            .and_then(Value::as_array)
            .unwrap_or_default();
        let room = MAX_ITEMS - listed.items.len();
        listed.items.extend(items.iter().take(room).cloned());
        if items.len() > room {
            return listed;
        }
        let Some(cursor) = result.get("nextCursor") else {
            listed.is_partial = false;
            return listed;
        };
        listed.is_paginated = true;
        // A cursor that comes again would lead around for ever.
        if !cursors.insert(cursor.to_json()) {
            return listed;
        }
        params.insert("cursor", cursor.clone());
    }
    listed
}

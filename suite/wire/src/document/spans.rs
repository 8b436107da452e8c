//! Where each value of a document stands.

use std::ops::Range;

use crate::Value;
use crate::value::{array_index, pointer_tokens, push_token};

/// Where every value stands, in the order in which the values begin. So the root comes first, and the children of a value
/// follow it: the first directly, each other one where the one before it has ended.
#[derive(Clone, Debug, Default)]
pub(super) struct Spans(Vec<Span>);

/// Where a value stands.
#[derive(Clone, Debug)]
struct Span {
    start: usize,
    end: usize,
    /// The index of the first value that begins behind it.
    after: usize,
}

impl Spans {
    /// Notes that a value begins at `offset`; gives the index by which to tell its end.
    pub(super) fn open(&mut self, offset: usize) -> usize {
        let index = self.0.len();
        self.0.push(Span {
            start: offset,
            end: offset,
            after: index + 1,
        });
        index
    }

    /// How many values have begun.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Notes that a value ends before `offset`.
    pub(super) fn close(&mut self, index: usize, offset: usize) {
        let after = self.0.len();
        let span = &mut self.0[index];
        (span.end, span.after) = (offset, after);
    }

    /// The range of the value that a JSON pointer leads to.
    pub(super) fn of_pointer(&self, root: &Value, pointer: &str) -> Option<Range<usize>> {
        let (mut value, mut index) = (root, 0);
        for token in pointer_tokens(pointer)? {
            let (place, child) = match value {
                Value::Object(object) => {
                    let place = object.iter().rposition(|(name, _)| name == token)?;
                    (place, object.iter().nth(place)?.1)
                }
                Value::Array(items) => {
                    let place = array_index(&token)?;
                    (place, items.get(place)?)
                }
                _ => return None,
            };
            index = self.children(index).nth(place)?;
            value = child;
        }
        self.0.get(index).map(|span| span.start..span.end)
    }

    /// The pointer of the innermost value that holds the byte at `offset`.
    pub(super) fn pointer_at(&self, root: &Value, offset: usize) -> String {
        let (mut value, mut index, mut pointer) = (root, 0, String::new());
        loop {
            let ends_behind = |&(_, child): &(usize, usize)| offset < self.0[child].end;
            let Some((place, child)) = self.children(index).enumerate().find(ends_behind) else {
                return pointer;
            };
            if offset < self.0[child].start {
                return pointer;
            }
            let Some(next) = step(value, place, &mut pointer) else {
                return pointer;
            };
            (value, index) = (next, child);
        }
    }

    /// The indices of the children of a value, in order.
    fn children(&self, parent: usize) -> impl Iterator<Item = usize> {
        let after = self.0.get(parent).map_or(0, |span| span.after);
        let inside = move |index: &usize| *index < after;
        let first = Some(parent + 1).filter(inside);
        std::iter::successors(first, move |&index| {
            Some(self.0[index].after).filter(inside)
        })
    }
}

/// The child at a place, its token appended to the pointer.
fn step<'a>(value: &'a Value, place: usize, pointer: &mut String) -> Option<&'a Value> {
    match value {
        Value::Object(object) => {
            let (name, member) = object.iter().nth(place)?;
            push_token(pointer, name);
            Some(member)
        }
        Value::Array(items) => {
            let item = items.get(place)?;
            push_token(pointer, &place.to_string());
            Some(item)
        }
        _ => None,
    }
}

//! One change of a tree.

use super::dice::Dice;
use super::node::{Node, Token};
use super::words::{NAMES, PIECES, VALUES};

/// Most values of a changed text. Copies of copies would fill the memory, and long texts the time.
const MAX_VALUES: usize = 100;

/// A text with more than these values mostly shrinks, so that most texts stay small.
pub(super) const MANY_VALUES: usize = 6;

/// How deep a value is put below new arrays, where it is put deep, which is seldom.
const DEPTHS: &[usize] = &[8, 120, 128, 256, 511, 512];

/// Changes a JSON text in one to four places, as the seed has it. Nothing if the text has not the structure of JSON.
pub fn mutate(text: &[u8], seed: u32) -> Option<Vec<u8>> {
    let mut root = Node::parse(text)?;
    let mut dice = Dice::new(seed);
    let times = 1 + dice.below(4) * dice.below(2);
    for _ in 0..times {
        change(&mut root, &mut dice);
    }
    Some(root.print())
}

fn change(root: &mut Node<'_>, dice: &mut Dice) {
    let count = root.count();
    // A copy is taken of one place and put into another.
    let copy = dice
        .once_in(4)
        .then(|| nth(root, dice.below(count)).clone());
    let copy = copy.filter(|copy| count + copy.count() <= MAX_VALUES);
    if count > MANY_VALUES && !dice.once_in(4) {
        remove(nth(root, shrinking(count, dice)), dice);
        return;
    }
    let place = nth(root, dice.below(count));
    let new = copy.unwrap_or_else(|| Node::scalar(dice.pick(VALUES)));
    match dice.below(12) {
        0 | 1 => *place = new,
        2 => grow(place, new, dice),
        3 => remove(place, dice),
        4 => repeat(place, dice),
        5 => swap(place, dice),
        6 => rename(place, dice),
        7 => wrap(place, dice),
        8 => {
            let child = place.child(dice.below(place.len())).cloned();
            *place = child.unwrap_or(new);
        }
        _ => token(place, dice),
    }
}

/// One of so many values. If they are many, rather one near the root, with which much goes: deep texts do not stay deep.
pub(super) fn shrinking(count: usize, dice: &mut Dice) -> usize {
    let at = dice.below(count);
    if count > MANY_VALUES {
        dice.below(at + 1)
    } else {
        at
    }
}

pub(super) fn nth<'t, 'a>(root: &'t mut Node<'a>, index: usize) -> &'t mut Node<'a> {
    let mut index = index;
    root.nth_mut(&mut index)
        .expect("the index is below the number of values")
}

/// Puts a value in.
fn grow<'a>(place: &mut Node<'a>, new: Node<'a>, dice: &mut Dice) {
    let at = dice.below(place.len() + 1);
    match place {
        Node::Scalar(_) => *place = new,
        Node::Array(items) => items.insert(at, new),
        Node::Object(members) => {
            members.insert(at, (dice.pick(NAMES).as_bytes().into(), new));
        }
    }
}

fn remove(place: &mut Node<'_>, dice: &mut Dice) {
    let at = dice.below(place.len());
    match place {
        Node::Array(items) if !items.is_empty() => drop(items.remove(at)),
        Node::Object(members) if !members.is_empty() => drop(members.remove(at)),
        _ => *place = Node::scalar("null"),
    }
}

/// Has a child once more, or many times.
fn repeat(place: &mut Node<'_>, dice: &mut Dice) {
    let (from, to) = (dice.below(place.len()), dice.below(place.len() + 1));
    let times = if dice.once_in(4) { 17 } else { 1 };
    let size = place.child(from).map_or(0, |child| child.count());
    if size == 0 || size * times > MAX_VALUES / 4 {
        return;
    }
    match place {
        Node::Scalar(_) => {}
        Node::Array(items) => {
            let item = items[from].clone();
            items.splice(to..to, std::iter::repeat_n(item, times));
        }
        Node::Object(members) => {
            let (name, member) = members[from].clone();
            // Many members have names of their own, one has the same name again.
            let named = (0..times).map(|index| {
                let name = match index {
                    0 => name.clone(),
                    _ => Token::Owned(format!("\"{index}\"").into_bytes()),
                };
                (name, member.clone())
            });
            let named: Vec<_> = named.collect();
            members.splice(to..to, named);
        }
    }
}

fn swap(place: &mut Node<'_>, dice: &mut Dice) {
    let (left, right) = (dice.below(place.len()), dice.below(place.len()));
    match place {
        Node::Array(items) if !items.is_empty() => items.swap(left, right),
        Node::Object(members) if !members.is_empty() => members.swap(left, right),
        _ => {}
    }
}

fn rename(place: &mut Node<'_>, dice: &mut Dice) {
    let at = dice.below(place.len());
    if let Node::Object(members) = place
        && let Some((name, _)) = members.get_mut(at)
    {
        if dice.once_in(3) {
            *name = edited(name, dice).into();
        } else {
            *name = dice.pick(NAMES).as_bytes().into();
        }
    }
}

/// Puts a value into new arrays or an object.
fn wrap(place: &mut Node<'_>, dice: &mut Dice) {
    let inner = std::mem::replace(place, Node::Array(Vec::new()));
    *place = if dice.once_in(2) {
        Node::Object(vec![(dice.pick(NAMES).as_bytes().into(), inner)])
    } else {
        let depth = if dice.once_in(50) {
            dice.pick(DEPTHS)
        } else {
            1
        };
        (0..depth).fold(inner, |inner, _| Node::Array(vec![inner]))
    };
}

/// Changes a scalar, or gives an array or object a name for another.
fn token(place: &mut Node<'_>, dice: &mut Dice) {
    match place {
        Node::Scalar(token) => *token = edited(token, dice).into(),
        _ => rename(place, dice),
    }
}

/// A token with something put in, taken out or replaced. The quotes of a string stay.
fn edited(token: &[u8], dice: &mut Dice) -> Vec<u8> {
    let is_string = token.len() > 1 && token.starts_with(b"\"");
    let (first, last) = if is_string {
        (1, token.len() - 1)
    } else {
        (0, token.len())
    };
    let at = first + dice.below(last - first + 1);
    let end = match dice.below(3) {
        0 => at,
        1 => (at + 1).min(last),
        _ => last,
    };
    let piece = if is_string {
        dice.pick(PIECES)
    } else {
        dice.pick(&["0", "1", "9", "-", ".", ".0", "e1", "E-2", "00000000000"])
    };
    [&token[..at], piece.as_bytes(), &token[end..]].concat()
}

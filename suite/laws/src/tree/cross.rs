//! One tree of two.

use super::change::{MANY_VALUES, nth, shrinking};
use super::dice::Dice;
use super::node::Node;

/// The first text with a value of the second in place of one of its own, or beside its own. Nothing if one of the texts has
/// not the structure of JSON.
pub fn crossover(first: &[u8], second: &[u8], seed: u32) -> Option<Vec<u8>> {
    let (mut root, mut other) = (Node::parse(first)?, Node::parse(second)?);
    let mut dice = Dice::new(seed);
    let count = other.count();
    let mut donor = nth(&mut other, dice.below(count));
    // Mostly something small is given, or all texts would become large.
    while donor.count() > MANY_VALUES && !dice.once_in(8) {
        let at = dice.below(donor.len());
        donor = donor.child(at)?;
    }
    let count = root.count();
    let place = nth(&mut root, shrinking(count, &mut dice));
    match (place, donor) {
        (Node::Object(members), Node::Object(more)) if !more.is_empty() && dice.once_in(2) => {
            let member = more.swap_remove(dice.below(more.len()));
            members.insert(dice.below(members.len() + 1), member);
        }
        (Node::Array(items), donor) if dice.once_in(2) => {
            items.insert(dice.below(items.len() + 1), donor.clone());
        }
        (place, donor) => *place = donor.clone(),
    }
    Some(root.print())
}

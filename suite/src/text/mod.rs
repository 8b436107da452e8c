//! Text for people: names that were probably meant.

mod closest;

pub use closest::closest;

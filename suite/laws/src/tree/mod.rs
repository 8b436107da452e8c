//! JSON texts taken apart and put together otherwise, so that a fuzzer changes values and not only bytes.
//!
//! [`mutate`] and [`crossover`] are pure functions of their texts and a seed. They keep tokens as they are written, right or
//! wrong, and share no code with the decoders that the results are for.

mod change;
mod cross;
mod dice;
mod node;
mod words;

pub use change::mutate;
pub use cross::crossover;

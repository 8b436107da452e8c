//! Every form of a report, made of runs that are told by hand: what people read, what machines read, and what a hostile
//! server cannot do to either.

mod baseline;
mod failures;
mod json;
mod junit;
mod numbers;
mod sample;
mod terminal;

//! Servers to be judged: one that keeps to the revision, and what it does all of a sudden instead.

mod answers;
mod deed;
mod http;
mod legacy;
mod order;
mod record;
mod stdio;

use std::process::ExitCode;

pub(crate) use deed::{CODE, Deed, WORDS};
pub(crate) use order::{Order, Speech};

/// The first argument that makes this executable a server.
pub(crate) const WORD: &str = "hostile-server";

/// Serves as ordered.
pub(crate) fn serve(words: &[String]) -> ExitCode {
    if words == [deed::HOLD] {
        return deed::hold();
    }
    let order = Order::of(words);
    match order.transport.as_str() {
        "http" => http::serve(&order),
        _ => stdio::serve(&order),
    }
}

//! What each mutant does to the stimulus of its requirement, next to what the conforming server does, over memory.

#[path = "../conforming/client.rs"]
#[expect(dead_code, reason = "the tests of the conforming server use the rest")]
mod client;

mod arguments;
mod compare;
mod connection;
mod http_headers;
mod http_params;
mod http_replies;
mod mrtr_asking;
mod mrtr_retry;
mod offered;
mod registry;
mod rounds;
mod script;
mod script_input;
mod transcript;

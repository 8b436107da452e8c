//! Mutants of when notifications come, and of what they hold.

use serde_json::{Value, json};

use super::{
    breaks::Breaks::Messages,
    mutant::{BOTH, Mutant},
    pick::calls_tool,
};
use crate::rpc::Message;

const AREA: &str = "jsonrpc";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "late-log",
        "one more log message follows the response to a call of log",
        BOTH,
        Messages(|call, message| {
            let is_logged = calls_tool(call, "log") && message.is_response();
            let wanted = call.filter(|_| is_logged).and_then(|call| call.log_level());
            let late = wanted.map(|level| {
                let params = json!({ "level": level.name(), "data": "That was all." });
                Message::notification("notifications/message", params)
            });
            [message].into_iter().chain(late).collect()
        }),
    ),
    Mutant::new(
        AREA,
        "repeats-change-without-params",
        "a change of the tools is told once more, with params null",
        BOTH,
        Messages(|_, message| {
            let is_change = message.method() == "notifications/tools/list_changed";
            let again = is_change.then(|| {
                let mut again = message.clone();
                again.body.insert("params".to_owned(), Value::Null);
                again
            });
            [message].into_iter().chain(again).collect()
        }),
    ),
];

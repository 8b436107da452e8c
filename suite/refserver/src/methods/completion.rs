//! `completion/complete` (`server/utilities/completion`).

use serde_json::{Value, json};

use crate::{
    admit::{self, Rule, Subject},
    call::Call,
    catalogue::{self, Prompt, PromptWork},
    rpc::{Fault, Found},
    server::{Outcome, Reply, Server},
};

/// The most values that a response may have.
const MOST: usize = 100;

/// Answers `completion/complete`.
pub(super) fn complete(server: &Server, call: &Call) -> Outcome {
    server.check(
        Rule::MethodParams,
        Subject::Request,
        call,
        check_params(call),
    )?;
    let text = |at: &str| {
        call.params()
            .and_then(|params| params.pointer(at))
            .and_then(Value::as_str)
    };
    let argument = text("/argument/name").unwrap_or_default();
    let typed = text("/argument/value").unwrap_or_default();
    let is_prompt = text("/ref/type") == Some("ref/prompt");
    let prompt = text("/ref/name")
        .filter(|_| is_prompt)
        .and_then(|name| catalogue::find_prompt(server, name));
    let values = match &prompt {
        Some(prompt) => prompt.completions(argument),
        None => text("/ref/uri")
            .filter(|_| !is_prompt)
            .and_then(|template| catalogue::completions(server, template, argument)),
    };
    let unknown = || {
        Fault::invalid_params(
            Rule::CompletionRef,
            "There is nothing of that name to complete.",
        )
    };
    server.check(
        Rule::CompletionRef,
        Subject::Request,
        call,
        values.as_ref().map(|_| ()).ok_or_else(unknown),
    )?;
    let is_private = prompt.as_ref().is_some_and(Prompt::is_private);
    server.check(
        Rule::Access,
        Subject::Request,
        call,
        admit::check_access(call, is_private, unknown),
    )?;
    if let Some(PromptWork::Broken(fault)) = prompt.map(|prompt| prompt.work) {
        return Err(fault());
    }
    let mut fitting = values.unwrap_or_default();
    fitting.retain(|value| value.to_lowercase().contains(&typed.to_lowercase()));
    // The likeliest come first: those that go on from what was typed.
    fitting.sort_by_key(|value| !value.to_lowercase().starts_with(&typed.to_lowercase()));
    let total = fitting.len();
    fitting.truncate(MOST);
    Ok(Reply::from(
        json!({ "completion": { "values": fitting, "total": total, "hasMore": total > MOST } }),
    ))
}

fn check_params(call: &Call) -> Found {
    let params = call.params();
    let is_text = |at: &str| {
        params
            .and_then(|params| params.pointer(at))
            .is_some_and(Value::is_string)
    };
    let reference = match params
        .and_then(|params| params.pointer("/ref/type"))
        .and_then(Value::as_str)
    {
        Some("ref/prompt") => is_text("/ref/name"),
        Some("ref/resource") => is_text("/ref/uri"),
        _ => false,
    };
    let context = call
        .param("context")
        .and_then(|context| context.get("arguments"));
    let context = context.is_none_or(|arguments| {
        arguments
            .as_object()
            .is_some_and(|arguments| arguments.values().all(Value::is_string))
    });
    if reference && is_text("/argument/name") && is_text("/argument/value") && context {
        return Ok(());
    }
    Err(Fault::invalid_params(
        Rule::MethodParams,
        "The params need ref and argument in their shapes.",
    ))
}

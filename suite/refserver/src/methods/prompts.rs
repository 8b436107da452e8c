//! `prompts/get`.

use serde_json::Value;

use crate::{
    admit::{self, Rule, Subject},
    call::Call,
    catalogue::{self, Prompt, PromptWork},
    rpc::{Fault, Found},
    server::{Outcome, Reply, Server},
};

/// Answers `prompts/get`.
pub(super) fn get(server: &Server, call: &Call) -> Outcome {
    let name = call
        .param("name")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let prompt = catalogue::find_prompt(server, name);
    let unknown = || Fault::invalid_params(Rule::PromptKnown, "Unknown prompt");
    server.check(
        Rule::PromptKnown,
        Subject::Request,
        call,
        prompt.as_ref().map(|_| ()).ok_or_else(unknown),
    )?;
    let Some(prompt) = prompt else {
        return Err(unknown());
    };
    server.check(
        Rule::Access,
        Subject::Request,
        call,
        admit::check_access(call, prompt.is_private(), unknown),
    )?;
    server.check(
        Rule::PromptArguments,
        Subject::Request,
        call,
        check_arguments(call, &prompt),
    )?;
    match prompt.work {
        PromptWork::Now(work) => Ok(Reply::from(work(&call.arguments()))),
        PromptWork::Asks(interview) if !call.legacy => interview().run(server, call),
        PromptWork::Asks(_) => Err(unknown()),
        PromptWork::Broken(fault) => Err(fault()),
    }
}

fn check_arguments(call: &Call, prompt: &Prompt) -> Found {
    let given = call.arguments();
    let refusal = |why: String| Err(Fault::invalid_params(Rule::PromptArguments, why));
    if let Some((name, _)) = given.iter().find(|(_, value)| !value.is_string()) {
        return refusal(format!("The argument {name:?} has to be a string."));
    }
    if let Some((name, _)) = prompt
        .arguments()
        .find(|(name, required)| *required && !given.contains_key(*name))
    {
        return refusal(format!("The argument {name} is missing."));
    }
    Ok(())
}

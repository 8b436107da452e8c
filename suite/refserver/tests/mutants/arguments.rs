//! Arguments that a mutant lets through although no tool is made for them.

use mcpspec_refserver::{Options, mutants};
use serde_json::json;

use crate::client::{Stdio, request};

#[tokio::test(start_paused = true)]
async fn every_tool_answers_whatever_arguments_a_mutant_lets_through() {
    let mutant = mutants()
        .iter()
        .find(|mutant| mutant.name == "arguments-string-as-empty");
    let options = Options {
        mutant: Some(mutant.expect("there is such a mutant")),
        fixtures: true,
        ..Options::default()
    };
    let mut client = Stdio::start(options);
    let list = client.ask(request("list", "tools/list", json!({}))).await;
    let tools = list["result"]["tools"].as_array().expect("it is a list");
    assert!(tools.len() > 5, "{list}");
    for tool in tools {
        let name = tool["name"].as_str().expect("a tool has a name");
        let params = json!({ "name": name, "arguments": "none" });
        let answer = client.ask(request(name, "tools/call", params)).await;
        let is_answered = answer.get("result").or(answer.get("error"));
        assert!(is_answered.is_some(), "{name}: {answer}");
    }
}

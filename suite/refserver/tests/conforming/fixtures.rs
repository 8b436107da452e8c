//! What the official conformance suite expects by name.

use mcpspec_refserver::Options;
use serde_json::{Value, json};

use crate::client::{Stdio, capable, code, meta, request};

fn start(fixtures: bool) -> Stdio {
    Stdio::start(Options {
        fixtures,
        ..Options::default()
    })
}

fn call(tool: &str, more: Value) -> Value {
    let mut params = json!({ "name": tool, "arguments": {} });
    for (name, value) in more.as_object().expect("an object of params") {
        params[name] = value.clone();
    }
    capable(1, "tools/call", params)
}

/// The member `key` of all that a list has on all its pages.
async fn listed(client: &mut Stdio, method: &str, member: &str, key: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut params = json!({});
    loop {
        let answer = client.ask(request(1, method, params)).await;
        let items = answer["result"][member].as_array().expect("a list");
        names.extend(
            items
                .iter()
                .filter_map(|item| item[key].as_str())
                .map(str::to_owned),
        );
        match answer["result"].get("nextCursor") {
            Some(cursor) => params = json!({ "cursor": cursor }),
            None => return names,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn fixtures_are_there_only_with_the_option() {
    for (method, member, key, due) in [
        ("tools/list", "tools", "name", "test_simple_text"),
        ("prompts/list", "prompts", "name", "test_simple_prompt"),
        ("resources/list", "resources", "uri", "test://static-text"),
        (
            "resources/templates/list",
            "resourceTemplates",
            "uriTemplate",
            "test://template/{id}/data",
        ),
    ] {
        let without = listed(&mut start(false), method, member, key).await;
        let with = listed(&mut start(true), method, member, key).await;
        let added: Vec<&String> = with.iter().filter(|name| !without.contains(name)).collect();
        assert!(added.iter().any(|name| *name == due), "{with:?}");
        assert_eq!(
            with.len(),
            without.len() + added.len(),
            "{method} lists something twice"
        );
        assert!(
            !without.iter().any(|name| name.starts_with("test")),
            "{without:?}"
        );
    }
    for (method, params) in [
        ("tools/call", json!({ "name": "test_simple_text" })),
        (
            "prompts/get",
            json!({ "name": "test_input_required_result_prompt" }),
        ),
        (
            "resources/read",
            json!({ "uri": "test://template/123/data" }),
        ),
    ] {
        let asked = capable(1, method, params);
        assert_eq!(
            code(&start(false).ask(asked.clone()).await),
            -32602,
            "{method}"
        );
        assert!(
            start(true).ask(asked).await["result"].is_object(),
            "{method}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_state_answers_are_taken_at_once_and_checked() {
    let tool = "test_input_required_result_elicitation";
    let mut client = start(true);
    let asked = client.ask(call(tool, json!({}))).await["result"].clone();
    assert_eq!(asked["resultType"], "input_required");
    assert_eq!(asked.get("requestState"), None);
    let given =
        json!({ "user_name": { "action": "accept", "content": { "name": "Ada" } }, "other": {} });
    let done = client
        .ask(call(tool, json!({ "inputResponses": given })))
        .await;
    assert_eq!(done["result"]["resultType"], "complete", "{done}");
    let wrong = call(tool, json!({ "inputResponses": { "user_name": 5 } }));
    assert_eq!(code(&client.ask(wrong).await), -32602);
}

#[tokio::test(start_paused = true)]
async fn a_tool_may_ask_for_no_more_than_the_client_declares() {
    let mut client = start(true);
    let with = |capabilities: Value| {
        let params = json!({ "name": "test_input_required_result_capabilities", "_meta": meta(capabilities) });
        request(1, "tools/call", params)
    };
    let asked = client.ask(with(json!({ "sampling": {} }))).await;
    let requests = asked["result"]["inputRequests"]
        .as_object()
        .expect("something is asked for");
    let methods: Vec<&Value> = requests
        .values()
        .map(|request| &request["method"])
        .collect();
    assert_eq!(methods, ["sampling/createMessage"]);
    let alone = client.ask(with(json!({}))).await;
    assert_eq!(alone["result"]["resultType"], "complete", "{alone}");
}

#[tokio::test(start_paused = true)]
async fn a_resource_in_a_prompt_has_the_uri_that_was_given_if_it_is_one() {
    let mut client = start(true);
    for (given, due) in [
        ("test://example-resource", "test://example-resource"),
        ("x", "test://embedded-resource"),
        ("test:// x", "test://embedded-resource"),
    ] {
        let params = json!({ "name": "test_prompt_with_embedded_resource", "arguments": { "resourceUri": given } });
        let answer = client.ask(request(1, "prompts/get", params)).await;
        let uri = &answer["result"]["messages"][0]["content"]["resource"]["uri"];
        assert_eq!(uri, due, "{answer}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_schema_with_branches_is_held_against_arguments() {
    let mut client = start(true);
    for (arguments, is_error) in [
        (json!({ "reach": "phone", "phone": "1" }), false),
        (json!({ "reach": "phone", "email": "a@b" }), true),
        (
            json!({ "email": "a@b", "address": { "city": "Paris" } }),
            false,
        ),
        (json!({ "email": "a@b", "address": { "city": 5 } }), true),
        (json!({ "name": "Ada" }), true),
    ] {
        let asked = call(
            "json_schema_2020_12_tool",
            json!({ "arguments": arguments }),
        );
        let answer = client.ask(asked).await;
        assert_eq!(answer["result"]["isError"] == true, is_error, "{answer}");
    }
}

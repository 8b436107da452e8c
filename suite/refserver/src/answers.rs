//! The shapes of answers to input requests (`client/elicitation`, `client/sampling`, `client/roots`).

use serde_json::Value;

use crate::schema;

/// Says why `response` is no answer to `request`.
pub(crate) fn check_answer(request: &Value, response: &Value) -> Result<(), String> {
    if !response.is_object() {
        return Err("it has to be an object".to_owned());
    }
    match request["method"].as_str() {
        Some("elicitation/create") => check_elicited(&request["params"], response),
        Some("sampling/createMessage") => check_sampled(response),
        _ => check_roots(response),
    }
}

fn check_elicited(params: &Value, response: &Value) -> Result<(), String> {
    match response["action"].as_str() {
        Some("decline" | "cancel") => Ok(()),
        Some("accept") if params["mode"] == "url" => Ok(()),
        Some("accept") if response["content"].is_object() => {
            schema::validate(&params["requestedSchema"], &response["content"], "content")
        }
        Some("accept") => Err("content has to be an object".to_owned()),
        _ => Err("action has to be accept, decline or cancel".to_owned()),
    }
}

fn check_sampled(response: &Value) -> Result<(), String> {
    let content = &response["content"];
    if !matches!(response["role"].as_str(), Some("user" | "assistant")) {
        Err("role has to be user or assistant".to_owned())
    } else if !response["model"].is_string() {
        Err("model has to be a string".to_owned())
    } else if !content
        .as_array()
        .map_or_else(|| is_block(content), |blocks| blocks.iter().all(is_block))
    {
        Err("content has to be a block or a list of blocks".to_owned())
    } else {
        Ok(())
    }
}

fn is_block(block: &Value) -> bool {
    match block["type"].as_str() {
        Some("text") => block["text"].is_string(),
        Some("image" | "audio") => block["data"].is_string() && block["mimeType"].is_string(),
        Some("tool_use") => {
            block["id"].is_string() && block["name"].is_string() && block["input"].is_object()
        }
        Some("tool_result") => block["toolUseId"].is_string() && block["content"].is_array(),
        _ => false,
    }
}

fn check_roots(response: &Value) -> Result<(), String> {
    let is_root = |root: &Value| {
        root["uri"]
            .as_str()
            .is_some_and(|uri| uri.starts_with("file://"))
    };
    match response["roots"].as_array() {
        Some(roots) if roots.iter().all(is_root) => Ok(()),
        _ => Err("roots has to be a list of roots with file:// URIs".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_form_takes_what_fits_its_schema() {
        let request = json!({ "method": "elicitation/create", "params": { "requestedSchema": {
            "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"],
        } } });
        for answer in [
            json!({ "action": "accept", "content": { "name": "x" } }),
            json!({ "action": "decline" }),
        ] {
            assert_eq!(check_answer(&request, &answer), Ok(()), "{answer}");
        }
        for answer in [
            json!(5),
            json!({}),
            json!({ "action": "bogus" }),
            json!({ "action": "accept" }),
            json!({ "action": "accept", "content": {} }),
            json!({ "action": "accept", "content": { "name": 5 } }),
        ] {
            assert!(check_answer(&request, &answer).is_err(), "{answer}");
        }
    }

    #[test]
    fn samples_and_roots_have_their_shapes() {
        let sampling = json!({ "method": "sampling/createMessage" });
        let sample = json!({ "role": "assistant", "content": { "type": "text", "text": "x" }, "model": "m" });
        assert_eq!(check_answer(&sampling, &sample), Ok(()));
        let uses = json!([{ "type": "tool_use", "id": "1", "name": "tide", "input": {} }]);
        let sample = json!({ "role": "assistant", "content": uses, "model": "m" });
        assert_eq!(check_answer(&sampling, &sample), Ok(()));
        for content in [
            json!("x"),
            json!({ "type": "bogus" }),
            json!({ "type": "text" }),
            json!([{ "type": "tool_use", "id": 1, "name": "tide", "input": {} }]),
        ] {
            let sample = json!({ "role": "assistant", "content": content, "model": "m" });
            assert!(check_answer(&sampling, &sample).is_err(), "{sample}");
        }
        let roots = json!({ "method": "roots/list" });
        assert_eq!(
            check_answer(&roots, &json!({ "roots": [{ "uri": "file:///x" }] })),
            Ok(())
        );
        assert!(check_answer(&roots, &json!({ "roots": [{ "uri": "http://x" }] })).is_err());
    }
}

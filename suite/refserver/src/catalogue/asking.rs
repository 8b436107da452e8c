//! Tools that need answers of the client.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{
    content::text,
    tools::{Tool, Work, object},
};
use crate::{
    admit::Need,
    call::Call,
    interview::{Answers, Interview, Question},
};

/// The tools.
pub(super) fn tools() -> Vec<Tool> {
    let asks = |name, description: &str, interview| {
        Tool::read_only(
            name,
            description,
            object(json!({}), &[]),
            Work::Asks(interview),
        )
    };
    vec![
        asks("ask", "Asks a person by a form.", |_| {
            Interview::new(|_| vec![about_you()], conclude)
        }),
        asks("visit", "Sends a person to a page.", |_| {
            Interview::new(|_| vec![page()], |_, _| not_visited())
        }),
        asks("combine", "Asks a person and a model at once.", |_| {
            Interview::new(|_| vec![topic(), draft()], conclude)
        }),
        asks("converse", "Asks a person, then a model.", |_| {
            Interview::new(one_by_one, conclude)
        }),
        asks("sample", "Asks a model.", |_| {
            Interview::new(|_| vec![draft()], conclude)
        }),
        asks(
            "sample_with_tools",
            "Asks a model that may use a tool.",
            |_| Interview::new(with_tools, conclude),
        ),
        asks("roots", "Asks for the roots of the client.", |_| {
            Interview::new(|_| vec![roots("roots")], conclude)
        }),
        Tool::read_only(
            "read_file",
            "Reads a file that lies inside the roots of the client.",
            object(
                json!({ "uri": { "type": "string", "description": "Where it is" } }),
                &["uri"],
            ),
            Work::Asks(|_| Interview::new(|_| vec![roots("roots")], read_file)),
        ),
        Tool::read_only(
            "unlock",
            "Opens a door once for each time that a person agrees.",
            object(
                json!({
                    "door": { "type": "string" },
                    "ttl": { "type": "number", "minimum": 0.1, "maximum": 3600, "description": "Seconds to answer in" },
                }),
                &["door"],
            ),
            Work::Asks(unlock),
        ),
    ]
}

fn unlock(arguments: &Map<String, Value>) -> Interview {
    let ttl = arguments
        .get("ttl")
        .and_then(Value::as_f64)
        .map_or(Interview::TTL, Duration::from_secs_f64);
    Interview {
        ttl,
        one_time: true,
        ..Interview::new(|_| vec![consent()], conclude)
    }
}

/// The result tells what was answered, or that a person refused.
fn conclude(_call: &Call, answers: &Answers) -> Value {
    let refused = answers.values().any(|answer| {
        answer
            .get("action")
            .is_some_and(|action| action != "accept")
    });
    let words = if refused {
        "Nothing was done, as you wished.".to_owned()
    } else {
        format!("You answered {}.", summary(answers))
    };
    json!({ "content": [text(words)] })
}

fn summary(answers: &Answers) -> Value {
    let shown = |answer: &Value| {
        answer
            .get("content")
            .or(answer.get("roots"))
            .unwrap_or(answer)
            .clone()
    };
    answers
        .iter()
        .map(|(key, answer)| (key.clone(), shown(answer)))
        .collect::<Map<_, _>>()
        .into()
}

/// What the site behind the page gave the server when somebody else was there. No client sees it.
pub(crate) const SITE_CREDENTIAL: &str = "x7fq2mzk9site";

/// Consent to open a page does not say that it was visited (`client/elicitation`), and this one never is.
fn not_visited() -> Value {
    json!({ "content": [text("The page was not visited yet.")], "isError": true })
}

pub(super) fn form(
    key: &'static str,
    message: &str,
    properties: Value,
    required: &[&str],
) -> Question {
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    let params = json!({ "mode": "form", "message": message, "requestedSchema": schema });
    Question {
        key,
        need: Need::Form,
        request: json!({ "method": "elicitation/create", "params": params }),
    }
}

/// A form with a field of each kind.
pub(super) fn about_you() -> Question {
    let fields = json!({
        "name": { "type": "string", "title": "Name", "minLength": 1, "maxLength": 100 },
        "email": { "type": "string", "format": "email", "default": "someone@example.com" },
        "age": { "type": "integer", "minimum": 0, "maximum": 150 },
        "height": { "type": "number", "description": "In metres", "minimum": 0.3, "default": 1.7 },
        "newsletter": { "type": "boolean", "default": false },
        "shirt": { "type": "string", "enum": ["s", "l"], "enumNames": ["Small", "Large"] },
        "colour": { "type": "string", "enum": ["red", "green", "blue"], "default": "green" },
        "size": { "type": "string", "oneOf": [{ "const": "s", "title": "Small" }, { "const": "l", "title": "Large" }] },
        "days": { "type": "array", "items": { "type": "string", "enum": ["sat", "sun"] }, "maxItems": 2, "default": ["sat"] },
        "hobbies": { "type": "array", "items": { "anyOf": [{ "const": "chess", "title": "Chess" }, { "const": "go", "title": "Go" }] } },
    });
    form("about_you", "Please tell who you are.", fields, &["name"])
}

fn topic() -> Question {
    form(
        "topic",
        "What shall it be about?",
        json!({ "topic": { "type": "string", "minLength": 1 } }),
        &["topic"],
    )
}

fn consent() -> Question {
    form(
        "consent",
        "Shall the door be opened?",
        json!({ "sure": { "type": "boolean", "default": true } }),
        &["sure"],
    )
}

fn page() -> Question {
    let params = json!({ "mode": "url", "message": "Please open this page.", "url": "https://example.com/refserver/connect" });
    Question {
        key: "page",
        need: Need::Url,
        request: json!({ "method": "elicitation/create", "params": params }),
    }
}

pub(super) fn said(role: &str, content: Value) -> Value {
    json!({ "role": role, "content": content })
}

fn draft() -> Question {
    let params = json!({
        "messages": [said("user", text("Write one sentence about a lighthouse."))],
        "systemPrompt": "You are brief.",
        "modelPreferences": { "hints": [{ "name": "small" }], "speedPriority": 0.8, "costPriority": 0.5, "intelligencePriority": 0.2 },
        "temperature": 0.5,
        "stopSequences": ["\n\n"],
        "maxTokens": 100,
    });
    Question {
        key: "draft",
        need: Need::Sampling,
        request: json!({ "method": "sampling/createMessage", "params": params }),
    }
}

fn one_by_one(answers: &Answers) -> Vec<Question> {
    if answers.contains_key("topic") {
        vec![topic(), draft()]
    } else {
        vec![topic()]
    }
}

/// What the model wanted of the tool is answered in a second round.
fn with_tools(answers: &Answers) -> Vec<Question> {
    let first = said("user", text("How high is the tide?"));
    let tools = json!([{
        "name": "tide",
        "description": "Says how high the tide is.",
        "inputSchema": { "type": "object", "properties": { "port": { "type": "string" } } },
    }]);
    let asking = |key, messages: Value, mode: &str| {
        let params = json!({ "messages": messages, "maxTokens": 100, "tools": tools, "toolChoice": { "mode": mode } });
        let request = json!({ "method": "sampling/createMessage", "params": params });
        Question {
            key,
            need: Need::SamplingTools,
            request,
        }
    };
    let mut questions = vec![asking("plan", json!([first]), "auto")];
    if let Some(plan) = answers.get("plan") {
        let uses = uses_of(plan);
        if !uses.is_empty() {
            let results: Vec<Value> = uses.iter().map(result_of).collect();
            let messages = json!([
                first,
                said("assistant", plan["content"].clone()),
                said("user", results.into())
            ]);
            questions.push(asking("summary", messages, "none"));
        }
    }
    questions
}

fn uses_of(plan: &Value) -> Vec<Value> {
    let blocks = match &plan["content"] {
        Value::Array(blocks) => blocks.clone(),
        block => vec![block.clone()],
    };
    blocks
        .into_iter()
        .filter(|block| block["type"] == "tool_use")
        .collect()
}

/// The result of a tool use keeps its `_meta` (`client/sampling`).
fn result_of(tool_use: &Value) -> Value {
    let mut result =
        json!({ "type": "tool_result", "toolUseId": tool_use["id"], "content": [text("2.1 m")] });
    if let Some(meta) = tool_use.get("_meta") {
        result["_meta"] = meta.clone();
    }
    result
}

/// No file is opened: those inside the roots are all alike.
fn read_file(call: &Call, answers: &Answers) -> Value {
    let arguments = call.arguments();
    let uri = arguments
        .get("uri")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let is_inside = |root: &Value| {
        let root = root["uri"].as_str().unwrap_or_default();
        uri.strip_prefix(root.trim_end_matches('/'))
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let mut roots = answers
        .get("roots")
        .and_then(|answer| answer["roots"].as_array())
        .into_iter()
        .flatten();
    let climbs = uri.split('/').any(|step| [".", ".."].contains(&step));
    if !climbs && !uri.contains('%') && roots.any(is_inside) {
        json!({ "content": [text("A quiet day.")] })
    } else {
        json!({ "content": [text("That is outside your roots.")], "isError": true })
    }
}

/// Asks for the roots.
pub(super) fn roots(key: &'static str) -> Question {
    Question {
        key,
        need: Need::Roots,
        request: json!({ "method": "roots/list" }),
    }
}

//! Mutants of `tools/call` (`server/tools#calling-tools`).

use serde_json::{Value, json};

use super::{
    breaks::Breaks::{Call as Changes, Check, Outcome, Own, Shape},
    mutant::{BOTH, HTTP, Mutant, Variant},
    panics::Panics,
    pick::calls_tool,
    shape::{Do, Edit, On},
};
use crate::{
    admit::{Rule, keys},
    call::Call,
    methods::server_info,
    rpc::{Fault, codes},
    server::Reply,
};

const AREA: &str = "tools";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "hidden-tool-callable",
        "a tool that a principal does not see can still be called by its name",
        HTTP,
        Check(|check, _, found| {
            if check.rule == Rule::ToolPermitted {
                Ok(())
            } else {
                found
            }
        }),
    )
    .on(Variant {
        protected: true,
        ..Variant::DEFAULT
    }),
    Mutant::new(
        AREA,
        "accepts-extra-argument",
        "an argument that additionalProperties forbids is let pass",
        BOTH,
        Check(|check, _, found| match found {
            Err(fault) if check.rule == Rule::ToolArguments && is_about_extra(&fault) => Ok(()),
            found => found,
        }),
    ),
    Mutant::new(
        AREA,
        "arguments-string-as-empty",
        "arguments that are a string are taken as none, and the call succeeds",
        BOTH,
        Check(|check, call, found| {
            let is_text = call.param("arguments").is_some_and(Value::is_string);
            let concerned = [Rule::MethodParams, Rule::ToolArguments].contains(&check.rule);
            if concerned && is_text && call.method() == "tools/call" {
                Ok(())
            } else {
                found
            }
        }),
    ),
    Mutant::new(
        AREA,
        "result-without-content",
        "the result of a call has no content",
        BOTH,
        Shape(&[Edit(On::Called("echo"), "/result/content", Do::Remove)]),
    ),
    Mutant::new(
        AREA,
        "demands-tool-arguments",
        "a call of echo without arguments is refused, and not answered as one with empty arguments",
        BOTH,
        Check(|check, call, found| {
            let lacks = calls_tool(Some(call), "echo") && call.param("arguments").is_none();
            if check.rule == Rule::MethodParams && lacks {
                let why = "The member arguments is missing.";
                return Err(Fault::invalid_params(check.rule, why));
            }
            found
        }),
    ),
    Mutant::new(
        AREA,
        "dies-on-nameless-call",
        "a call without a name that is a string ends the process, or gets a bare 500",
        BOTH,
        Own(|| {
            Box::new(Panics(|call| {
                call.method() == "tools/call" && !call.param("name").is_some_and(Value::is_string)
            }))
        }),
    ),
    Mutant::new(
        AREA,
        "unknown-tool-as-iserror",
        "a call of a tool that there is not gives a result with isError",
        BOTH,
        Outcome(|_, outcome| match outcome {
            Err(fault) if fault.rule == Rule::ToolKnown => Ok(tool_error(&fault)),
            outcome => outcome,
        }),
    ),
    Mutant::new(
        AREA,
        "case-insensitive-tool-lookup",
        "the name of a tool is taken in lower case",
        BOTH,
        Changes(lower_name),
    ),
    Mutant::new(
        AREA,
        "tool-exception-as-32603",
        "a tool that fails gives an internal error",
        BOTH,
        Outcome(|call, outcome| {
            let reply = outcome?;
            let failed = call.param("name") == Some(&json!("fail"));
            if failed && reply.result.get("isError") == Some(&json!(true)) {
                return Err(Fault::new(
                    Rule::Work,
                    codes::INTERNAL,
                    "This tool always fails.",
                ));
            }
            Ok(reply)
        }),
    ),
    Mutant::new(
        AREA,
        "embeds-without-resources-capability",
        "a tool embeds a resource, and the capability resources is not declared",
        BOTH,
        Shape(&[Edit(
            On::Complete(&["server/discover"]),
            "/result/capabilities/resources",
            Do::Remove,
        )]),
    ),
    Mutant::new(
        AREA,
        "iserror-as-string",
        "isError is a string",
        BOTH,
        Shape(&[Edit(
            On::Called("echo"),
            "/result/isError",
            Do::Set("\"false\""),
        )]),
    ),
    Mutant::new(
        AREA,
        "nonconforming-structured-content",
        "a number of structured content is a string",
        BOTH,
        Shape(&[
            Edit(
                On::Called("add"),
                "/result/structuredContent",
                Do::Set("{\"sum\":\"3\"}"),
            ),
            Edit(
                On::Called("add"),
                "/result/content",
                Do::Set("[{\"type\":\"text\",\"text\":\"{\\\"sum\\\":\\\"3\\\"}\"}]"),
            ),
        ]),
    ),
    Mutant::new(
        AREA,
        "structured-without-text",
        "structured content comes with no content beside it",
        BOTH,
        Shape(&[Edit(On::Called("add"), "/result/content", Do::Set("[]"))]),
    ),
];

fn is_about_extra(fault: &Fault) -> bool {
    fault.message.contains("which is unknown")
}

fn tool_error(fault: &Fault) -> Reply {
    Reply::from(json!({
        "resultType": "complete",
        "content": [{ "type": "text", "text": fault.message }],
        "isError": true,
        "_meta": { keys::SERVER_INFO: server_info() },
    }))
}

/// The header, where it says the same, goes along, so that names are still compared.
fn lower_name(call: &mut Call) {
    if call.method() != "tools/call" {
        return;
    }
    let Some(name) = call.param("name").and_then(Value::as_str) else {
        return;
    };
    let (name, lower) = (name.to_owned(), name.to_ascii_lowercase());
    if let Some(line) = call.headers.get_mut("mcp-name") {
        match lower.parse() {
            Ok(value) if line.as_bytes() == name.as_bytes() => *line = value,
            _ => return,
        }
    }
    if let Some(params) = call.body.get_mut("params") {
        params["name"] = json!(lower);
    }
}

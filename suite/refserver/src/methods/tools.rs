//! `tools/call`.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::{
    admit::{self, MarkedParam, Rule, Subject},
    call::{Call, Transport},
    catalogue::{self, Job, Tool, Work},
    rpc::{Fault, Found},
    schema,
    serve::Sink,
    server::{Outcome, Reply, Server},
};

/// Answers `tools/call`.
pub(super) async fn call(server: &Arc<Server>, call: &Arc<Call>, sink: &Sink) -> Outcome {
    let name = call
        .param("name")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let tool = catalogue::tools(server).find(|tool| tool.name == name);
    let unknown = || unknown_tool(Rule::ToolKnown, name);
    server.check(
        Rule::ToolKnown,
        Subject::Request,
        call,
        tool.map(|_| ()).ok_or_else(unknown),
    )?;
    let Some(tool) = tool else {
        return Err(unknown());
    };
    check_permitted(server, call, name)?;
    let arguments = call.arguments();
    if call.transport == Transport::Http && !call.legacy {
        check_param_headers(server, call, tool, &arguments)?;
    }
    if let Err(why) = schema::validate(
        tool.input_schema(),
        &Value::Object(arguments.clone()),
        "arguments",
    ) {
        let fault = Fault::invalid_params(
            Rule::ToolArguments,
            format!("The arguments are not valid: {why}."),
        );
        if let Err(fault) = server.check(Rule::ToolArguments, Subject::Request, call, Err(fault)) {
            return Ok(execution_error(&fault));
        }
    }
    match &tool.work {
        Work::Now(work) => Ok(Reply::from(work(server, &arguments))),
        Work::Asks(_) if call.legacy => {
            let fault = Fault::invalid_params(
                Rule::ClientCapability,
                "This tool needs protocol version 2026-07-28.",
            );
            Ok(execution_error(&fault))
        }
        Work::Asks(interview) => interview(&arguments).run(server, call),
        Work::Takes(work) => {
            let job = Job {
                server: Arc::clone(server),
                sink: sink.clone(),
                arguments,
            };
            work(job).await
        }
    }
}

/// A tool that is hidden from a principal does not exist for it (`server/tools#security-considerations`).
fn check_permitted(server: &Server, call: &Call, name: &str) -> Found {
    let rule = Rule::ToolPermitted;
    let found = if call.is_low() {
        Err(unknown_tool(rule, name))
    } else {
        Ok(())
    };
    server.check(rule, Subject::Request, call, found)
}

fn unknown_tool(rule: Rule, name: &str) -> Fault {
    Fault::invalid_params(rule, format!("Unknown tool: {}", preview(name)))
}

/// Arguments that a model can correct are no protocol error (`server/tools#error-handling`).
fn execution_error(fault: &Fault) -> Reply {
    let result = json!({ "content": [catalogue::text(fault.message.as_str())], "isError": true });
    Reply {
        rule: Some(fault.rule),
        ..Reply::from(result)
    }
}

fn preview(name: &str) -> String {
    name.chars()
        .filter(|character| !character.is_control())
        .take(80)
        .collect()
}

fn check_param_headers(
    server: &Server,
    call: &Call,
    tool: &Tool,
    arguments: &Map<String, Value>,
) -> Found {
    let mut marked = Vec::new();
    collect_marked(
        tool.input_schema(),
        &Value::Object(arguments.clone()),
        &[],
        &mut marked,
    );
    for param in &marked {
        server.check(
            Rule::ParamHeader,
            Subject::Param(param),
            call,
            admit::check_param_header(call, param),
        )?;
    }
    Ok(())
}

/// Finds what a schema marks, which is reachable by `properties` alone, with the values at the same places.
fn collect_marked(schema: &Value, values: &Value, path: &[String], marked: &mut Vec<MarkedParam>) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let path = [path, std::slice::from_ref(name)].concat();
        let value = &values[name];
        if let Some(header) = property["x-mcp-header"].as_str() {
            let value = Some(value).filter(|value| !value.is_null()).cloned();
            marked.push(MarkedParam {
                header: format!("Mcp-Param-{header}"),
                path: path.clone(),
                value,
            });
        }
        collect_marked(property, value, &path, marked);
    }
}

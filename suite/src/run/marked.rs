//! The argument that a header mirrors, wherever it lies.

use mcpspec_wire::{Object, Value};

/// Sets the argument that the called tool's first header annotation marks, or leaves it out.
pub(super) fn change(message: &mut Value, value: Option<Value>, tools: &[Value]) {
    let params = message
        .as_object_mut()
        .and_then(|message| message.get_mut("params")?.as_object_mut());
    let Some(params) = params else { return };
    let name = params.get("name").and_then(Value::as_str);
    let tool = tools
        .iter()
        .find(|tool| tool.get("name").and_then(Value::as_str) == name);
    let Some(path) = tool.and_then(|tool| path_of(tool.get("inputSchema")?)) else {
        return;
    };
    let Some((last, inner)) = path.split_last() else {
        return;
    };
    let mut place = params;
    for step in std::iter::once("arguments").chain(inner.iter().map(String::as_str)) {
        if place
            .get(step)
            .is_none_or(|inner| inner.as_object().is_none())
        {
            if value.is_none() {
                return;
            }
            place.insert(step, Object::new());
        }
        match place.get_mut(step).and_then(Value::as_object_mut) {
            Some(inner) => place = inner,
            None => return,
        }
    }
    match value {
        Some(value) => {
            place.insert(last.as_str(), value);
        }
        None => {
            place.remove(last);
        }
    }
}

/// Member names that lead to the first property marked by `x-mcp-header`, in order of the schema.
fn path_of(schema: &Value) -> Option<Vec<String>> {
    let Some(Value::Object(properties)) = schema.get("properties") else {
        return None;
    };
    properties.iter().find_map(|(name, property)| {
        if property.get("x-mcp-header").is_some() {
            return Some(vec![name.to_owned()]);
        }
        let mut path = vec![name.to_owned()];
        path.extend(path_of(property)?);
        Some(path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Value {
        mcpspec_wire::Document::parse(text.as_bytes())
            .expect("it is JSON")
            .into_value()
    }

    fn changed(arguments: &str, value: Option<Value>) -> Value {
        let schema = r#"{"properties":{"a":{},"o":{"properties":{"i":{"x-mcp-header":"I"}}},"z":{"x-mcp-header":"Z"}}}"#;
        let tools = [json(&format!(r#"{{"name":"t","inputSchema":{schema}}}"#))];
        let mut message = json(&format!(r#"{{"params":{{"name":"t"{arguments}}}}}"#));
        change(&mut message, value, &tools);
        message
    }

    #[test]
    fn the_first_marked_argument_is_set_wherever_it_lies() {
        let due = json(r#"{"params":{"name":"t","arguments":{"a":1,"o":{"i":"x"}}}}"#);
        let arguments = [
            r#","arguments":{"a":1}"#,
            r#","arguments":{"a":1,"o":{"i":5}}"#,
        ];
        for arguments in arguments {
            assert_eq!(changed(arguments, Some(Value::from("x"))), due);
        }
    }

    #[test]
    fn it_can_be_left_out() {
        let due = json(r#"{"params":{"name":"t","arguments":{"o":{}}}}"#);
        assert_eq!(changed(r#","arguments":{"o":{"i":5}}"#, None), due);
        assert_eq!(changed("", None), json(r#"{"params":{"name":"t"}}"#));
    }
}

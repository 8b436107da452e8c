//! The argument that a header mirrors, wherever it lies.

use mcpspec_wire::{Object, Value};

/// Sets the argument of the called tool that this header mirrors, without one that which the first header annotation marks; or
/// leaves it out.
pub(super) fn change(
    message: &mut Value,
    value: Option<Value>,
    header: Option<&str>,
    tools: &[Value],
) {
    let params = message
        .as_object_mut()
        .and_then(|message| message.get_mut("params")?.as_object_mut());
    let Some(params) = params else { return };
    let name = params.get("name").and_then(Value::as_str);
    let tool = tools
        .iter()
        .find(|tool| tool.get("name").and_then(Value::as_str) == name);
    let Some(path) = tool.and_then(|tool| path_of(tool.get("inputSchema")?, header)) else {
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

/// Member names that lead to the first property marked by `x-mcp-header`, or by the one that stands for this header, in order of
/// the schema.
fn path_of(schema: &Value, header: Option<&str>) -> Option<Vec<String>> {
    let Some(Value::Object(properties)) = schema.get("properties") else {
        return None;
    };
    let is_meant = |annotation: &Value| {
        header.is_none_or(|header| {
            let name = annotation.as_str().unwrap_or_default();
            header.eq_ignore_ascii_case(&format!("Mcp-Param-{name}"))
        })
    };
    properties.iter().find_map(|(name, property)| {
        if property.get("x-mcp-header").is_some_and(is_meant) {
            return Some(vec![name.to_owned()]);
        }
        let mut path = vec![name.to_owned()];
        path.extend(path_of(property, header)?);
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

    fn changed_by(arguments: &str, value: Option<Value>, header: Option<&str>) -> Value {
        let schema = r#"{"properties":{"a":{},"o":{"properties":{"i":{"x-mcp-header":"I"}}},"z":{"x-mcp-header":"Z"}}}"#;
        let tools = [json(&format!(r#"{{"name":"t","inputSchema":{schema}}}"#))];
        let mut message = json(&format!(r#"{{"params":{{"name":"t"{arguments}}}}}"#));
        change(&mut message, value, header, &tools);
        message
    }

    fn changed(arguments: &str, value: Option<Value>) -> Value {
        changed_by(arguments, value, None)
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
    fn the_argument_of_a_header_is_set_though_another_is_marked_before_it() {
        assert_eq!(
            changed_by("", Some(Value::from(7)), Some("mcp-param-z")),
            json(r#"{"params":{"name":"t","arguments":{"z":7}}}"#)
        );
    }

    #[test]
    fn it_can_be_left_out() {
        let due = json(r#"{"params":{"name":"t","arguments":{"o":{}}}}"#);
        assert_eq!(changed(r#","arguments":{"o":{"i":5}}"#, None), due);
        assert_eq!(changed("", None), json(r#"{"params":{"name":"t"}}"#));
    }
}

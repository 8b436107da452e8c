//! What matchers ask to be there.

use super::*;

fn shown(text: &str) -> Vec<String> {
    let asked = compile(text).asked().into_iter();
    asked
        .map(|asked| {
            let mark = if asked.choice.is_some() { "?" } else { "" };
            let text = asked.text.map(|text| format!("={text}"));
            format!("{}{}{mark}", asked.path.join("."), text.unwrap_or_default())
        })
        .collect()
}

#[test]
fn what_has_to_be_there_is_told_with_the_way_to_it() {
    assert_eq!(
        shown(
            "{ request: { method: tools/call, altered: [] }, result: { content: { $some: { type: image } } } }"
        ),
        [
            "request.method=tools/call",
            "request.altered",
            "result.content.[].type=image"
        ]
    );
    assert_eq!(
        shown("{ method: { $any: [a, b] }, gone: { $absent: true }, other: { $not: x }, id: {} }"),
        ["method=a?", "method=b?", "id"]
    );
    assert_eq!(shown("{ text: { $regex: icons } }"), ["text=icons"]);
}

#[test]
fn of_what_is_asked_each_is_met_by_itself() {
    let text = "{ request: { method: tools/call }, result: { content: { $some: { type: image, data: { $regex: '^A' } } } }, type: text/event-stream, gone: { $absent: true } }";
    let (scope, shapes) = (sources(), shapes());
    for (ignored, value, met) in [
        (&[][..], json!({}), [false, false, false, false]),
        (&["type"], json!({}), [false, false, false, true]),
        (
            &[],
            json!({ "request": { "method": "tools/call" }, "result": { "content": [{ "type": "text" }, { "data": "A" }] } }),
            [true, false, true, false],
        ),
        (
            &[],
            json!({ "result": { "content": { "a": { "type": "image", "data": "B" } } }, "gone": 1 }),
            [false, true, false, false],
        ),
    ] {
        let context = Context {
            scope: &scope,
            shapes: &shapes,
            ignored,
            brief: false,
        };
        let found = compile(text).met(&Value::from(value.clone()), context);
        assert_eq!(found, met, "{value}");
        assert_eq!(found.len(), compile(text).asked().len());
    }
}

//! What matchers ask to be there.

use super::*;

fn shown(text: &str) -> Vec<String> {
    let asked = compile(text).asked().into_iter();
    asked
        .map(|asked| {
            let mark = if asked.is_one_of { "?" } else { "" };
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

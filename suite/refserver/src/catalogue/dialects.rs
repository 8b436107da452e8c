//! Tools whose schemas use what older dialects of JSON Schema do not know (`basic/index#schema-dialect`).

use serde_json::{Value, json};

use super::{
    content::text,
    tools::{Tool, Work, argument, object},
};

/// The tools.
pub(super) fn tools() -> Vec<Tool> {
    let mut named = schema();
    named["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    vec![
        pair("pair", "Says a word several times.", schema()),
        pair(
            "pair_2020",
            "The same, with a schema that names its dialect.",
            named,
        ),
    ]
}

/// The greatest number of a pair.
const MAXIMUM: u64 = 10;

/// A word, then a number: the items of one list, each with a schema of its own.
fn schema() -> Value {
    let items = json!([{ "type": "string", "maxLength": 100 }, { "type": "integer", "minimum": 1, "maximum": MAXIMUM }]);
    let pair = json!({ "type": "array", "prefixItems": items, "items": false, "minItems": 2 });
    object(json!({ "pair": pair }), &["pair"])
}

fn pair(name: &'static str, description: &str, schema: Value) -> Tool {
    let work = |_: &_, arguments: &serde_json::Map<String, Value>| {
        let pair = argument(arguments, "pair");
        let word = pair[0].as_str().unwrap_or_default();
        let times = pair[1].as_u64().unwrap_or_default();
        let words: Vec<&str> = (0..times.min(MAXIMUM)).map(|_| word).collect();
        json!({ "content": [text(words.join(" "))] })
    };
    Tool::read_only(name, description, schema, Work::Now(work))
}

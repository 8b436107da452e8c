//! Mutants of roots (`client/roots`).

use serde_json::{Value, json};

use super::{
    breaks::Breaks,
    mutant::{BOTH, Mutant},
    panics::Panics,
    rounds::brings,
    shape::{Do, Edit, On},
};
use crate::catalogue::text;

const AREA: &str = "roots";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "roots-wrong-method",
        "roots are asked for by the method roots/get",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks("roots"),
            "/result/inputRequests/roots/method",
            Do::Set(r#""roots/get""#),
        )]),
    ),
    Mutant::new(
        AREA,
        "reads-outside-roots",
        "a file outside the roots is read",
        BOTH,
        Breaks::Outcome(|call, outcome| {
            let mut reply = outcome?;
            let reads = call.param("name").and_then(Value::as_str) == Some("read_file");
            if reads && reply.result.shift_remove("isError").is_some() {
                reply.result["content"] = json!([text("A secret day.")]);
            }
            Ok(reply)
        }),
    ),
    Mutant::new(
        AREA,
        "crashes-on-empty-roots",
        "an answer without roots ends the process, or gets a bare 500",
        BOTH,
        Breaks::Own(|| {
            Box::new(Panics(|call| {
                brings(call, |answer| {
                    answer["roots"].as_array().is_some_and(Vec::is_empty)
                })
            }))
        }),
    ),
];

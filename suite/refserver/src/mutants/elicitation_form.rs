//! Mutants of forms (`client/elicitation#form-mode-elicitation-requests`).

use serde_json::{Map, Value, json};

use super::{
    breaks::Breaks,
    mutant::{BOTH, Mutant},
    rounds::params_asked,
    shape::{Do, Edit, On},
};
use crate::{call::Call, rpc::Message};

const AREA: &str = "elicitation";

/// The key of the form that has a field of each kind.
const FORM: &str = "about_you";

/// Its params in a message.
macro_rules! params {
    () => {
        "/result/inputRequests/about_you/params"
    };
}

/// Its fields in a message.
macro_rules! fields {
    () => {
        concat!(params!(), "/requestedSchema/properties")
    };
}

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "nested-form-property",
        "a field of the form is an object",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks(FORM),
            concat!(fields!(), "/address"),
            Do::Set(r#"{ "type": "object", "properties": { "street": { "type": "string" } } }"#),
        )]),
    ),
    Mutant::new(
        AREA,
        "url-in-form-message",
        "the message of the form has a web address",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks(FORM),
            concat!(params!(), "/message"),
            Do::Set(r#""Please go to https://x.example and tell who you are.""#),
        )]),
    ),
    Mutant::new(
        AREA,
        "form-asks-password",
        "the form has a field for a password",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks(FORM),
            concat!(fields!(), "/password"),
            Do::Set(r#"{ "type": "string", "title": "Password" }"#),
        )]),
    ),
    Mutant::new(
        AREA,
        "form-format-password",
        "the format of a text field is password",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks(FORM),
            concat!(fields!(), "/name/format"),
            Do::Set(r#""password""#),
        )]),
    ),
    Mutant::new(
        AREA,
        "elicitation-without-message",
        "the form has no message",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks(FORM),
            concat!(params!(), "/message"),
            Do::Remove,
        )]),
    ),
    Mutant::new(
        AREA,
        "elicitation-mode-oauth",
        "the form says that its mode is oauth",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks(FORM),
            concat!(params!(), "/mode"),
            Do::Set(r#""oauth""#),
        )]),
    ),
    Mutant::new(
        AREA,
        "boolean-default-as-string",
        "the default of a yes-or-no field is a text",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks(FORM),
            concat!(fields!(), "/newsletter/default"),
            Do::Set(r#""false""#),
        )]),
    ),
    Mutant::new(
        AREA,
        "enum-names-not-strings",
        "names of options are numbers",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks(FORM),
            concat!(fields!(), "/shirt/enumNames"),
            Do::Set(r#"[1, 2]"#),
        )]),
    ),
    Mutant::new(
        AREA,
        "titled-multi-enum-with-oneof",
        "the options of a multiple choice stand under oneOf",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks(FORM),
            concat!(fields!(), "/hobbies/items/anyOf"),
            Do::Rename("oneOf"),
        )]),
    ),
    Mutant::new(
        AREA,
        "multi-enum-items-without-type",
        "the items of a multiple choice have no type",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks(FORM),
            concat!(fields!(), "/days/items/type"),
            Do::Remove,
        )]),
    ),
    Mutant::new(
        AREA,
        "enum-option-without-title",
        "the options of a titled choice have no titles",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks(FORM),
            concat!(fields!(), "/size/oneOf/*/title"),
            Do::Remove,
        )]),
    ),
    Mutant::new(
        AREA,
        "enum-of-numbers",
        "the options of a choice are numbers",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks(FORM),
            concat!(fields!(), "/colour/enum"),
            Do::Set(r#"[1, 2]"#),
        )]),
    ),
    Mutant::new(
        AREA,
        "number-default-as-string",
        "the default of a number field is a text",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks(FORM),
            concat!(fields!(), "/height/default"),
            Do::Set(r#""50""#),
        )]),
    ),
    // A client cannot fill in what follows, so only the form of the prompt is so: the tool can still be tried.
    Mutant::new(
        AREA,
        "form-without-schema",
        "the form of the prompt has no schema",
        BOTH,
        Breaks::Message(|call, message| {
            if let Some(params) = of_prompt(call, message) {
                params.shift_remove("requestedSchema");
            }
        }),
    ),
    Mutant::new(
        AREA,
        "required-as-string",
        "what the form of the prompt requires is a text",
        BOTH,
        Breaks::Message(|call, message| {
            if let Some(params) = of_prompt(call, message) {
                params["requestedSchema"]["required"] = json!("name");
            }
        }),
    ),
    Mutant::new(
        AREA,
        "min-length-as-string",
        "the least length of a text in the form of the prompt is a text",
        BOTH,
        Breaks::Message(|call, message| {
            if let Some(params) = of_prompt(call, message) {
                params["requestedSchema"]["properties"]["name"]["minLength"] = json!("3");
            }
        }),
    ),
];

/// The params of the form, where a prompt asks by it.
fn of_prompt<'a>(
    call: Option<&Call>,
    message: &'a mut Message,
) -> Option<&'a mut Map<String, Value>> {
    call.filter(|call| call.method() == "prompts/get")?;
    params_asked(message, FORM)
}

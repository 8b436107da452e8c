//! What is written is read back as it was meant, whatever a server says.

use std::collections::BTreeMap;
use std::time::Duration;

use mcpspec_wire::{Object, Value};
use proptest::prelude::*;

use crate::spec::{NAMINGS, PropertyValue, TRIGGERS, TriggerKind};
use crate::text::{Redactor, terminal_safe};

use super::{
    ConcealedTarget, KnownTrigger, MissingTrigger, Outline, Settings, Surroundings, ToolClass,
    ToolUse, Trigger, TriggerAction, WholeRequest, lines_to_add,
};

const NOTHING: Surroundings<'_> = Surroundings {
    variables: &|_| None,
    profiles: &[],
    is_chosen: &|_| true,
};

/// The text with every setting that does not count put in force.
fn in_force(text: &str) -> String {
    let lines = text.lines().map(|line| match line.strip_prefix('#') {
        Some(setting) if !setting.starts_with(' ') => setting,
        _ => line,
    });
    lines.fold(String::new(), |text, line| text + line + "\n")
}

/// Any text, with much that means something to TOML, terminals and `${}`.
fn text() -> impl Strategy<Value = String> {
    let hostile = prop::sample::select(vec![
        "\n",
        "\r\n",
        "\t",
        "\"\"\"",
        "'''",
        "\\",
        "# ",
        "#[x]",
        "[[target]]\n",
        "name = \"x\"\n",
        "${",
        "}",
        "\u{0}",
        "\u{1b}[2J",
        "\u{7f}",
        "\u{9b}",
        "\u{202e}",
        "\u{2028}",
        "\u{feff}",
        " = ",
        ".",
        " ",
    ]);
    let piece = prop_oneof![
        hostile.prop_map(str::to_owned),
        "[a-z]{1,4}",
        any::<char>().prop_map(String::from)
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        text().prop_map(|text| Value::from(text.as_str())),
        (-1000_i32..1000)
            .prop_map(|number| Value::from(serde_json::json!(f64::from(number) / 8.0))),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            object(inner).prop_map(Value::Object),
        ]
    })
}

fn object(values: impl Strategy<Value = Value>) -> impl Strategy<Value = Object> {
    prop::collection::btree_map(text(), values, 0..4)
        .prop_map(|members| members.into_iter().collect())
}

fn request() -> impl Strategy<Value = TriggerAction> {
    let capabilities = prop::option::of(object(value()).prop_map(Value::Object));
    ("[a-z/]{1,12}", object(value()), capabilities).prop_map(|(method, params, capabilities)| {
        TriggerAction::Request(WholeRequest {
            capabilities,
            ..WholeRequest::new(method, Value::Object(params))
        })
    })
}

/// The params with a text under this name, unless they have one.
fn with_text(params: &Value, member: &str) -> Value {
    let mut params = params.as_object().cloned().unwrap_or_default();
    let text = params.get(member).and_then(Value::as_str);
    if text.is_none_or(str::is_empty) {
        params.insert(member, "a\n\"b");
    }
    Value::Object(params)
}

/// A trigger with all of its variants, and with its properties.
fn trigger(kind: &'static TriggerKind) -> impl Strategy<Value = Trigger> {
    let properties: BTreeMap<String, Value> = kind
        .properties
        .iter()
        // The definition of a tool is not written.
        .filter(|property| property.name != "tool")
        .map(|property| {
            let value = match property.value {
                PropertyValue::Flag => Value::from(true),
                PropertyValue::Duration => Value::from("10s"),
                PropertyValue::Text => Value::from("a\n\"b"),
                PropertyValue::Object => Value::Object([("a", 1_i64)].into_iter().collect()),
            };
            (property.name.to_owned(), value)
        })
        .collect();
    let requests = prop::collection::vec(request(), kind.variants.len() + 1);
    requests.prop_map(move |mut requests| {
        let variants = kind.variants.iter().copied().map(Some).chain([None]);
        for (variant, action) in variants.zip(&mut requests) {
            if let (Some(method), TriggerAction::Request(whole)) =
                (kind.methods(variant).first(), action)
            {
                whole.method = (*method).to_owned();
                let naming = NAMINGS.iter().find(|naming| naming.method == *method);
                let named = naming.map(|naming| with_text(&whole.params, naming.member));
                whole.params = named.unwrap_or_else(|| whole.params.clone());
            }
        }
        let one = |action, variants| Trigger {
            action,
            variants,
            properties: properties.clone(),
            source: "configuration".to_owned(),
        };
        let own = requests.pop().expect("there is one more than variants");
        let variants = kind.variants.iter().zip(requests);
        let variants =
            variants.map(|(name, action)| ((*name).to_owned(), one(action, BTreeMap::new())));
        let variants = variants.collect();
        one(own, variants)
    })
}

fn named_trigger() -> impl Strategy<Value = (String, Trigger)> {
    prop::sample::select(TRIGGERS).prop_flat_map(|kind| {
        (
            Just(kind.name.to_owned()),
            trigger(Box::leak(Box::new(kind))),
        )
    })
}

fn outline() -> impl Strategy<Value = Outline> {
    let classes = prop::collection::vec(
        (any::<bool>(), text(), prop::collection::vec(text(), 1..4)),
        0..4,
    );
    let texts = || prop::collection::vec(text(), 0..3);
    let triggers = prop::collection::vec(named_trigger(), 0..3);
    (text(), texts(), texts(), texts(), classes, triggers, text()).prop_map(
        |(name, command, learned, suggestions, classes, triggers, told)| {
            let name = terminal_safe(&name).into_owned();
            let without = |text: &String| text.replace("${", "").replace('\0', "");
            let mut command: Vec<String> = command.iter().map(without).collect();
            // Nothing can be started whose name is empty.
            if command.first().is_some_and(|word| word.trim().is_empty()) {
                command.clear();
            }
            let target = ConcealedTarget {
                url: Some("http://host/mcp".to_owned()),
                env: command
                    .first()
                    .map(|word| ("A b\n".to_owned(), word.clone()))
                    .into_iter()
                    .collect(),
                cwd: command.last().filter(|word| !word.is_empty()).cloned(),
                headers: vec![("X-Key".to_owned(), "a\tb\"'".to_owned())],
                command,
                ..ConcealedTarget::default()
            };
            let known = triggers.into_iter().map(|(name, trigger)| {
                let known = KnownTrigger {
                    trigger: Trigger {
                        source: told.clone(),
                        ..trigger
                    },
                    unused: Some(told.clone()),
                    lacks: vec![("required".to_owned(), 2)],
                };
                (name, known)
            });
            let tools = classes
                .into_iter()
                .map(|(is_called, why, names)| ToolClass {
                    use_of_it: match is_called {
                        true => ToolUse::Called,
                        false => ToolUse::Forbidden,
                    },
                    why,
                    names,
                });
            Outline {
                name: if name.is_empty() {
                    "x".to_owned()
                } else {
                    name
                },
                target,
                call_tools: Some("listed".to_owned()),
                startup_timeout: Some(Duration::from_millis(1500)),
                timeout: Some(Duration::from_secs(90)),
                learned,
                tools: tools.collect(),
                known: known.collect(),
                missing: Vec::new(),
                suggestions,
                ..Outline::default()
            }
        },
    )
}

proptest! {
    #[test]
    fn the_target_comes_back_and_nothing_else_counts(outline in outline()) {
        let text = outline.write(&Redactor::new());
        prop_assert_eq!(outline.read_back(&text, &[]), Ok(()), "{}", text);
        for line in text.lines() {
            prop_assert_eq!(&*terminal_safe(line), line);
        }
    }

    #[test]
    fn every_trigger_comes_back_when_its_lines_are_put_in_force(outline in outline()) {
        let text = in_force(&outline.write(&Redactor::new()));
        let settings = Settings::read("mcpspec.toml", &text, &NOTHING);
        let settings = settings.unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
        let triggers = &settings.triggers;
        for (name, known) in &outline.known {
            let Some(told) = triggers.get(name) else {
                prop_assert!(text.contains("it is too long to stand here"), "{} is not there: {}", name, text);
                continue;
            };
            let told = Trigger { source: known.trigger.source.clone(), ..told.clone() };
            let told = Trigger { variants: sourced(told.variants), ..told };
            let known = Trigger { variants: sourced(known.trigger.variants.clone()), ..known.trigger.clone() };
            prop_assert_eq!(told, known);
        }
    }
}

/// Variants with one source.
fn sourced(variants: BTreeMap<String, Trigger>) -> BTreeMap<String, Trigger> {
    let one = |(name, trigger)| {
        (
            name,
            Trigger {
                source: String::new(),
                ..trigger
            },
        )
    };
    variants.into_iter().map(one).collect()
}

#[test]
fn what_every_trigger_could_be_can_be_put_in_force() {
    for kind in TRIGGERS {
        let names = kind.variants.iter().copied();
        let options = names.map(|name| (name.to_owned(), 1)).collect();
        for is_whole in [kind.variants.is_empty(), true] {
            let missing = MissingTrigger {
                kind,
                is_whole,
                cases: 1,
                options: Vec::clone(&options),
            };
            let outline = Outline {
                name: "x".to_owned(),
                target: ConcealedTarget {
                    command: vec!["a".to_owned()],
                    ..ConcealedTarget::default()
                },
                missing: vec![missing],
                ..Outline::default()
            };
            let text = in_force(&outline.write(&Redactor::new()));
            let settings = Settings::read("mcpspec.toml", &text, &NOTHING);
            let settings = settings.unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
            assert!(settings.triggers.contains_key(kind.name), "{text}");
        }
    }
}

#[test]
fn a_trigger_with_a_secret_or_a_value_that_toml_does_not_have_is_told_and_left_out() {
    let mut redactor = Redactor::new();
    redactor.token("s3cr3t-token");
    let known = |value: Value| {
        let params: Object = [("name", value)].into_iter().collect();
        let action = TriggerAction::Request(WholeRequest::new("tools/call", Value::Object(params)));
        let trigger = Trigger {
            action,
            variants: BTreeMap::new(),
            properties: BTreeMap::new(),
            source: "survey".to_owned(),
        };
        KnownTrigger {
            trigger,
            unused: None,
            lacks: Vec::new(),
        }
    };
    let outline = Outline {
        name: "x".to_owned(),
        target: ConcealedTarget {
            command: vec!["a".to_owned()],
            ..ConcealedTarget::default()
        },
        known: [
            (
                "callable-tool".to_owned(),
                known(Value::from("my-s3cr3t-token")),
            ),
            ("image-tool".to_owned(), known(Value::Null)),
            (
                "slow-tool".to_owned(),
                known(Value::from("x".repeat(5000).as_str())),
            ),
        ]
        .into(),
        ..Outline::default()
    };
    let text = outline.write(&redactor);
    assert!(!text.contains("s3cr3t-token"), "{text}");
    for why in [
        "a secret stands in it",
        "it holds null, which TOML does not have",
        "it is too long to stand here",
    ] {
        assert!(
            text.contains(&format!("It cannot be written here, since {why}.")),
            "{text}"
        );
    }
}

/// What `init` writes of a target, without any trigger.
const TARGET: &str = "[[target]]\nname = \"x\"\ncommand = [\"a\"]\n\n";

fn pasted(lines: &[String]) -> Settings {
    let text = format!("{TARGET}{}\n", lines.join("\n"));
    Settings::read(Settings::FILE, &text, &NOTHING)
        .unwrap_or_else(|faults| panic!("{faults:?}:\n{text}"))
}

/// Names of the options of a trigger whose lines can be told.
fn options(kind: &'static TriggerKind) -> Vec<&'static str> {
    let properties = kind.properties.iter().map(|property| property.name);
    let told = properties.filter(|name| *name != "tool");
    kind.variants.iter().copied().chain(told).collect()
}

#[test]
fn lines_to_add_to_what_init_wrote_tell_of_the_trigger_and_its_option() {
    for kind in TRIGGERS {
        let lines = lines_to_add(kind, None, None).expect("a stub can be written");
        assert!(pasted(&lines).triggers.contains_key(kind.name));
        for option in options(kind) {
            let lines = lines_to_add(kind, Some(option), None).expect("a stub can be written");
            let trigger = &pasted(&lines).triggers[kind.name];
            let is_told =
                trigger.variants.contains_key(option) || trigger.properties.contains_key(option);
            assert!(is_told, "{option}: {}", lines.join("\n"));
        }
    }
}

#[test]
fn lines_for_a_variant_hold_what_a_case_reads_of_it() {
    for (name, variant, property) in [
        ("resource-update", "other", "uri"),
        ("state-tool", "expiring", "ttl"),
    ] {
        let kind = TriggerKind::of(name).expect("there is one");
        let lines = lines_to_add(kind, Some(variant), None).expect("a stub can be written");
        let variant = &pasted(&lines).triggers[name].variants[variant];
        assert!(variant.properties.contains_key(property), "{name}");
    }
}

#[test]
fn what_is_known_of_a_trigger_stands_in_the_lines_that_add_to_it() {
    for kind in TRIGGERS.iter().filter(|kind| !options(kind).is_empty()) {
        let known = |source: &str| Trigger {
            action: TriggerAction::Request(WholeRequest::new(
                "tools/call",
                Value::Object([("name", "one")].into_iter().collect()),
            )),
            variants: BTreeMap::new(),
            properties: BTreeMap::new(),
            source: source.to_owned(),
        };
        for option in options(kind) {
            let lines = lines_to_add(kind, Some(option), Some(&known("survey")))
                .expect("what is known can be written");
            let trigger = &pasted(&lines).triggers[kind.name];
            assert_eq!(trigger.action, known("").action);
            let is_told =
                trigger.variants.contains_key(option) || trigger.properties.contains_key(option);
            assert!(is_told, "{option}: {}", lines.join("\n"));

            // The table of the trigger stands in the file already.
            let lines = lines_to_add(kind, Some(option), Some(&known("configuration")));
            let is_variant = kind.variants.contains(&option);
            assert_eq!(lines.is_some(), is_variant, "{option}");
            let of_target = known("configuration of the target");
            assert_eq!(lines_to_add(kind, Some(option), Some(&of_target)), None);
        }
    }
}

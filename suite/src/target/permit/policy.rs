//! Which tools may be called, and why.

use mcpspec_wire::Value;

/// Which tools a run may call (`--call-tools`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CallTools {
    /// None.
    None,
    /// Those that say they only read, and neither destroy nor reach the outside.
    #[default]
    Readonly,
    /// Those that the configuration or an applied profile names.
    Listed,
    /// Every listed tool.
    All,
}

/// Why a tool may be called, or why it may not and what would permit it.
pub(super) type Decision = Result<String, String>;

impl CallTools {
    /// Decides about a tool by its definition. `named` says where it is named, if it is.
    pub(super) fn decide(self, definition: &Value, named: Option<&str>) -> Decision {
        match (self, named) {
            (CallTools::None, _) => Err("--call-tools none permits no call".to_owned()),
            (_, Some(source)) => Ok(format!("named by the {source}")),
            (CallTools::All, None) => Ok("--call-tools all".to_owned()),
            (CallTools::Listed, None) => Err(format!(
                "neither the configuration nor a profile names it; {HOW}"
            )),
            (CallTools::Readonly, None) => readonly(definition),
        }
    }
}

/// What would permit a tool that is not permitted.
pub(super) const HOW: &str =
    "name it under [triggers] in mcpspec.toml, or run with --call-tools all";

fn readonly(definition: &Value) -> Decision {
    let hint = |name: &str| definition.get("annotations")?.get(name)?.as_bool();
    if hint("readOnlyHint") != Some(true) {
        return Err(format!("it does not say that it only reads; {HOW}"));
    }
    for (name, what) in [
        ("destructiveHint", "it may destroy something"),
        ("openWorldHint", "it reaches the outside"),
    ] {
        if hint(name) == Some(true) {
            return Err(format!("it says that {what}; {HOW}"));
        }
    }
    Ok("its annotations say that it only reads".to_owned())
}

/// Whether a tool says by its annotations that it may destroy something. What it does not say does not count.
pub(in crate::target) fn is_destructive(definition: &Value) -> bool {
    let hint = definition
        .get("annotations")
        .and_then(|annotations| annotations.get("destructiveHint"));
    hint.and_then(Value::as_bool) == Some(true)
}

/// A name as the most lenient server may read it: letter case, blanks around it, and all from a NUL on do not count.
pub(super) fn folded(name: &str) -> String {
    name.split('\0')
        .next()
        .unwrap_or_default()
        .trim()
        .to_lowercase()
}

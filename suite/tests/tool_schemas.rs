//! Arguments are made for the tools of published servers. Their definitions are no part of this repository: `suite/interop/run` asks
//! the servers for them, and `MCPSPEC_TOOLS` names the folder in which it puts them.

use std::fs;
use std::path::PathBuf;

use mcpspec::arguments::{all_members, required_members};
use mcpspec_wire::Value;
use serde_json::Value as Json;

/// The tools of each server, with its name.
fn servers() -> Vec<(String, Vec<Json>)> {
    let folder = std::env::var_os("MCPSPEC_TOOLS").expect("MCPSPEC_TOOLS names a folder");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder can be read")
        .map(|entry| entry.expect("a listing").path())
        .filter(|path| path.to_string_lossy().ends_with("-tools.json"))
        .collect();
    files.sort();
    let tools = |path: &PathBuf| {
        let text = fs::read(path).expect("the file can be read");
        let tools = serde_json::from_slice(&text).expect("it is an array");
        (
            path.file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            tools,
        )
    };
    files.iter().map(tools).collect()
}

#[test]
#[ignore = "needs MCPSPEC_TOOLS"]
fn what_is_made_for_the_tools_of_published_servers_is_valid() {
    let (mut made, mut unmade) = (0, Vec::new());
    for (server, tools) in servers() {
        for tool in tools {
            let (name, schema) = (&tool["name"], &tool["inputSchema"]);
            for make in [required_members, all_members] {
                match make(&Value::from_serde(schema.clone())) {
                    Ok(value) => {
                        let value = value.to_serde().expect("made values are plain");
                        assert!(
                            jsonschema::is_valid(schema, &value),
                            "{server} {name}: {value}"
                        );
                        made += 1;
                    }
                    Err(problem) => unmade.push(format!("{server} {name}: {problem}")),
                }
            }
        }
    }
    assert!(made > 0, "no server listed a tool");
    println!("{made} made");
    assert!(unmade.is_empty(), "{}", unmade.join("\n"));
}

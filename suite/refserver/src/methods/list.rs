//! The lists, in pages (`server/utilities/pagination`).

use serde_json::{Map, Value, json};

use crate::{
    admit::{Rule, Subject},
    call::Call,
    catalogue::{self, Prompt, Tool},
    rpc::Fault,
    seal,
    server::{Outcome, Reply, Server},
    world::ListKind,
};

const PURPOSE: &str = "cursor";

/// Answers `tools/list`, `prompts/list` or `resources/list`.
pub(super) fn list(server: &Server, call: &Call, kind: ListKind) -> Outcome {
    let (items, page_size) = match kind {
        ListKind::Tools if call.is_low() => (Vec::new(), 10),
        ListKind::Tools => (
            catalogue::tools(server).map(Tool::listed).collect(),
            tools_in_a_page(server),
        ),
        ListKind::Prompts => (
            catalogue::prompts(server, call.is_owner())
                .iter()
                .map(Prompt::listed)
                .collect(),
            2,
        ),
        ListKind::Resources => (catalogue::listed_resources(server, call.is_owner()), 3),
    };
    page(server, call, kind.name(), items, page_size)
}

/// The official suite, for which the fixtures are, follows no cursor; so it gets all tools at once.
fn tools_in_a_page(server: &Server) -> usize {
    if server.options().fixtures {
        usize::MAX
    } else {
        10
    }
}

/// Answers `resources/templates/list`.
pub(super) fn list_templates(server: &Server, call: &Call) -> Outcome {
    page(
        server,
        call,
        "resourceTemplates",
        catalogue::templates(server),
        1,
    )
}

fn page(
    server: &Server,
    call: &Call,
    name: &str,
    mut items: Vec<Value>,
    page_size: usize,
) -> Outcome {
    let start = start_of(server, call, name)?;
    let rest = items.split_off(start.min(items.len()));
    let mut result = Map::new();
    let more = rest.len() > page_size;
    result.insert(name.to_owned(), rest.into_iter().take(page_size).collect());
    if more {
        // The cursor says all that is needed to go on, anywhere.
        let cursor = seal::seal(
            PURPOSE,
            &json!({ "list": name, "start": start + page_size }),
        );
        result.insert("nextCursor".to_owned(), cursor.into());
    }
    result.insert("ttlMs".to_owned(), 60_000.into());
    // A list with something private in it differs from one principal to the other.
    let differs = server.options().protected && ["prompts", "resources"].contains(&name);
    let scope = if differs { "private" } else { "public" };
    result.insert("cacheScope".to_owned(), scope.into());
    Ok(Reply { result, rule: None })
}

/// The place that the cursor stands for: the beginning without one.
fn start_of(server: &Server, call: &Call, name: &str) -> Result<usize, Fault> {
    let Some(cursor) = call.param("cursor") else {
        return Ok(0);
    };
    let start = cursor
        .as_str()
        .filter(|token| seal::is_genuine(PURPOSE, token))
        .and_then(seal::claimed)
        .filter(|claim| claim["list"] == name)
        .and_then(|claim| claim["start"].as_u64())
        .and_then(|start| usize::try_from(start).ok());
    let unknown = || Fault::invalid_params(Rule::Cursor, "The cursor is none of this list.");
    server.check(
        Rule::Cursor,
        Subject::Request,
        call,
        start.map(|_| ()).ok_or_else(unknown),
    )?;
    Ok(start.unwrap_or_default())
}

//! The table of all mutants.

use std::sync::LazyLock;

use super::{
    caching, cancellation, completion, content, discover, elicitation, elicitation_form,
    elicitation_url, ext, http_headers, http_legacy, http_names, http_params, http_replies,
    http_streams, http_wire, icons, jsonrpc, jsonrpc_errors, jsonrpc_ids, jsonrpc_notifications,
    logging, meta, meta_capabilities, meta_stateless, mrtr_answers, mrtr_asking, mrtr_retry,
    mrtr_state, mutant::Mutant, pagination, progress, prompts, resources_list, resources_read,
    robustness, robustness_http, roots, sampling, schema, stdio, stdio_process, stdio_requests,
    subscriptions_changes, subscriptions_filter, subscriptions_open, subscriptions_state,
    tools_call, tools_definitions, tools_headers, tools_list, version,
};

/// The table of each area, in alphabetical order.
static TABLES: &[&[Mutant]] = &[
    caching::MUTANTS,
    cancellation::MUTANTS,
    completion::MUTANTS,
    content::MUTANTS,
    discover::MUTANTS,
    elicitation::MUTANTS,
    elicitation_form::MUTANTS,
    elicitation_url::MUTANTS,
    ext::MUTANTS,
    http_headers::MUTANTS,
    http_legacy::MUTANTS,
    http_names::MUTANTS,
    http_params::MUTANTS,
    http_replies::MUTANTS,
    http_streams::MUTANTS,
    http_wire::MUTANTS,
    icons::MUTANTS,
    jsonrpc::MUTANTS,
    jsonrpc_errors::MUTANTS,
    jsonrpc_ids::MUTANTS,
    jsonrpc_notifications::MUTANTS,
    logging::MUTANTS,
    meta::MUTANTS,
    meta_capabilities::MUTANTS,
    meta_stateless::MUTANTS,
    mrtr_answers::MUTANTS,
    mrtr_asking::MUTANTS,
    mrtr_retry::MUTANTS,
    mrtr_state::MUTANTS,
    pagination::MUTANTS,
    progress::MUTANTS,
    prompts::MUTANTS,
    resources_list::MUTANTS,
    resources_read::MUTANTS,
    robustness::MUTANTS,
    robustness_http::MUTANTS,
    roots::MUTANTS,
    sampling::MUTANTS,
    schema::MUTANTS,
    stdio::MUTANTS,
    stdio_process::MUTANTS,
    stdio_requests::MUTANTS,
    subscriptions_changes::MUTANTS,
    subscriptions_filter::MUTANTS,
    subscriptions_open::MUTANTS,
    subscriptions_state::MUTANTS,
    tools_call::MUTANTS,
    tools_definitions::MUTANTS,
    tools_headers::MUTANTS,
    tools_list::MUTANTS,
    version::MUTANTS,
];

/// Every mutant, by area.
pub fn mutants() -> &'static [&'static Mutant] {
    static ALL: LazyLock<Vec<&'static Mutant>> =
        LazyLock::new(|| TABLES.iter().copied().flatten().collect());
    &ALL
}

/// The mutant with this name.
pub fn find_mutant(name: &str) -> Option<&'static Mutant> {
    mutants().iter().copied().find(|mutant| mutant.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_name_is_there_once() {
        let names: BTreeSet<&str> = mutants().iter().map(|mutant| mutant.name).collect();
        assert_eq!(names.len(), mutants().len());
    }
}

//! The fuzz targets by name.

/// A law over an input.
pub type Law = fn(&[u8]);

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, which is that of its file in `fuzz/fuzz_targets`.
    pub name: &'static str,
    /// The folder in `fuzz/seeds` that it begins with. Targets that read the same share one.
    pub seeds: &'static str,
    /// What has to hold.
    pub law: Law,
}

/// Every fuzz target, but those of mcpspec itself where the feature `suite` is off.
pub const TARGETS: &[Target] = &[
    #[cfg(feature = "suite")]
    target("arguments", "arguments", crate::arguments),
    #[cfg(feature = "suite")]
    target("case_file", "case_file", crate::case_file),
    target("decode_diff", "rpc_bytes", crate::decode_diff),
    #[cfg(feature = "suite")]
    target("header_match", "header_match", crate::header_match),
    #[cfg(feature = "suite")]
    target("junit_text", "junit_text", crate::junit_text),
    target("lines", "lines", crate::lines),
    #[cfg(feature = "suite")]
    target("matcher", "matcher", crate::matcher),
    target("rpc_arbitrary", "rpc_arbitrary", crate::rpc_arbitrary),
    target("rpc_bytes", "rpc_bytes", crate::rpc_bytes),
    target("rpc_tree", "rpc_bytes", crate::rpc_bytes),
    target("sentinel", "sentinel", crate::header_value),
    #[cfg(feature = "suite")]
    target("shapes", "shapes", crate::shapes),
    target("sse", "sse", crate::sse),
];

const fn target(name: &'static str, seeds: &'static str, law: Law) -> Target {
    Target { name, seeds, law }
}

//! Faults that are planted to prove that the fuzz targets find them (`fuzz/planted`). A usual build has none of them.

/// Whether the fault of this name is there: in a build with `--cfg planted`, if the environment variable `PLANTED` has it.
#[cfg(planted)]
pub fn planted(name: &str) -> bool {
    use std::sync::OnceLock;

    static CHOSEN: OnceLock<Option<String>> = OnceLock::new();
    CHOSEN
        .get_or_init(|| std::env::var("PLANTED").ok())
        .as_deref()
        == Some(name)
}

/// Never, in a build without `--cfg planted`.
#[cfg(not(planted))]
#[inline(always)]
pub const fn planted(_name: &str) -> bool {
    false
}

//! The name that was probably meant.

/// The known name that is closest to a misspelt one, if one is close enough to be meant.
pub fn closest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|(left, _), (right, _)| left.total_cmp(right))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_finds_the_name_that_was_meant() {
        let known = ["expect", "else", "given"];
        assert_eq!(closest("expct", known), Some("expect"));
        assert_eq!(closest("gived", known), Some("given"));
        assert_eq!(closest("zzz", known), None);
    }
}

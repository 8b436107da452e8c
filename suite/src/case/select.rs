//! Choosing cases.

use globset::{Glob, GlobSet, GlobSetBuilder};

use super::Case;

/// Patterns of `--case` and `--skip`. A pattern is held against the id of a case, its former ids and its requirements;
/// `*` stands for any characters, slashes and dots included.
#[derive(Debug, Clone)]
pub struct Selection {
    /// None: all are taken.
    wanted: Option<GlobSet>,
    skipped: GlobSet,
}

/// Why a pattern is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{pattern}` is no pattern: {problem}")]
pub struct SelectionError {
    /// As written.
    pub pattern: String,
    /// What is wrong with it.
    pub problem: String,
}

impl Selection {
    /// Takes the cases that fit one of `wanted`, all if there is none, and none of `skipped`.
    ///
    /// # Errors
    ///
    /// A pattern is none.
    pub fn new(wanted: &[String], skipped: &[String]) -> Result<Selection, SelectionError> {
        Ok(Selection {
            wanted: (!wanted.is_empty()).then(|| globs(wanted)).transpose()?,
            skipped: globs(skipped)?,
        })
    }

    /// Whether the case is chosen.
    pub fn takes(&self, case: &Case) -> bool {
        let formerly = case.formerly.iter().map(String::as_str);
        let requirements = case.requirements.iter().map(|(id, _)| id.as_str());
        let ids: Vec<&str> = formerly
            .chain([case.id.as_str()])
            .chain(requirements)
            .collect();
        self.takes_any_of(&ids)
    }

    /// Whether something that goes by these ids is chosen.
    pub fn takes_any_of(&self, ids: &[&str]) -> bool {
        let fits = |globs: &GlobSet| ids.iter().any(|id| globs.is_match(id));
        self.wanted.as_ref().is_none_or(fits) && !fits(&self.skipped)
    }
}

fn globs(patterns: &[String]) -> Result<GlobSet, SelectionError> {
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        builder.add(Glob::new(pattern).map_err(|error| failed(pattern, &error))?);
    }
    builder
        .build()
        .map_err(|error| failed(&patterns.join(" "), &error))
}

fn failed(pattern: &str, error: &globset::Error) -> SelectionError {
    SelectionError {
        pattern: pattern.to_owned(),
        problem: error.kind().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SuiteFile, load_case};
    use super::*;

    fn case() -> Case {
        load_case(&SuiteFile {
            path: "http/origin/invalid-403.yaml".to_owned(),
            shown: "cases/http/origin/invalid-403.yaml".to_owned(),
            text: "summary: A foreign Origin is refused\nrequirement: http.origin.invalid-403\n\
                   formerly: [http/cors/refused]\nsteps:\n  - send: server/discover\n    expect: {}\n"
                .to_owned(),
        })
        .expect("it loads")
    }

    fn takes(wanted: &[&str], skipped: &[&str]) -> bool {
        let owned = |patterns: &[&str]| -> Vec<String> {
            patterns.iter().map(ToString::to_string).collect()
        };
        Selection::new(&owned(wanted), &owned(skipped))
            .expect("they are patterns")
            .takes(&case())
    }

    #[test]
    fn a_case_is_chosen_by_its_ids_and_its_requirements() {
        assert!(takes(&[], &[]));
        assert!(takes(&["http/*"], &[]));
        assert!(takes(&["http/origin/invalid-403"], &[]));
        assert!(takes(&["http.origin.*"], &[]));
        assert!(takes(&["http/cors/*"], &[]));
        assert!(takes(&["mrtr/*", "*/origin/*"], &[]));
        assert!(!takes(&["mrtr/*"], &[]));
        assert!(!takes(&["http"], &[]));
        assert!(!takes(&[], &["http.*"]));
        assert!(!takes(&["http/*"], &["*403"]));
    }

    #[test]
    fn a_broken_pattern_is_named() {
        let error = Selection::new(&["a[".to_owned()], &[]).expect_err("it is open");
        assert_eq!(error.pattern, "a[");
    }
}

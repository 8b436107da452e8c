//! The suite: all cases with the registry and the shapes they refer to.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::lint::{Sources, lint};
use super::load::{Loaded, case_id};
use super::{Case, Diagnostic};
use crate::spec::{Registry, Shapes, ShapesError};
use crate::template::{Location, Problem};

/// Files of the suite that hold no case and are read elsewhere.
const NO_CASES: [&str; 2] = ["case.schema.json", "kill-matrix.yaml"];

/// The file of a user's own requirements, beside the folders of his cases.
pub const OWN_REQUIREMENTS: &str = "requirements.yaml";

/// A file of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteFile {
    /// Its path in the suite, with slashes: `http/origin/invalid-403.yaml`.
    pub path: String,
    /// Its path as users know it: `cases/http/origin/invalid-403.yaml`.
    pub shown: String,
    /// Its content.
    pub text: String,
}

/// Cases, the requirements they judge and the shapes they name, held against each other.
#[derive(Debug, Clone, Default)]
pub struct Suite {
    cases: Vec<Arc<Case>>,
    registry: Registry,
    shapes: Shapes,
}

impl Suite {
    /// Loads a suite: cases, `requirements/*.yaml` and `shapes/*.json`. Profiles and generated files are passed over.
    ///
    /// # Errors
    ///
    /// Everything that is wrong, in order of files and lines.
    pub fn load(files: impl IntoIterator<Item = SuiteFile>) -> Result<Suite, Vec<Diagnostic>> {
        let mut suite = Suite::default();
        let mut files: Vec<SuiteFile> = files.into_iter().collect();
        files.sort_by(|left, right| left.path.cmp(&right.path));
        let (data, cases): (Vec<_>, Vec<_>) = files.into_iter().partition(SuiteFile::is_data);
        let problems: Vec<Diagnostic> = data
            .iter()
            .filter_map(|file| suite.read_data(file).err())
            .collect();
        // Without all requirements and shapes every case that names one would be called wrong.
        if !problems.is_empty() {
            return Err(problems);
        }
        suite.add(cases, false)?;
        Ok(suite)
    }

    /// Adds the cases of another directory, and the requirements of its `requirements.yaml`. With `replace` its cases take
    /// the place of those with the same id.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with them. The suite is then left as it was.
    pub fn extend(
        &mut self,
        files: impl IntoIterator<Item = SuiteFile>,
        replace: bool,
    ) -> Result<(), Vec<Diagnostic>> {
        let mut extended = self.clone();
        let mut files: Vec<SuiteFile> = files.into_iter().collect();
        files.sort_by(|left, right| left.path.cmp(&right.path));
        let (own, cases): (Vec<_>, Vec<_>) = files
            .into_iter()
            .partition(|file| file.path == OWN_REQUIREMENTS);
        for file in own {
            let read = extended.registry.read_own(&file.shown, &file.text);
            read.map_err(|error| vec![file.diagnostic(error.problem)])?;
        }
        let cases = cases.into_iter().filter(|file| !file.is_data()).collect();
        extended.add(cases, replace)?;
        *self = extended;
        Ok(())
    }

    /// All cases, in order of their ids.
    pub fn cases(&self) -> &[Arc<Case>] {
        &self.cases
    }

    /// All requirements.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// All shapes.
    pub fn shapes(&self) -> &Shapes {
        &self.shapes
    }

    /// The case with this id.
    pub fn case(&self, id: &str) -> Option<&Arc<Case>> {
        let index = self.cases.binary_search_by(|case| case.id.as_str().cmp(id));
        index.ok().map(|index| &self.cases[index])
    }

    fn read_data(&mut self, file: &SuiteFile) -> Result<(), Diagnostic> {
        let (shown, text) = (&file.shown, &file.text);
        if file.path.starts_with("requirements/") && file.path.ends_with(".yaml") {
            let read = self.registry.read(shown, text);
            return read.map_err(|error| file.diagnostic(error.problem));
        }
        if file.path.starts_with("shapes/") && file.path.ends_with(".json") {
            self.shapes = Shapes::load(shown, text)
                .map_err(|error| file.diagnostic(shapes_problem(&error)))?;
        }
        Ok(())
    }

    fn add(&mut self, files: Vec<SuiteFile>, replace: bool) -> Result<(), Vec<Diagnostic>> {
        let mut wrong = Vec::new();
        let mut ids: BTreeMap<String, String> = BTreeMap::new();
        for case in &self.cases {
            for id in case.formerly.iter().chain([&case.id]) {
                ids.insert(id.clone(), case.id.clone());
            }
        }
        for file in files {
            let loaded = match Loaded::of(&file) {
                Ok(loaded) => loaded,
                Err(problems) => {
                    wrong.extend(problems.into_iter().map(|problem| file.diagnostic(problem)));
                    continue;
                }
            };
            let sources = Sources {
                text: &file.text,
                registry: &self.registry,
                shapes: &self.shapes,
            };
            let mut problems = lint(&loaded, sources);
            let case = loaded.case;
            let replaced = replace && ids.get(&case.id) == Some(&case.id);
            for id in case.formerly.iter().chain([&case.id]) {
                match ids.get(id) {
                    Some(owner) if !(replaced && *owner == case.id) => {
                        problems.push(Problem::new(
                            Location { line: 1, column: 1 },
                            format!("the id `{id}` is that of the case `{owner}`"),
                        ));
                    }
                    _ => {
                        ids.insert(id.clone(), case.id.clone());
                    }
                }
            }
            wrong.extend(problems.into_iter().map(|problem| file.diagnostic(problem)));
            if replaced {
                self.cases.retain(|known| known.id != case.id);
            }
            self.cases.push(Arc::new(case));
        }
        self.cases.sort_by(|left, right| left.id.cmp(&right.id));
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }
}

impl SuiteFile {
    /// Whether the file holds no case.
    fn is_data(&self) -> bool {
        let folder = self.path.split('/').next().unwrap_or_default();
        matches!(folder, "requirements" | "shapes" | "profiles")
            || NO_CASES.contains(&self.path.as_str())
            || case_id(&self.path).is_none() && !self.path.ends_with(".yaml")
    }

    fn diagnostic(&self, problem: Problem) -> Diagnostic {
        let (shown, text) = (
            Arc::from(self.shown.as_str()),
            Arc::from(self.text.as_str()),
        );
        Diagnostic::new(&shown, &text, problem)
    }
}

fn shapes_problem(error: &ShapesError) -> Problem {
    let at = match error {
        ShapesError::Malformed { line, column, .. } => Location {
            line: *line,
            column: *column,
        },
        _ => Location { line: 1, column: 1 },
    };
    Problem::new(at, error.message())
}

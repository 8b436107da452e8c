//! The built-in suite, put into the program by `build.rs`.

use sha2::{Digest, Sha256};

use super::SuiteFile;

/// Path under `cases/` and text of every file, sorted by path.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The files of the built-in suite: cases, requirements, shapes, profiles and the kill matrix.
pub fn embedded() -> Vec<SuiteFile> {
    let file = |(path, text): &(&str, &str)| SuiteFile {
        path: (*path).to_owned(),
        shown: format!("cases/{path}"),
        text: (*text).to_owned(),
    };
    FILES.iter().map(file).collect()
}

/// The digest of a suite: SHA-256 over the paths and texts of its files in this order, in lower-case hexadecimal digits.
pub fn digest<'a>(files: impl IntoIterator<Item = &'a SuiteFile>) -> String {
    let mut hasher = Sha256::new();
    for SuiteFile { path, text, .. } in files {
        // The lengths keep what ends a path apart from what begins a text.
        for part in [path, text] {
            hasher.update((part.len() as u64).to_be_bytes());
            hasher.update(part);
        }
    }
    hasher
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> SuiteFile {
        SuiteFile {
            path: path.to_owned(),
            shown: String::new(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn the_registry_is_embedded_as_it_is() {
        let files = embedded();
        let registry = files
            .iter()
            .find(|file| file.path == "requirements/2026-07-28.yaml");
        let registry = registry.expect("the registry is embedded");
        assert_eq!(
            registry.text,
            include_str!("../../../cases/requirements/2026-07-28.yaml")
        );
        assert_eq!(registry.shown, "cases/requirements/2026-07-28.yaml");
        assert!(files.windows(2).all(|pair| pair[0].path < pair[1].path));
    }

    #[test]
    fn a_digest_depends_on_every_byte_and_its_place() {
        let digest_of = |files: &[SuiteFile]| digest(files);
        let digests = [
            digest_of(&[]),
            digest_of(&[file("a", "b")]),
            digest_of(&[file("ab", "")]),
            digest_of(&[file("", "ab")]),
            digest_of(&[file("a", "b"), file("", "")]),
            digest_of(&[file("a", "c")]),
        ];
        for (index, digest) in digests.iter().enumerate() {
            assert_eq!(digest.len(), 64);
            assert!(!digests[..index].contains(digest));
        }
        // SHA-256 of nothing (FIPS 180-4).
        assert_eq!(
            digests[0],
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
    }
}

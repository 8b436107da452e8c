//! Invented names: unguessable for a server, the same in every run with one seed.

use sha2::{Digest, Sha256};

/// Makes the names of one row.
#[derive(Debug, Clone)]
pub(super) struct Invented {
    digest: [u8; 32],
}

const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";

impl Invented {
    /// The names that belong to this row of this case.
    pub(super) fn new(seed: u64, case: &str, row: &str) -> Invented {
        let mut hasher = Sha256::new();
        hasher.update(seed.to_be_bytes());
        hasher.update(case.as_bytes());
        hasher.update([0]);
        hasher.update(row.as_bytes());
        Invented {
            digest: hasher.finalize().into(),
        }
    }

    /// 16 letters and digits.
    pub(super) fn word(&self) -> String {
        self.digest[..16]
            .iter()
            .map(|byte| char::from(LETTERS[usize::from(byte & 31)]))
            .collect()
    }

    /// A UUID of version 4.
    pub(super) fn uuid(&self) -> String {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&self.digest[16..]);
        bytes[6] = bytes[6] & 0x0f | 0x40;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        format!(
            "{}-{}-{}-{}-{}",
            &hex[..8],
            &hex[8..12],
            &hex[12..16],
            &hex[16..20],
            &hex[20..]
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_depend_on_seed_case_and_row_only() {
        let word = Invented::new(1, "a/b", "x").word();
        assert_eq!(word, Invented::new(1, "a/b", "x").word());
        assert_eq!(word.len(), 16);
        for other in [
            Invented::new(2, "a/b", "x"),
            Invented::new(1, "a/c", "x"),
            Invented::new(1, "a/b", "y"),
        ] {
            assert_ne!(word, other.word());
        }
    }

    #[test]
    fn a_uuid_has_the_bits_of_version_4() {
        let uuid = Invented::new(1, "a/b", "x").uuid();
        assert_eq!(uuid.len(), 36);
        assert_eq!(uuid.as_bytes()[14], b'4');
        assert!(b"89ab".contains(&uuid.as_bytes()[19]));
    }
}

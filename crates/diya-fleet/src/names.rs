//! Hashes, and names that may be pseudonyms.
//!
//! With a key, every name of a person, a program or a place is replaced before it is
//! written: the same key gives the same names; without it a guess cannot be tested.

use siphasher::sip128::{Hasher128 as _, SipHasher13};
use std::borrow::Cow;
use std::hash::Hasher as _;

/// Which names a dataset shows.
#[derive(Debug, Clone, Default)]
pub struct Anonymity {
    /// Replace names by hashes under this key.
    pub key: Option<String>,
    /// Also leave out what could lead back to a person: see `docs/guide/fleet.md`.
    pub is_release: bool,
}

/// A day in nanoseconds.
const DAY_NS: i64 = 86_400_000_000_000;

/// Extensions that say what a file is and nothing of whose it is.
const KNOWN_SUFFIXES: [&str; 34] = [
    "h#", "hdf#", "he#", "nc", "nc#", "bp", "bp#", "txt", "log", "out", "err", "dat", "bin", "csv",
    "json", "xml", "yaml", "yml", "ini", "cfg", "conf", "py", "pyc", "so", "a", "o", "tar", "gz",
    "zip", "npy", "npz", "pt", "tmp", "tfrecord",
];

/// Makes hashes and pseudonyms.
#[derive(Debug, Clone)]
pub struct Names {
    key: [u8; 16],
    pub is_anonymous: bool,
    pub is_release: bool,
}

impl Names {
    pub fn new(anonymity: &Anonymity) -> Self {
        let key = anonymity.key.as_ref().map(|key| {
            let mut hasher = SipHasher13::new();
            hasher.write(key.as_bytes());
            hasher.finish128().as_bytes()
        });
        Self {
            is_anonymous: key.is_some(),
            is_release: anonymity.is_release,
            key: key.unwrap_or_default(),
        }
    }

    /// All 128 bits of the hash of bytes. `kind` keeps equal bytes of two kinds apart.
    pub fn hash128(&self, kind: &str, bytes: &[u8]) -> u128 {
        let mut hasher = self.hasher(kind);
        hasher.write(bytes);
        finish(&hasher)
    }

    /// A hasher for bytes that come in chunks.
    pub fn hasher(&self, kind: &str) -> SipHasher13 {
        let mut hasher = SipHasher13::new_with_key(&self.key);
        hasher.write(kind.as_bytes());
        hasher.write(&[0]);
        hasher
    }

    /// As a column holds it.
    pub fn hash(&self, kind: &str, bytes: &[u8]) -> i64 {
        first_64(self.hash128(kind, bytes))
    }

    /// A name, or its pseudonym.
    pub fn text<'t>(&self, kind: &str, text: &'t str) -> Cow<'t, str> {
        if self.is_anonymous {
            // 48 bits: a million names have no pair with a chance of 99.8 %.
            Cow::Owned(format!("{kind}-{:012x}", self.hash128(kind, text.as_bytes()) >> 80))
        } else {
            Cow::Borrowed(text)
        }
    }

    /// A path, or its pseudonym, which begins with a slash as well.
    pub fn path<'t>(&self, kind: &str, path: &'t str) -> Cow<'t, str> {
        if self.is_anonymous {
            Cow::Owned(format!("/{}", self.text(kind, path)))
        } else {
            Cow::Borrowed(path)
        }
    }

    /// A number that names someone; 31 bits of a hash with a key.
    pub fn id(&self, kind: &str, id: i64) -> i64 {
        if !self.is_anonymous {
            return id;
        }
        (self.hash(kind, &id.to_le_bytes()).cast_unsigned() >> 33).cast_signed()
    }

    /// An extension; in what is published only those that everybody has.
    pub fn suffix<'t>(&self, suffix: &'t str) -> &'t str {
        let is_shown = !self.is_release || KNOWN_SUFFIXES.contains(&suffix);
        if is_shown { suffix } else { "other" }
    }

    /// A moment; in what is published its day: a second finds the job in the accounts of
    /// a centre.
    pub fn moment(&self, ns: i64) -> i64 {
        if self.is_release { ns - ns.rem_euclid(DAY_NS) } else { ns }
    }

    /// Equal for two datasets that were written with the same key; does not reveal the key.
    pub fn check(&self) -> String {
        format!("{:016x}", self.hash("the key of a dataset", &[]))
    }
}

/// Of a hash whose bytes came in chunks.
pub fn finish(hasher: &SipHasher13) -> u128 {
    hasher.finish128().as_u128()
}

/// The part of a hash that columns hold.
pub fn first_64(hash: u128) -> i64 {
    ((hash >> 64) as u64).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_key(key: &str) -> Names {
        Names::new(&Anonymity { key: Some(key.to_owned()), is_release: false })
    }

    #[test]
    fn without_a_key_names_stay() {
        let names = Names::new(&Anonymity::default());
        assert_eq!(names.text("user", "alice"), "alice");
        assert_eq!(names.id("uid", 1000), 1000);
    }

    #[test]
    fn the_key_decides_the_pseudonym() {
        let (a, b) = (with_key("a"), with_key("b"));
        assert_eq!(a.text("user", "alice"), a.text("user", "alice"));
        assert_ne!(a.text("user", "alice"), b.text("user", "alice"));
        assert_ne!(a.text("user", "alice"), a.text("user", "bob"));
        assert!(!a.text("user", "alice").contains("alice"));
        assert_ne!(a.check(), b.check());
    }
}

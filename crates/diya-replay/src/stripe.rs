//! `stripe`: the layout of new files on a file system that has one.

use crate::error::ReplayError;
use crate::text_size::bytes;
use std::path::Path;
use std::process::Command;

/// Stripes of new files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stripe {
    /// Storage targets (OSTs).
    pub targets: u32,
    /// Bytes on one before the next.
    pub bytes: u64,
}

/// The usual stripe of Lustre.
const USUAL_BYTES: u64 = 1 << 20;

/// Stripes are multiples of this.
const UNIT_BYTES: u64 = 64 << 10;

impl Stripe {
    /// `COUNT` or `COUNTxSIZE`.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let (targets, size) = text.split_once('x').map_or((text, None), |(n, s)| (n, Some(s)));
        let targets = targets.parse().ok().filter(|targets| (1..=2000).contains(targets))?;
        let bytes = size.map_or(Some(USUAL_BYTES), bytes)?;
        bytes.is_multiple_of(UNIT_BYTES).then_some(Self { targets, bytes })
    }

    /// Gives the layout to a folder: files that are made in it have it.
    ///
    /// # Errors
    ///
    /// If the file system has no stripes, or refuses these.
    pub fn give_to(self, folder: &Path) -> Result<(), ReplayError> {
        let failed = |reason: String| ReplayError::Folder { path: folder.to_path_buf(), reason };
        let done = Command::new("lfs")
            .args(["setstripe", "-c", &self.targets.to_string(), "-S", &self.bytes.to_string()])
            .arg(folder)
            .output()
            .map_err(|error| {
                failed(format!(
                    "no stripes can be set: `lfs` of Lustre: {error}; without `--transform stripe` \
                     the replay works, and `align` and `collective` try parts of it"
                ))
            })?;
        if done.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&done.stderr).trim().to_owned();
        Err(failed(format!("`lfs setstripe` refuses {} targets: {said}", self.targets)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_stripes_is_named_with_the_way_out() {
        let error = Stripe { targets: 2, bytes: 1 << 20 }.give_to(Path::new("/no/lustre/here"));
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with("/no/lustre/here: "), "{error}");
    }
}

//! Files of results: a plain file comes into being whole, anything else is
//! written into.

use super::clean::{Content, Out};
use super::{forget_unfinished, remember_unfinished};
use crate::failure::Failure;
use std::fs::{File, OpenOptions, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// Whether a file can be written here, asked before the work that it is for.
pub fn check(path: &Path) -> Result<(), Failure> {
    let fail = |e: io::Error| failed(path, &e);
    match Target::of(path).map_err(fail)? {
        // A pipe would wait for its reader.
        Target::Stream => Ok(()),
        Target::Plain { path, mode } => unfinished(&path, mode).map(drop).map_err(fail),
    }
}

/// Lets `write` fill a file, which gets its name only when it is whole.
pub fn to_file(
    path: &Path,
    content: Content,
    write: impl FnOnce(&mut Out) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let fail = |e: io::Error| failed(path, &e);
    match Target::of(path).map_err(fail)? {
        Target::Stream => {
            let stream = OpenOptions::new().write(true).open(path).map_err(fail)?;
            fill(stream, content, write).map_err(|failure| named(path, failure))
        }
        Target::Plain { path: plain, mode } => {
            let part = unfinished(&plain, mode).map_err(fail)?;
            remember_unfinished(part.path().to_owned());
            let filled = part.reopen().map_err(fail).and_then(|file| fill(file, content, write));
            forget_unfinished(part.path());
            filled.map_err(|failure| named(path, failure))?;
            part.persist(&plain).map(drop).map_err(|e| fail(e.error))
        }
    }
}

fn fill(
    file: File,
    content: Content,
    write: impl FnOnce(&mut Out) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut out = Out::new(Box::new(file), content);
    write(&mut out)?;
    Ok(out.finish()?)
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    let reason = match folder {
        Some(folder) => {
            format!("there is no folder {0}; make it with `mkdir -p {0}`", folder.display())
        }
        // Such as /proc, where the name of an unfinished file only confuses.
        None if error.kind() == io::ErrorKind::NotFound => {
            "no file can be made in this folder; name another one".to_owned()
        }
        None => error.to_string(),
    };
    Failure::Output(format!("{}: {reason}", path.display()))
}

fn named(path: &Path, failure: Failure) -> Failure {
    match failure {
        Failure::Output(reason) if !reason.is_empty() => {
            Failure::Output(format!("{}: {reason}", path.display()))
        }
        other => other,
    }
}

/// What stands where the result goes.
enum Target {
    /// A plain file, or nothing yet: the file behind a link, and the mode of the
    /// one that is replaced.
    Plain { path: PathBuf, mode: Option<Permissions> },
    /// A device, a pipe: it stays what it is.
    Stream,
}

impl Target {
    fn of(path: &Path) -> io::Result<Self> {
        let found = match std::fs::metadata(path) {
            Ok(found) => found,
            // A link that leads nowhere would be replaced by the file.
            Err(e) if e.kind() == io::ErrorKind::NotFound && !path.is_symlink() => {
                return Ok(Self::Plain { path: path.to_owned(), mode: None });
            }
            Err(e) => return Err(e),
        };
        if found.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !found.is_file() {
            return Ok(Self::Stream);
        }
        Ok(Self::Plain { path: path.canonicalize()?, mode: Some(found.permissions()) })
    }
}

/// A new file beside the one that it becomes, under a name that cannot be
/// guessed: no link can be planted there.
fn unfinished(path: &Path, mode: Option<Permissions>) -> io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    let part =
        new_file_mode(&mut Builder::new()).prefix(&name).suffix(".part").tempfile_in(folder)?;
    if let Some(mode) = mode {
        part.as_file().set_permissions(mode)?;
    }
    Ok(part)
}

/// What a new file gets, less what the user's mask takes: else it were private.
#[cfg(unix)]
fn new_file_mode<'b, 'p, 's>(builder: &'b mut Builder<'p, 's>) -> &'b mut Builder<'p, 's> {
    use std::os::unix::fs::PermissionsExt as _;
    builder.permissions(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn new_file_mode<'b, 'p, 's>(builder: &'b mut Builder<'p, 's>) -> &'b mut Builder<'p, 's> {
    builder
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    fn write(path: &Path, text: &str) -> Result<(), Failure> {
        to_file(path, Content::Text, |out| Ok(out.write_all(text.as_bytes())?))
    }

    #[test]
    fn a_plain_file_is_replaced_whole_and_keeps_its_mode() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report.txt");
        std::fs::write(&path, "old").expect("a file");
        std::fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("its mode");
        let failed = to_file(&path, Content::Text, |out| {
            out.write_all(b"half")?;
            Err(Failure::Query("no".into()))
        });
        assert!(failed.is_err());
        assert_eq!(std::fs::read_to_string(&path).expect("the old one"), "old");
        write(&path, "new").expect("it can be written");
        assert_eq!(std::fs::read_to_string(&path).expect("the new one"), "new");
        let mode = std::fs::metadata(&path).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_link_stays_a_link_and_a_dead_one_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::fs::write(&file, "old").expect("a file");
        symlink(&file, &link).expect("a link");
        write(&link, "new").expect("it can be written");
        assert!(link.is_symlink());
        assert_eq!(std::fs::read_to_string(&file).expect("the file"), "new");
        std::fs::remove_file(&file).expect("it is there");
        assert!(write(&link, "x").is_err());
    }

    #[test]
    fn a_planted_link_is_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, victim) = (folder.path().join("x.csv"), folder.path().join("victim"));
        std::fs::write(&victim, "precious").expect("a file");
        symlink(&victim, folder.path().join("x.csv.part")).expect("a link");
        write(&path, "new").expect("it can be written");
        assert_eq!(std::fs::read_to_string(&victim).expect("a file"), "precious");
    }

    #[test]
    fn a_pipe_stays_a_pipe() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo");
        assert!(made.success());
        let reader = {
            let path = path.clone();
            std::thread::spawn(move || {
                let mut text = String::new();
                File::open(path).and_then(|mut pipe| pipe.read_to_string(&mut text)).map(|_| text)
            })
        };
        check(&path).expect("a pipe can be written");
        write(&path, "through").expect("there is a reader");
        assert_eq!(reader.join().expect("no panic").expect("it can be read"), "through");
        assert!(!std::fs::metadata(&path).expect("it is there").is_file());
    }
}

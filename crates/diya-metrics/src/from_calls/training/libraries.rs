//! Libraries that load the data of a training: `metrics/loaders.txt`.

use crate::work_kinds::fits;
use std::sync::LazyLock;

/// What a pattern is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// The path of code.
    Code,
    /// The name of a region.
    Wait,
}

/// One line of the table.
#[derive(Debug)]
struct Line {
    subject: Subject,
    pattern: &'static str,
    library: &'static str,
}

static LINES: LazyLock<Vec<Line>> = LazyLock::new(|| {
    include_str!("../../../../../metrics/loaders.txt").lines().filter_map(line).collect()
});

/// Comments and empty lines are none; a test reads every other line.
fn line(text: &'static str) -> Option<Line> {
    let text = text.trim();
    let mut cells = text.split(" | ").map(str::trim).filter(|_| !text.starts_with('#'));
    let subject = match cells.next()? {
        "code" => Subject::Code,
        "wait" => Subject::Wait,
        _ => return None,
    };
    Some(Line { subject, pattern: cells.next()?, library: cells.next()? })
}

/// A known library: the smaller, the further inside where several are in one stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Library(usize);

impl Library {
    /// Whose code is at this path.
    pub fn of_code(path: &str) -> Option<Self> {
        let is_it = |line: &Line| line.subject == Subject::Code && fits(line.pattern, path);
        LINES.iter().position(is_it).map(Self)
    }

    pub fn name(self) -> &'static str {
        LINES.get(self.0).map_or("", |line| line.library)
    }
}

/// Whether the consuming thread waits for a batch in a region of this name.
pub(super) fn is_wait(region: &str) -> bool {
    LINES.iter().any(|line| line.subject == Subject::Wait && fits(line.pattern, region))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_read() {
        let text = include_str!("../../../../../metrics/loaders.txt");
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        assert_eq!(lines.filter(|line| !line.starts_with('#')).count(), LINES.len());
    }

    #[test]
    fn code_and_regions_name_their_library() {
        let name = |path: &str| Library::of_code(path).map(Library::name);
        let worker = "/usr/lib/python3/dist-packages/torch/utils/data/_utils/worker.py";
        assert_eq!(name(worker), Some("pytorch"));
        let module = "/v/site-packages/webdataset/__pycache__/tariterators.cpython-311.pyc";
        assert_eq!(name(module), Some("webdataset"));
        let module = "/v/site-packages/datasets/packaged_modules/webdataset/_tenbin.py";
        assert_eq!(name(module), Some("huggingface"));
        assert_eq!(name("/v/site-packages/sklearn/datasets/_base.py"), None);
        assert_eq!(name("/home/me/train.py"), None);
        assert!(Library::of_code(module) < Library::of_code(worker), "works inside the other one");
        assert!(is_wait("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"));
        assert!(is_wait("wait for data") && !is_wait("checkpoint"));
    }
}

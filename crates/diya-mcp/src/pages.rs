//! The pages of checks as resources.

use crate::bounds;
use diya::diagnose::CheckSet;
use diya::explain::{self, Subject};
use rmcp::model::{Resource, ResourceContents};

/// How the address of a page begins; the id of the check follows.
const ADDRESS: &str = "diya://checks/";

/// What the pages are written in.
const MARKDOWN: &str = "text/markdown";

/// The address of all pages, for clients that fill in the id.
pub const TEMPLATE: &str = "diya://checks/{id}";

/// A page for each check.
pub fn list(set: &CheckSet) -> Vec<Resource> {
    let pages = set.checks.iter().map(|check| {
        Resource::new(format!("{ADDRESS}{}", check.id), check.id.clone())
            .with_title(check.title.clone())
            .with_mime_type(MARKDOWN)
    });
    pages.collect()
}

/// The page at this address; `None`: there is none.
pub fn read(address: &str, set: &CheckSet) -> Option<ResourceContents> {
    let name = address.strip_prefix(ADDRESS)?;
    let page = match explain::find(name, set)? {
        page @ Subject::Check(_) => page.text(),
        Subject::Metric(_) | Subject::Table(_) | Subject::Accuracy => return None,
    };
    Some(ResourceContents::text(bounds::page(&page), address).with_mime_type(MARKDOWN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_page_can_be_read_and_no_other() {
        let set = CheckSet::builtin().unwrap();
        let pages = list(&set);
        assert_eq!(pages.len(), set.checks.len());
        assert!(pages.iter().all(|page| read(&page.uri, &set).is_some()));
        for address in ["diya://checks/no_such_check", "diya://checks/call", "file:///etc/passwd"] {
            assert!(read(address, &set).is_none(), "{address}");
        }
    }
}

//! `NAME.otf2`: what the other files are.

use super::bytes::Rest;

/// What the anchor says of the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Anchor {
    /// Version of the library that wrote it.
    pub version: String,
    /// Size of the chunks of files of events.
    pub chunk_bytes: u64,
    /// The same of files of definitions.
    pub definition_chunk_bytes: u64,
    /// 1: a file for each location.
    pub substrate: u8,
    /// 1: none.
    pub compression: u8,
    /// Locations, and records of global definitions.
    pub locations: u64,
    pub definitions: u64,
    /// The program that recorded; empty: not recorded.
    pub creator: String,
}

/// How the name of an anchor ends: it is the first file of a tar file.
pub const ANCHOR_ENDING: &str = ".otf2";

/// The first text of an anchor.
const MAGIC: &[u8] = b"OTF2\0";

/// Does a file begin like an anchor?
pub fn is_anchor(head: &[u8]) -> bool {
    Rest::behind_header(head).is_some_and(|rest| rest.bytes.starts_with(MAGIC))
}

/// Reads an anchor; `None`: it is cut or none.
pub(super) fn anchor(bytes: &[u8]) -> Option<Anchor> {
    let mut rest = Rest::behind_header(bytes)?;
    if rest.take(MAGIC.len())? != MAGIC {
        return None;
    }
    // The versions of the anchor and of the format of traces: both only add to what is here.
    rest.take(2)?;
    let version = [rest.u8()?, rest.u8()?, rest.u8()?].map(|number| number.to_string());
    let (chunk_bytes, definition_chunk_bytes) = (rest.full_u64()?, rest.full_u64()?);
    let (substrate, compression) = (rest.u8()?, rest.u8()?);
    let (locations, definitions) = (rest.full_u64()?, rest.full_u64()?);
    let _machine = rest.text()?;
    let creator = rest.text()?;
    Some(Anchor {
        version: version.join("."),
        chunk_bytes,
        definition_chunk_bytes,
        substrate,
        compression,
        locations,
        definitions,
        creator: String::from_utf8_lossy(creator).into_owned(),
    })
}

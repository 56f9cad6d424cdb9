//! One module: its loadable segments, its symbols, its DWARF.

use super::separate;
use addr2line::Context;
use diya_read::segment::{SourceFrame, Symbol};
use gimli::{EndianSlice, RunTimeEndian};
use object::read::elf::{ElfFile64, FileHeader as _, ProgramHeader as _};
use object::{CompressionFormat, Object as _, ObjectSection as _, ObjectSymbol as _};
use std::fs;
use std::io::Read as _;
use std::path::Path;

/// Sections are kept for as long as the program runs: addresses of a module are
/// asked for until the log is made, which is all that a run of diya does.
type Lines = EndianSlice<'static, RunTimeEndian>;

/// Files and sections larger than this are not read: no program has them, a
/// damaged one may claim to.
const MAX_BYTES: u64 = 4 << 30;

/// What is known of a module.
pub struct Module {
    /// Offset in the file, length, address it was linked for.
    loads: Vec<(u64, u64, u64)>,
    /// Address, length, name; by address.
    symbols: Vec<(u64, u64, String)>,
    lines: Option<Context<Lines>>,
}

impl Module {
    /// Reads a module; `None` when it is gone or is another build.
    pub fn open(path: &Path, build_id: Option<&str>) -> Option<Self> {
        let bytes = read(path)?;
        let file = ElfFile64::<object::Endianness>::parse(bytes.as_slice()).ok()?;
        let own_id = file.build_id().ok().flatten().map(hex);
        if build_id.is_some() && own_id.as_deref() != build_id {
            return None;
        }
        let endian = file.endian();
        let headers = file.elf_header().program_headers(endian, bytes.as_slice()).ok()?;
        let loads = headers
            .iter()
            .filter(|h| h.p_type(endian) == object::elf::PT_LOAD)
            .map(|h| (h.p_offset(endian), h.p_filesz(endian), h.p_vaddr(endian)))
            .collect();
        let mut symbols = symbols(&file);
        let mut lines = lines(&file);
        if lines.is_none() {
            let link = file.gnu_debuglink().ok().flatten();
            let link = link.map(|(name, _)| String::from_utf8_lossy(name).into_owned());
            for place in separate::places(path, own_id.as_deref(), link.as_deref()) {
                let Some(bytes) = read(&place) else { continue };
                let Ok(debug) = ElfFile64::<object::Endianness>::parse(bytes.as_slice()) else {
                    continue;
                };
                let debug_id = debug.build_id().ok().flatten().map(hex);
                if own_id.is_some() && debug_id.is_some() && debug_id != own_id {
                    continue;
                }
                lines = self::lines(&debug);
                symbols.extend(self::symbols(&debug));
                symbols.sort();
                if lines.is_some() {
                    break;
                }
            }
        }
        Some(Self { loads, symbols, lines })
    }

    /// Frames of an offset in the file, innermost first.
    pub fn frames(&self, offset: u64) -> Vec<SourceFrame> {
        let Some(address) = self.address(offset) else { return Vec::new() };
        let mut all = self.lines.as_ref().map_or_else(Vec::new, |lines| inlined(lines, address));
        if let Some(last) = all.last_mut() {
            last.function = last.function.take().or_else(|| self.symbol(address));
        } else if let Some(function) = self.symbol(address) {
            all.push(SourceFrame { function: Some(function), ..SourceFrame::default() });
        }
        all
    }

    fn address(&self, offset: u64) -> Option<u64> {
        let holds = |&&(start, bytes, _): &&(u64, u64, u64)| {
            offset.checked_sub(start).is_some_and(|at| at < bytes)
        };
        let (start, _, linked) = self.loads.iter().find(holds)?;
        linked.checked_add(offset - start)
    }

    /// The function at an offset in the file, or the nearest one before it.
    pub fn nearest(&self, offset: u64) -> Option<Symbol> {
        self.before(self.address(offset)?)
    }

    fn symbol(&self, address: u64) -> Option<String> {
        self.before(address).filter(|symbol| symbol.is_inside).map(|symbol| symbol.name)
    }

    fn before(&self, address: u64) -> Option<Symbol> {
        let after = self.symbols.partition_point(|(start, ..)| *start <= address);
        let (start, bytes, name) = self.symbols.get(after.checked_sub(1)?)?;
        let is_inside = address - start < (*bytes).max(1);
        Some(Symbol { name: demangled(name), is_inside })
    }

    /// Offset in the file of a function that has a symbol.
    #[cfg(test)]
    pub fn some_function(&self) -> Option<u64> {
        self.symbols.iter().find_map(|(start, bytes, _)| {
            let (offset, _, linked) = self
                .loads
                .iter()
                .find(|(_, len, linked)| (*linked..linked + len).contains(start))?;
            (*bytes > 0).then(|| start - linked + offset)
        })
    }
}

fn inlined(lines: &Context<Lines>, address: u64) -> Vec<SourceFrame> {
    let Ok(mut frames) = lines.find_frames(address).skip_all_loads() else { return Vec::new() };
    let mut all: Vec<SourceFrame> = Vec::new();
    while let Ok(Some(frame)) = frames.next() {
        let function = frame.function.and_then(|f| f.demangle().ok().map(|n| n.into_owned()));
        let (file, line) = frame.location.map_or((None, None), |at| (at.file, at.line));
        // Every frame but the outermost was inlined into the next.
        if let Some(inner) = all.last_mut() {
            inner.is_inlined = true;
        }
        all.push(SourceFrame { function, file: file.map(str::to_string), line, is_inlined: false });
    }
    all
}

fn lines(file: &ElfFile64<'_, object::Endianness>) -> Option<Context<Lines>> {
    file.section_by_name(".debug_info")?;
    let endian = if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
    let load = |id: gimli::SectionId| -> Result<Lines, gimli::Error> {
        let bytes = section(file, id.name()).unwrap_or_default();
        Ok(EndianSlice::new(bytes.leak(), endian))
    };
    Context::from_dwarf(gimli::Dwarf::load(load).ok()?).ok()
}

/// Bytes of a section, unpacked.
fn section(file: &ElfFile64<'_, object::Endianness>, name: &str) -> Option<Vec<u8>> {
    let data = file.section_by_name(name)?.compressed_data().ok()?;
    match data.format {
        CompressionFormat::None => Some(data.data.to_vec()),
        CompressionFormat::Zlib if data.uncompressed_size <= MAX_BYTES => {
            let mut out = Vec::new();
            let most = data.uncompressed_size;
            flate2::read::ZlibDecoder::new(data.data).take(most).read_to_end(&mut out).ok()?;
            Some(out)
        }
        _ => None,
    }
}

fn symbols(file: &ElfFile64<'_, object::Endianness>) -> Vec<(u64, u64, String)> {
    let mut all: Vec<(u64, u64, String)> = file
        .symbols()
        .chain(file.dynamic_symbols())
        .filter(|s| s.kind() == object::SymbolKind::Text && s.address() > 0)
        .filter_map(|s| Some((s.address(), s.size(), s.name().ok()?.to_string())))
        .collect();
    all.sort();
    all.dedup();
    all
}

fn read(path: &Path) -> Option<Vec<u8>> {
    // A module may have been a device or a pipe by the time we look.
    let about = fs::metadata(path).ok().filter(|m| m.is_file() && m.len() <= MAX_BYTES)?;
    let mut bytes = Vec::with_capacity(usize::try_from(about.len()).ok()?);
    fs::File::open(path).ok()?.read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn demangled(name: &str) -> String {
    addr2line::demangle_auto(name.into(), None).into_owned()
}

fn hex(id: &[u8]) -> String {
    use std::fmt::Write as _;
    id.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

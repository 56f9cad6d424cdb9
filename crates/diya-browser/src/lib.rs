//! All of diya in a browser: reader, metrics, checks and SQL over the bytes of
//! a log that was dropped on the page.
//!
//! The same five exports as the decoder of a report (`diya-wasm`); besides,
//! [`diya_named`] takes the name of the log, and [`diya_failure`] gives the reason
//! why the module stopped.
//! Unlike the decoder it needs a clock and random numbers from JavaScript:
//! docs/decisions/0012.
//!
//! ```
//! let bytes = b"no log";
//! let at = diya_browser::diya_alloc(bytes.len());
//! let answer = diya_browser::diya_open(at, bytes.len());
//! assert_ne!(answer, 0);
//! diya_browser::diya_answer_done(answer);
//! ```
// The seven names have to be the ones that the page calls; that is all that is
// unsafe about them: no other code of the module has such names.
#![allow(unsafe_code)]

use diya::context::Context;
use diya::diagnose::CheckSet;
use diya::{OpenOptions, Threads, input};
use diya_page::LoadedJob;
use diya_page::timeline::{Answer, Engine, Question, exports};
use std::cell::RefCell;
use std::sync::Once;

/// The log that was dropped, and what it is called.
#[derive(Default)]
struct Reader {
    name: String,
    held: Option<LoadedJob>,
}

thread_local! {
    /// Length in four bytes and text of the last panic. Apart from the module,
    /// which is borrowed while it breaks.
    static FAILURE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// A panic ends a wasm module with no word: the page asks for it afterwards.
fn keep_failures() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|panic| FAILURE.set(counted(&panic.to_string()))));
    });
}

fn counted(text: &str) -> Vec<u8> {
    let length = u32::try_from(text.len()).unwrap_or(0);
    [&length.to_le_bytes(), text.as_bytes()].concat()
}

impl Engine for Reader {
    /// Reads, judges and keeps the log or the archive of logs in these bytes.
    fn open(&mut self, bytes: Vec<u8>) -> Result<(), String> {
        let logs = input::logs_in(&self.name, bytes).map_err(|e| e.to_string())?;
        let options =
            OpenOptions { threads: Threads::new(1), skips_system: true, ..OpenOptions::default() };
        let checks = CheckSet::builtin().map_err(|e| e.to_string())?;
        let held = LoadedJob::open(logs, options, &checks, &Context::default());
        self.held = Some(held.map_err(|e| e.to_string())?);
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Answer {
        let Some(held) = &self.held else { return Answer::error("no log is open") };
        held.answer(question)
    }
}

exports!(MODULE: Reader);

/// The name of the log that comes next, in UTF-8; takes its buffer over.
#[unsafe(no_mangle)]
pub extern "C" fn diya_named(at: usize, bytes: usize) {
    keep_failures();
    MODULE.with_borrow_mut(|module| {
        let name = module.buffers.take(at, bytes);
        module.engine.name = String::from_utf8_lossy(&name).into_owned();
    });
}

/// Why the module stopped: address of the length in four bytes and the text in
/// UTF-8; an empty one when it does not know, as when memory ran out.
#[unsafe(no_mangle)]
pub extern "C" fn diya_failure() -> usize {
    FAILURE.with_borrow_mut(|text| {
        if text.is_empty() {
            *text = counted("");
        }
        text.as_ptr() as usize
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The module of a browser aborts on a panic; what the hook keeps is all that is left.
    #[test]
    fn a_panic_leaves_its_reason_for_the_page() {
        keep_failures();
        let ended = std::panic::catch_unwind(|| panic!("a damaged number"));
        assert!(ended.is_err());
        assert_ne!(diya_failure(), 0);
        let kept = FAILURE.with_borrow(Clone::clone);
        let (length, text) = kept.split_at(4);
        assert_eq!(length, u32::try_from(text.len()).unwrap().to_le_bytes());
        assert!(String::from_utf8_lossy(text).contains("a damaged number"));
    }
}

//! The decoder in a page: opens the pack, answers questions about the calls.
//!
//! Plain exports on one memory, no imports, hence no generated glue: five
//! functions and the answer's format are all that the page has to know
//! (`web/README.md`, "In the worker"). A buffer is known by its address and
//! belongs to the module until it is freed, so no pointer is ever followed here.
//!
//! ```
//! let text = b"no pack";
//! let at = diya_wasm::diya_alloc(text.len());
//! let answer = diya_wasm::diya_open(at, text.len());
//! assert_ne!(answer, 0);
//! diya_wasm::diya_answer_done(answer);
//! ```
// The five names have to be the ones that the page calls; that is all that is
// unsafe about them: no other code of the module has such names.
#![allow(unsafe_code)]

use diya_timeline::{Answer, Orders, Store, answer, pack};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What the module holds between calls; a worker has one thread.
#[derive(Default)]
struct Module {
    store: Option<Store>,
    orders: Orders,
    /// Buffers that the page writes to or reads from, by address.
    buffers: BTreeMap<usize, Vec<u8>>,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
}

impl Module {
    fn lend(&mut self, buffer: Vec<u8>) -> usize {
        let at = buffer.as_ptr() as usize;
        self.buffers.insert(at, buffer);
        at
    }

    /// The answer, behind its length and four bytes that keep what follows at
    /// a multiple of 8.
    fn lend_answer(&mut self, answer: &Answer) -> usize {
        let mut buffer = Vec::with_capacity(answer.len() + 8);
        buffer.extend_from_slice(&u32::try_from(answer.len()).unwrap_or(0).to_le_bytes());
        buffer.extend_from_slice(&[0; 4]);
        answer.parts().iter().for_each(|part| buffer.extend_from_slice(part));
        self.lend(buffer)
    }

    fn take(&mut self, at: usize, bytes: usize) -> Vec<u8> {
        let mut buffer = self.buffers.remove(&at).unwrap_or_default();
        buffer.truncate(bytes);
        buffer
    }

    fn ask(&mut self, question: &[u8]) -> Answer {
        let Some(store) = &self.store else { return Answer::error("no pack is open") };
        answer(store, &self.orders, question).unwrap_or_else(|| {
            Answer::error("this needs `diya open LOG`: the page has no such data")
        })
    }
}

/// Room for so many bytes; address of the first.
#[unsafe(no_mangle)]
pub extern "C" fn diya_alloc(bytes: usize) -> usize {
    // One byte at least: an empty buffer has no address of its own.
    MODULE.with_borrow_mut(|module| module.lend(vec![0; bytes.max(1)]))
}

/// Gives room back.
#[unsafe(no_mangle)]
pub extern "C" fn diya_free(at: usize, _bytes: usize) {
    MODULE.with_borrow_mut(|module| drop(module.buffers.remove(&at)));
}

/// Opens a pack, and takes its buffer over; the answer is the description, or
/// an error.
#[unsafe(no_mangle)]
pub extern "C" fn diya_open(at: usize, bytes: usize) -> usize {
    MODULE.with_borrow_mut(|module| {
        let packed = module.take(at, bytes);
        let answer = match pack::unpack(&packed) {
            Ok(store) => {
                module.store = Some(store);
                module.ask(br#"{"method":"describe"}"#)
            }
            Err(error) => Answer::error(&error.to_string()),
        };
        module.lend_answer(&answer)
    })
}

/// Answers a question, and takes its buffer over: address of the length in four
/// bytes, four of zero, and the answer.
#[unsafe(no_mangle)]
pub extern "C" fn diya_request(at: usize, bytes: usize) -> usize {
    MODULE.with_borrow_mut(|module| {
        let question = module.take(at, bytes);
        let answer = module.ask(&question);
        module.lend_answer(&answer)
    })
}

/// Gives an answer back.
#[unsafe(no_mangle)]
pub extern "C" fn diya_answer_done(at: usize) {
    diya_free(at, 0);
}

//! The decoder in a page: opens the pack, answers questions about the calls.
//!
//! Plain exports on one memory, no imports, hence no generated glue: five
//! functions and the answer's format are all that the page has to know
//! (`web/README.md`, "In the worker").
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

use diya_timeline::{Answer, Buffers, Orders, Store, answer, pack};
use std::cell::RefCell;

/// What the module holds between calls; a worker has one thread.
#[derive(Default)]
struct Module {
    store: Option<Store>,
    orders: Orders,
    buffers: Buffers,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
}

impl Module {
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
    MODULE.with_borrow_mut(|module| module.buffers.room(bytes))
}

/// Gives room back.
#[unsafe(no_mangle)]
pub extern "C" fn diya_free(at: usize, _bytes: usize) {
    MODULE.with_borrow_mut(|module| module.buffers.free(at));
}

/// Opens a pack, and takes its buffer over; the answer is the description, or
/// an error.
#[unsafe(no_mangle)]
pub extern "C" fn diya_open(at: usize, bytes: usize) -> usize {
    MODULE.with_borrow_mut(|module| {
        let packed = module.buffers.take(at, bytes);
        let answer = match pack::unpack(&packed) {
            Ok(store) => {
                module.store = Some(store);
                module.ask(br#"{"method":"describe"}"#)
            }
            Err(error) => Answer::error(&error.to_string()),
        };
        module.buffers.lend(&answer)
    })
}

/// Answers a question, and takes its buffer over: address of the length in four
/// bytes, four of zero, and the answer.
#[unsafe(no_mangle)]
pub extern "C" fn diya_request(at: usize, bytes: usize) -> usize {
    MODULE.with_borrow_mut(|module| {
        let question = module.buffers.take(at, bytes);
        let answer = module.ask(&question);
        module.buffers.lend(&answer)
    })
}

/// Gives an answer back.
#[unsafe(no_mangle)]
pub extern "C" fn diya_answer_done(at: usize) {
    diya_free(at, 0);
}

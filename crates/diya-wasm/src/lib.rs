//! The decoder in a page: opens the pack, answers questions about the calls.
//!
//! Five exports and the answer's format are all that the page has to know:
//! [`diya_timeline::exports`].
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

use diya_timeline::{Answer, Engine, Orders, Question, Store, answer, pack};

/// The calls of the page's pack.
#[derive(Default)]
struct Decoder {
    store: Option<Store>,
    orders: Orders,
}

impl Engine for Decoder {
    fn open(&mut self, packed: Vec<u8>) -> Result<(), String> {
        self.store = Some(pack::unpack(&packed).map_err(|e| e.to_string())?);
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Answer {
        let Some(store) = &self.store else { return Answer::error("no pack is open") };
        answer(store, &self.orders, question).unwrap_or_else(|| {
            Answer::error("this needs `diya open LOG`: the page has no such data")
        })
    }
}

diya_timeline::exports!(MODULE: Decoder);

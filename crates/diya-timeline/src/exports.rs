//! What a page calls of a wasm module, whatever the module opens.

use crate::{Answer, Buffers, DescribeQuestion, Question};

/// What answers a page: opens the bytes it is given, then answers questions
/// ([`crate::Question`]).
pub trait Engine: Default {
    /// Opens these bytes in place of what was open; the text of an error is for
    /// the reader of the page.
    fn open(&mut self, bytes: Vec<u8>) -> Result<(), String>;

    /// Answers a question; an error when nothing is open.
    fn ask(&mut self, question: &Question) -> Answer;
}

/// What a module holds between calls; a worker has one thread.
#[derive(Debug, Default)]
pub struct Module<E> {
    /// Answers.
    pub engine: E,
    /// Passes bytes between page and engine.
    pub buffers: Buffers,
}

impl<E: Engine> Module<E> {
    /// Opens the bytes of a buffer, and takes it over: address of the answer, a
    /// description or an error.
    pub fn open(&mut self, at: usize, bytes: usize) -> usize {
        let opened = self.buffers.take(at, bytes);
        let answer = match self.engine.open(opened) {
            Ok(()) => self.engine.ask(&Question::Describe(DescribeQuestion::default())),
            Err(error) => Answer::error(&error),
        };
        self.buffers.lend(&answer)
    }

    /// Answers the question in a buffer, and takes it over: address of the answer.
    pub fn request(&mut self, at: usize, bytes: usize) -> usize {
        let question = self.buffers.take(at, bytes);
        let asked = Question::parse(&question);
        let answer = asked.map_or_else(|e| Answer::error(&e), |asked| self.engine.ask(&asked));
        self.buffers.lend(&answer)
    }
}

/// The five exports of a wasm module, on one memory and without imports, hence
/// no generated glue (`web/README.md`, "In the worker").
///
/// `exports!(MODULE: Of)` keeps a [`Module`] with the engine `Of` under the name
/// `MODULE`, for exports that one module has besides.
#[macro_export]
macro_rules! exports {
    ($module:ident: $engine:ty) => {
        thread_local! {
            static $module: ::std::cell::RefCell<$crate::Module<$engine>> = Default::default();
        }

        /// Room for so many bytes; address of the first.
        #[unsafe(no_mangle)]
        pub extern "C" fn diya_alloc(bytes: usize) -> usize {
            $module.with_borrow_mut(|module| module.buffers.room(bytes))
        }

        /// Gives room back.
        #[unsafe(no_mangle)]
        pub extern "C" fn diya_free(at: usize, _bytes: usize) {
            $module.with_borrow_mut(|module| module.buffers.free(at));
        }

        /// Opens what a buffer holds, and takes it over; the answer is the
        /// description, or an error.
        #[unsafe(no_mangle)]
        pub extern "C" fn diya_open(at: usize, bytes: usize) -> usize {
            $module.with_borrow_mut(|module| module.open(at, bytes))
        }

        /// Answers a question, and takes its buffer over: address of the length
        /// in four bytes, four of zero, and the answer.
        #[unsafe(no_mangle)]
        pub extern "C" fn diya_request(at: usize, bytes: usize) -> usize {
            $module.with_borrow_mut(|module| module.request(at, bytes))
        }

        /// Gives an answer back.
        #[unsafe(no_mangle)]
        pub extern "C" fn diya_answer_done(at: usize) {
            diya_free(at, 0);
        }
    };
}

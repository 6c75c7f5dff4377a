//! The engine for a page: a WebAssembly module that takes lines of USI and gives lines, in one thread.
//!
//! `kurosabi.js` loads the module and is what a page sees. Through a buffer of the module ([`kurosabi_buffer`]) it
//! gives the network ([`kurosabi_network`]), then each line ([`kurosabi_receive`]), and has the commands carried out
//! ([`kurosabi_run`]), whose stack it may put aside at each [`give_way`](crate::threads::give_way): so a `stop` comes
//! in while a search is under way.

use std::cell::RefCell;
use std::io::{self, Write};
use std::sync::LazyLock;

use crate::eval::set_embedded_file;
use crate::report::page::answer;
use crate::usi::session::LineSession;

mod page {
    #[link(wasm_import_module = "kurosabi")]
    unsafe extern "C" {
        /// Takes whole lines of UTF-8, which it reads before it returns.
        pub(super) fn write(start: *const u8, length: usize);
    }
}

/// Writes to the page.
struct PageWriter;

impl Write for PageWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // SAFETY: the bytes are those of a slice.
        unsafe { page::write(bytes.as_ptr(), bytes.len()) };
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

static SESSION: LazyLock<LineSession<PageWriter>> = LazyLock::new(|| LineSession::new(PageWriter));

// SAFETY: the linker makes this function of the module's constructors; it takes and returns nothing.
unsafe extern "C" {
    fn __wasm_call_ctors();
}

/// Makes the module ready, once. (Where nothing calls the constructors, the linker has every export do it.)
// SAFETY: the name is the module's own.
#[unsafe(no_mangle)]
pub extern "C" fn _initialize() {
    // SAFETY: the page calls this first, and once.
    unsafe { __wasm_call_ctors() }
}

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Room for bytes from the page, which [`kurosabi_network`] or [`kurosabi_receive`] takes.
// SAFETY: the name is the module's own.
#[unsafe(no_mangle)]
pub extern "C" fn kurosabi_buffer(length: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(length, 0);
        buffer.as_mut_ptr()
    })
}

/// Takes the file of the built-in network from the buffer, before the first line. Returns whether it can be read.
// SAFETY: the name is the module's own.
#[unsafe(no_mangle)]
pub extern "C" fn kurosabi_network() -> bool {
    set_embedded_file(BUFFER.take())
}

/// Takes the line of UTF-8 in the buffer: acts on what commands a search at once, and keeps all else for
/// [`kurosabi_run`]. Returns whether the session goes on: `quit` ends it.
// SAFETY: the name is the module's own.
#[unsafe(no_mangle)]
pub extern "C" fn kurosabi_receive() -> bool {
    let line = BUFFER.take();
    SESSION.receive(&String::from_utf8_lossy(&line))
}

/// Writes the answer to the question of a page in the buffer ([`answer`]); takes neither a network nor a session.
// SAFETY: the name is the module's own.
#[unsafe(no_mangle)]
pub extern "C" fn kurosabi_answer() {
    let question = BUFFER.take();
    // A page is written to without fail.
    _ = writeln!(PageWriter, "{}", answer(&String::from_utf8_lossy(&question)));
}

/// No line follows: searches without end give way.
// SAFETY: the name is the module's own.
#[unsafe(no_mangle)]
pub extern "C" fn kurosabi_end_input() {
    SESSION.end_input();
}

/// Carries out the commands received, until there are none.
// SAFETY: the name is the module's own.
#[unsafe(no_mangle)]
pub extern "C" fn kurosabi_run() {
    SESSION.run();
}

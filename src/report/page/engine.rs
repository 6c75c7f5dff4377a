//! The engine for pages: a script that holds the module of WebAssembly and its network, inside a page or beside pages.

use std::fmt::Write as _;
use std::io::Read;
use std::sync::LazyLock;

use flate2::Compression;
use flate2::read::GzEncoder;

use crate::datagen::sha256;
use crate::eval::nnue::embedded_file;

/// Empty where the program was built without.
const LOADER: &str = include_str!(concat!(env!("OUT_DIR"), "/kurosabi.js"));
const MODULE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/kurosabi.wasm"));

/// The file that pages of a folder have beside them.
pub struct EngineFile {
    /// Changes with the content: pages made by another version keep theirs.
    pub name: String,
    /// A script.
    pub content: String,
}

/// The engine, where the program was built with one.
pub fn engine_file() -> Option<&'static EngineFile> {
    static FILE: LazyLock<Option<EngineFile>> = LazyLock::new(|| (!MODULE.is_empty()).then(EngineFile::new));
    FILE.as_ref()
}

impl EngineFile {
    fn new() -> EngineFile {
        // A script of a page is no module: that would have to be fetched, which browsers refuse to files.
        let loader = LOADER.replace("export default ", "").replace("export ", "");
        let loader = loader.replace("import.meta.url", "location.href");
        let mut module = Vec::new();
        let mut packed = GzEncoder::new(MODULE, Compression::best());
        packed.read_to_end(&mut module).expect("a slice can be read");
        let content = format!(
            "takeEngine(() => {{\n{loader}\nreturn {{ createEngine, createRules }};\n}}, \"{}\", \"{}\");\n",
            base64(&module),
            base64(embedded_file())
        );
        EngineFile { name: format!("kurosabi-{}.js", &sha256(content.as_bytes())[..8]), content }
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = bytes.chunks(3).flat_map(|group| {
        let bits = (0..3).fold(0, |bits, at| bits << 8 | usize::from(group.get(at).copied().unwrap_or(0)));
        let digit = move |at: usize| if at <= group.len() { DIGITS[bits >> (18 - 6 * at) & 63] } else { b'=' };
        (0..4).map(digit).map(char::from)
    });
    digits.collect()
}

const BEGIN: &str = "<script id=\"engine\"";
const END: &str = "</script>";

/// The element of a page that holds the engine.
pub(super) fn element() -> String {
    engine_file().map_or(String::new(), |file| format!("{BEGIN}>\n{}{END}", file.content))
}

/// The page with the engine beside it, in the file of [`engine_file`], if it holds one.
pub fn with_engine_beside(page: &str) -> String {
    let mut made = page.to_owned();
    if let Some(file) = engine_file()
        && let Some((before, rest)) = page.split_once(BEGIN)
        && let Some((_, after)) = rest.split_once(END)
    {
        made.clear();
        _ = write!(made, "{before}{BEGIN} src=\"{}\" async>{END}{after}", file.name);
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_base64() {
        let written = [&b""[..], b"f", b"fo", b"foo", b"foob", b"\xff\xfe\xfd\xfc\xfb"].map(base64);
        assert_eq!(written, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "//79/Ps="]);
    }
}

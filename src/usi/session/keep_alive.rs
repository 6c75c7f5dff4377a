//! Signs of life while something takes long.

use std::io::Write;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::output::Output;

/// Clients give up on an engine that says nothing for five seconds.
pub(super) const INTERVAL: Duration = Duration::from_secs(2);

/// Does some work, with an empty line from time to time while it lasts. Where the system refuses the thread that writes
/// them, the work is done without: a late answer is better than none.
pub(super) fn keep_alive<W: Write + Send, T>(output: &Output<W>, interval: Duration, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        let (done, wait) = channel::<()>();
        let signs_of_life = move || {
            while wait.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                output.text("");
            }
        };
        if let Err(error) = thread::Builder::new().spawn_scoped(scope, signs_of_life) {
            log::warn!("no thread for signs of life: {error}");
        }
        let result = work();
        drop(done);
        result
    })
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::mpsc::Sender;

    use super::*;
    use crate::language::Language;

    /// Hands on each byte that is written.
    struct Told(Sender<u8>);

    impl Write for Told {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            bytes.iter().try_for_each(|&byte| self.0.send(byte)).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_long_wait_is_filled_with_empty_lines() {
        let (told, written) = channel();
        let output = Output::new(Told(told), Language::English);
        // Work that lasts until two lines are there, however long that takes.
        let next = |_| written.recv_timeout(Duration::from_secs(60));
        let lines = keep_alive(&output, Duration::from_millis(1), || [(); 2].map(next));
        drop(output);
        assert!(lines.into_iter().chain(written.iter().map(Ok)).all(|byte| byte == Ok(b'\n')));
    }
}

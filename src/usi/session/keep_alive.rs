//! Signs of life while something takes long.

use std::io::Write;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::output::Output;

/// Clients give up on an engine that says nothing for five seconds.
pub(super) const INTERVAL: Duration = Duration::from_secs(2);

/// Does some work, with an empty line from time to time while it lasts.
pub(super) fn keep_alive<W: Write + Send, T>(output: &Output<W>, interval: Duration, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        let (done, wait) = channel::<()>();
        scope.spawn(move || {
            while wait.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                output.text("");
            }
        });
        let result = work();
        drop(done);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_wait_is_filled_with_empty_lines() {
        let mut written = Vec::new();
        let output = Output::new(&mut written);
        let result = keep_alive(&output, Duration::from_millis(20), || {
            thread::sleep(Duration::from_millis(150));
            7
        });
        drop(output);
        assert_eq!(result, 7);
        assert!((1..=7).contains(&written.len()) && written.iter().all(|&byte| byte == b'\n'), "{written:?}");
    }
}

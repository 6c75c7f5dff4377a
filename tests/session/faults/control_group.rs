//! Control groups of Linux, which limit what the processes in them may have.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// A group with one limit; removed at the end.
pub(super) struct ControlGroup(String);

impl ControlGroup {
    /// A group in which a limit has this value, by its names in groups of version 1 and of version 2; none where no
    /// group can be made.
    pub(super) fn limited(controller: &str, [v1, v2]: [&str; 2], value: u64) -> Option<ControlGroup> {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let name = format!("kurosabi-test-{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let roots = [(format!("/sys/fs/cgroup/{controller}"), v1), ("/sys/fs/cgroup".to_owned(), v2)];
        let made = roots.into_iter().find_map(|(root, limit)| {
            let group = format!("{root}/{name}");
            fs::create_dir(&group).ok()?;
            let limited = fs::write(format!("{group}/{limit}"), value.to_string());
            if limited.is_err() {
                let _ = fs::remove_dir(&group);
            }
            limited.ok().map(|()| ControlGroup(group))
        });
        if made.is_none() {
            eprintln!("skipped: no control group can be made here");
        }
        made
    }

    /// What a shell does to be in the group.
    pub(super) fn entry(&self) -> String {
        format!("echo $$ > {}/cgroup.procs", self.0)
    }
}

impl Drop for ControlGroup {
    /// Removes the group, which is empty a moment after its last process has ended.
    fn drop(&mut self) {
        for _ in 0..100 {
            if fs::remove_dir(&self.0).is_ok() {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        assert!(thread::panicking(), "{} cannot be removed", self.0);
    }
}

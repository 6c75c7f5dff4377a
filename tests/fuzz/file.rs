//! A file for one try, in memory where the system has a folder for that.

use std::path::{Path, PathBuf};

/// Removed when it is dropped.
pub struct File(PathBuf);

impl File {
    /// A file with this content. `name` keeps those of one try apart.
    pub fn with_content(name: &str, content: &[u8]) -> File {
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let path = folder.join(format!("kurosabi-fuzz-{}-{name}", std::process::id()));
        std::fs::write(&path, content).unwrap();
        File(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

//! Files that are replaced atomically: written under a temporary name, and renamed when they are whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The path of another file with this suffix appended to its name. (Replacing the extension would give `net.1` and
/// `net.2` the same name.)
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The temporary name of a file that is not yet whole.
pub(crate) fn part(path: &Path) -> PathBuf {
    beside(&target(path), ".part")
}

/// The file to replace: for a symbolic link, the file that it leads to.
fn target(path: &Path) -> PathBuf {
    let linked = path.is_symlink().then(|| path.canonicalize().ok()).flatten();
    linked.unwrap_or_else(|| path.to_owned())
}

/// Replaces a file with what the function writes. If anything fails, the old file stays and no temporary file is left.
///
/// # Errors
/// When the file cannot be written, or the function fails.
pub(crate) fn replace<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut AtomicFile) -> Result<(), E>,
) -> Result<(), E> {
    let mut file = AtomicFile::create(path)?;
    write(&mut file)?;
    Ok(file.commit()?)
}

/// A temporary file, which [`commit`](AtomicFile::commit) renames to its final name; without that it is removed.
///
/// A rename would put a plain file in the place of a device, a pipe or a symbolic link. So devices and pipes are
/// written to directly, and of a link the file that it leads to is replaced.
pub(crate) struct AtomicFile {
    // Closed before the temporary file is removed: the fields are dropped in this order.
    out: BufWriter<File>,
    part: Option<Part>,
}

impl AtomicFile {
    /// Creates the temporary file. One that an earlier run left there is removed.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(crate) fn create(path: &Path) -> io::Result<AtomicFile> {
        if is_written_directly(path) {
            // Where the shell appends to the file that /dev/stdout stands for, we do so as well.
            let file = OpenOptions::new().append(true).open(path)?;
            return Ok(AtomicFile { out: BufWriter::new(file), part: None });
        }
        let part = Part { path: part(path), target: target(path), removes: true };
        let _ = fs::remove_file(&part.path);
        // Created anew: through a link, or to a device, we would write to something else.
        let file = File::create_new(&part.path)?;
        Ok(AtomicFile { out: BufWriter::new(file), part: Some(part) })
    }

    /// Keeps the temporary file if it is never committed, so that a later run can continue it.
    pub(crate) fn keep_part(mut self) -> AtomicFile {
        self.part.iter_mut().for_each(|part| part.removes = false);
        self
    }

    /// Waits until what was written so far is on the disk. Only then does the file survive a power failure, which is
    /// worth the wait where hours of work went into it.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.out.flush()?;
        // Devices and pipes refuse it.
        self.part.as_ref().map_or(Ok(()), |_| self.out.get_ref().sync_all())
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// When what is left cannot be written, or the file cannot be renamed.
    pub(crate) fn commit(mut self) -> io::Result<()> {
        self.out.flush()?;
        let AtomicFile { out, part } = self;
        // Windows renames no open file.
        drop(out);
        part.map_or(Ok(()), Part::rename)
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether the path names something that a plain file must not replace: a device, a pipe, or an open file of this
/// process.
fn is_written_directly(path: &Path) -> bool {
    const OPEN_FILES: [&str; 3] = ["/dev", "/dev/fd", "/proc/self/fd"];
    let names_open_file = path.is_symlink()
        && path.parent().is_some_and(|folder| OPEN_FILES.iter().any(|&name| folder == Path::new(name)));
    names_open_file || fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

/// A temporary file and the name that it is to have.
struct Part {
    path: PathBuf,
    target: PathBuf,
    /// Whether it is removed when it is dropped.
    removes: bool,
}

impl Part {
    fn rename(mut self) -> io::Result<()> {
        fs::rename(&self.path, &self.target)?;
        self.removes = false;
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if self.removes {
            // On a full disk it would leave others no room.
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> Folder {
            let folder = std::env::temp_dir().join(format!("kurosabi-atomic-{test}-{}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            Folder(folder)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let mut names: Vec<_> =
                entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn write(path: &Path, text: &str) -> io::Result<()> {
        replace(path, |file| file.write_all(text.as_bytes()))
    }

    #[test]
    fn a_file_is_replaced_whole_or_stays_as_it_was() {
        let folder = Folder::new("whole");
        let path = folder.0.join("book.db");
        // What a run that was killed left behind is no hindrance.
        fs::write(part(&path), "half").unwrap();
        write(&path, "old").unwrap();
        let failed = replace(&path, |file| {
            file.write_all(b"new")?;
            Err(io::Error::other("no more"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "no more");
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), folder.names()), ("old", vec!["book.db".to_owned()]));
        write(&path, "new").unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), folder.names()), ("new", vec!["book.db".to_owned()]));
    }

    #[test]
    fn a_folder_in_the_way_is_an_error_and_leaves_nothing() {
        let folder = Folder::new("folder");
        let path = folder.0.join("taken");
        let file = AtomicFile::create(&path).unwrap();
        fs::create_dir(&path).unwrap();
        file.commit().unwrap_err();
        write(&path, "text").unwrap_err();
        assert_eq!(folder.names(), ["taken"]);
    }

    #[test]
    fn a_part_that_is_kept_stays() {
        let folder = Folder::new("kept");
        drop(AtomicFile::create(&folder.0.join("drills")).unwrap().keep_part());
        assert_eq!(folder.names(), ["drills.part"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links() {
        let folder = Folder::new("links");
        let [file, link] = ["file", "link"].map(|name| folder.0.join(name));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, "new").unwrap();
        assert!(link.is_symlink() && fs::read_to_string(&file).unwrap() == "new");
        assert_eq!(folder.names(), ["file", "link"]);
    }

    #[cfg(unix)]
    #[test]
    fn pipes_are_written_to_directly() {
        use std::os::unix::fs::FileTypeExt;
        let folder = Folder::new("pipe");
        let pipe = folder.0.join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let read = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        let written = replace(&pipe, |file| {
            file.write_all(b"text")?;
            file.sync()
        });
        assert!(written.is_ok() && read.join().unwrap() == "text");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        assert_eq!(folder.names(), ["pipe"]);
    }
}

//! Files that are replaced atomically: written under a temporary name, and renamed when they are whole. And locks of
//! files that are worked on for long.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::open_file;

/// The path of another file with this suffix appended to its name. (Replacing the extension would give `net.1` and
/// `net.2` the same name.)
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The path of a file that stands beside another for a while, named like it as far as systems allow: 255 bytes.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let room = 255 - suffix.len();
    match path.file_name().map(OsStr::to_string_lossy) {
        Some(name) if name.len() > room => {
            path.with_file_name(name[..name.floor_char_boundary(room)].to_owned() + suffix)
        }
        _ => with_suffix(path, suffix),
    }
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
    /// Creates the temporary file, under a name that no other process uses.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(crate) fn create(path: &Path) -> io::Result<AtomicFile> {
        if is_written_directly(path) {
            // Where the shell appends to the file that /dev/stdout stands for, we do so as well.
            let file = open_file::to_append(path)?;
            return Ok(AtomicFile { out: BufWriter::new(file), part: None });
        }
        let (file, part) = Part::create(target(path))?;
        Ok(AtomicFile { out: BufWriter::new(file), part: Some(part) })
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
        // The file stays locked until it has its name: until then another process would take it for an abandoned one.
        // Windows renames no open file.
        let out = (!cfg!(windows)).then_some(out);
        let renamed = part.map_or(Ok(()), Part::rename);
        drop(out);
        renamed
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
pub(crate) fn is_written_directly(path: &Path) -> bool {
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

/// So many processes may write the same file at once, or have been killed while they did.
const MOST_PARTS: u32 = 1000;

impl Part {
    /// Makes a file with a name that no living process uses. Each holds a lock on its own, so that those which a
    /// process left behind when it was killed are known, and removed.
    fn create(target: PathBuf) -> io::Result<(File, Part)> {
        for number in 1..=MOST_PARTS {
            let path = beside(&target, &format!(".kurosabi-{number}"));
            remove_abandoned(&path);
            // Created anew: through a link, or to a device, we would write to something else.
            let file = match File::create_new(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                created => created?,
            };
            // Until it is locked, another process may take it for abandoned.
            if lock(&file).unwrap_or(true) && stands_at(&file, &path) {
                return Ok((file, Part { path, target, removes: true }));
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

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

/// Removes a temporary file that no process has locked any more. Where it is not known whether the file at the path
/// is still the one that was locked, it stays.
fn remove_abandoned(path: &Path) {
    let is_file = cfg!(unix) && path.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
    let Some(file) = is_file.then(|| File::open(path).ok()).flatten() else { return };
    if file.try_lock().is_ok() && stands_at(&file, path) {
        let _ = fs::remove_file(path);
    }
}

/// Whether an open file is the one at a path.
#[cfg(unix)]
fn stands_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let [open, named] = [file.metadata(), path.symlink_metadata()].map(|metadata| metadata.ok().map(id));
    open.is_some() && open == named
}

#[cfg(not(unix))]
fn stands_at(_: &File, _: &Path) -> bool {
    true
}

/// Locks a file, without waiting; whether no other process has it.
///
/// # Errors
/// When the system says so.
pub(crate) fn lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        // Some network file systems know no locks.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The right to work on a file, which one process at a time has. The system takes it back when the process ends, in
/// what way it may.
///
/// It is a lock on a file of its own: a file that is replaced is another one afterwards, and on Windows nobody could
/// read a locked one.
pub(crate) struct FileLock {
    lock: Option<(File, PathBuf)>,
}

impl FileLock {
    /// Takes the lock, without waiting; `None` where another process has it. Devices and pipes have none.
    ///
    /// # Errors
    /// When the file that is locked cannot be made.
    pub(crate) fn take(path: &Path) -> io::Result<Option<FileLock>> {
        if is_written_directly(path) {
            return Ok(Some(FileLock { lock: None }));
        }
        let path = beside(&target(path), ".kurosabi-lock");
        loop {
            // A pipe would be waited for.
            if path.symlink_metadata().is_ok_and(|metadata| !metadata.is_file()) {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path)?;
            if !lock(&file)? {
                return Ok(None);
            }
            // Who had it may have removed the file meanwhile.
            if stands_at(&file, &path) {
                return Ok(Some(FileLock { lock: Some((file, path)) }));
            }
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        if let Some((file, path)) = &self.lock {
            // Elsewhere a process that waits for the file could not see that it is gone.
            if cfg!(unix) {
                let _ = fs::remove_file(path);
            }
            // Closing alone leaves it locked as long as a process that was being started has a copy of the handle.
            let _ = file.unlock();
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
        fs::write(with_suffix(&path, ".kurosabi-1"), "half").unwrap();
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
    fn each_of_two_writers_of_a_file_has_a_temporary_file_of_its_own() {
        let folder = Folder::new("two");
        let path = folder.0.join("book.db");
        let mut first = AtomicFile::create(&path).unwrap();
        let mut second = AtomicFile::create(&path).unwrap();
        first.write_all(b"first").unwrap();
        second.write_all(b"second").unwrap();
        second.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "second");
        let third = AtomicFile::create(&path).unwrap();
        first.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        drop(third);
        assert_eq!(folder.names(), ["book.db"]);
    }

    #[test]
    fn many_writers_leave_one_whole_file() {
        let folder = Folder::new("many");
        let path = folder.0.join("book.db");
        let texts: Vec<String> = (0..8).map(|writer| format!("{writer}\n").repeat(10_000)).collect();
        std::thread::scope(|scope| {
            for text in &texts {
                let path = &path;
                scope.spawn(move || (0..50).for_each(|_| write(path, text).unwrap()));
            }
        });
        assert!(texts.contains(&fs::read_to_string(&path).unwrap()));
        assert_eq!(folder.names(), ["book.db"]);
    }

    #[test]
    fn one_at_a_time_has_the_lock_of_a_file() {
        let folder = Folder::new("lock");
        let path = folder.0.join("book.db");
        // A lock that a killed process left behind is free.
        fs::write(with_suffix(&path, ".kurosabi-lock"), "").unwrap();
        let lock = FileLock::take(&path).unwrap().unwrap();
        assert!(FileLock::take(&path).unwrap().is_none());
        // The file may be replaced meanwhile.
        write(&path, "text").unwrap();
        assert!(FileLock::take(&path).unwrap().is_none());
        drop(lock);
        drop(FileLock::take(&path).unwrap().unwrap());
        if cfg!(unix) {
            assert_eq!(folder.names(), ["book.db"]);
        }
        let [held, taken] = [0, 0].map(std::sync::atomic::AtomicU32::new);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    use std::sync::atomic::Ordering::SeqCst;
                    for _ in 0..500 {
                        if let Some(lock) = FileLock::take(&path).unwrap() {
                            assert_eq!(held.fetch_add(1, SeqCst), 0, "two have it");
                            taken.fetch_add(1, SeqCst);
                            held.fetch_sub(1, SeqCst);
                            drop(lock);
                        }
                    }
                });
            }
        });
        assert!(taken.into_inner() > 0);
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

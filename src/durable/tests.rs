//! Tests of writing, reading, locking and sweeping files.

use std::fs;
use std::io::Write;
use std::path::Path;

use super::*;

/// Returns the sorted file names in `folder`.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The last step of a writer: it either finishes its file or drops it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum LastStep {
    Finish,
    Abort,
}

const STEPS: usize = 4;

/// Writes a file in [`STEPS`] steps: create the file, write the first half, write the second half, and perform the
/// last step.
struct Writer<'a> {
    path: &'a Path,
    content: &'a str,
    last_step: LastStep,
    file: Option<AtomicFile>,
    step: usize,
}

impl Writer<'_> {
    /// Performs the next step. Returns `true` if this step finished the file.
    fn step(&mut self) -> bool {
        self.step += 1;
        let (first, second) = self.content.split_at(self.content.len() / 2);
        match self.step {
            1 => self.file = Some(AtomicFile::create(self.path).unwrap()),
            2 => {
                let file = self.file.as_mut().unwrap();
                file.write_all(first.as_bytes()).unwrap();
                file.flush().unwrap();
            }
            3 => {
                let file = self.file.as_mut().unwrap();
                file.write_all(second.as_bytes()).unwrap();
            }
            _ => {
                let file = self.file.take().unwrap();
                if self.last_step == LastStep::Finish {
                    file.finish().unwrap();
                    return true;
                }
                drop(file);
            }
        }
        false
    }
}

#[test]
fn interleaved_writers_leave_one_complete_file() {
    let (first, second) = (
        "content of the first writer",
        "content of the second writer",
    );
    let mut interleavings = 0;
    for last_steps in [
        [LastStep::Finish, LastStep::Finish],
        [LastStep::Abort, LastStep::Finish],
        [LastStep::Abort, LastStep::Abort],
    ] {
        // Bit `n` is 1 if the second writer performs step `n`, and 0 if the first writer performs it.
        for schedule in 0_u32..1 << (2 * STEPS) {
            if schedule.count_ones() as usize != STEPS {
                continue;
            }
            interleavings += 1;
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("table");
            fs::write(&path, "old content").unwrap();
            let writer = |content, last_step| Writer {
                path: &path,
                content,
                last_step,
                file: None,
                step: 0,
            };
            let mut writers = [writer(first, last_steps[0]), writer(second, last_steps[1])];
            let mut expected = "old content";
            for step in 0..2 * STEPS {
                let writer = &mut writers[(schedule >> step & 1) as usize];
                if writer.step() {
                    expected = writer.content;
                }
                let found = fs::read_to_string(&path).unwrap();
                assert_eq!(
                    found, expected,
                    "{last_steps:?} {schedule:b} after step {step}"
                );
            }
            assert_eq!(names(folder.path()), ["table"]);
        }
    }
    // The second writer performs 4 of the 8 steps, and there are 70 ways to choose 4 of 8.
    assert_eq!(interleavings, 3 * 70);
}

#[test]
fn concurrent_writers_leave_one_complete_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let content = |writer: u8| vec![writer; 100_000 + usize::from(writer)];
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let (path, content) = (&path, content(writer));
            scope.spawn(move || {
                for _ in 0..20 {
                    write(path, |file| file.write_all(&content)).unwrap();
                    let found = fs::read(path).unwrap();
                    let is_uniform = found.iter().all(|byte| *byte == found[0]);
                    assert!(is_uniform && found.len() == 100_000 + usize::from(found[0]));
                }
            });
        }
    });
    assert_eq!(names(folder.path()), ["table"]);
}

#[test]
fn failed_write_keeps_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    fs::write(&path, "old").unwrap();
    let error = write(&path, |file| {
        file.write_all(&vec![7; 3 << 20])?;
        Err(std::io::Error::other("the disk is full"))
    })
    .unwrap_err();
    assert!(error.0.contains("the disk is full") && error.0.contains("table"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(names(folder.path()), ["table"]);
}

#[test]
fn rejects_folder_as_file_before_writing() {
    let folder = tempfile::tempdir().unwrap();
    let error = write(folder.path(), |_| {
        unreachable!("a folder cannot be written")
    })
    .unwrap_err();
    assert!(error.0.contains("folder"), "{error}");
    let missing_folder = folder.path().join("no/such/folder");
    assert!(write(&missing_folder, |_| unreachable!("there is no such folder")).is_err());
}

#[cfg(unix)]
#[test]
fn follows_no_links() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let (path, target) = (folder.path().join("table"), folder.path().join("target"));
    fs::write(&target, "unchanged").unwrap();
    symlink(&target, &path).unwrap();
    let temporary_name = format!("table.unfinished-{}-0", std::process::id());
    symlink(&target, folder.path().join(&temporary_name)).unwrap();
    write(&path, |file| file.write_all(b"new")).unwrap();
    assert_eq!(fs::read_to_string(&target).unwrap(), "unchanged");
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert!(fs::symlink_metadata(&path).unwrap().is_file());
    symlink(&target, folder.path().join(".puli.lock")).unwrap();
    assert!(PathLock::on_folder(folder.path()).is_err());
}

#[test]
fn lock_is_exclusive_and_removes_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let lock = PathLock::on_folder(folder.path()).unwrap();
    assert!(lock.is_exclusive());
    let error = PathLock::on_folder(folder.path()).unwrap_err();
    assert!(error.0.contains("another puli"), "{error}");
    // The lock of a folder does not lock the files in the folder.
    let file = folder.path().join("network");
    let file_lock = PathLock::on_file(&file).unwrap();
    assert!(PathLock::on_file(&file).is_err());
    drop((lock, file_lock));
    drop(PathLock::on_folder(folder.path()).unwrap());
    // A killed process leaves a lock file that is not locked.
    fs::write(folder.path().join(".puli.lock"), "").unwrap();
    drop(PathLock::on_folder(folder.path()).unwrap());
    if cfg!(unix) {
        assert_eq!(names(folder.path()), Vec::<String>::new());
    }
}

#[test]
fn only_one_thread_holds_a_lock() {
    use std::sync::atomic::{AtomicU32, Ordering};
    let folder = tempfile::tempdir().unwrap();
    let (holders, acquired) = (AtomicU32::new(0), AtomicU32::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..500 {
                    if let Ok(lock) = PathLock::on_folder(folder.path()) {
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                        acquired.fetch_add(1, Ordering::Relaxed);
                        std::thread::yield_now();
                        holders.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                }
            });
        }
    });
    assert!(acquired.into_inner() > 0);
}

#[test]
fn sweep_checks_name_magic_and_lock() {
    let folder = tempfile::tempdir().unwrap();
    let write_file =
        |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    let kinds = FileKinds {
        is_name: |name| name.strip_suffix(".puli").is_some(),
        magics: &[b"PuliTabl"],
    };
    let leftovers = [
        ("a.puli.unfinished-1-0", "PuliTabl and half of the rest"),
        ("b.puli.unfinished-4294967295-7", ""),
        ("c.puli.unfinished-3-0", "Puli"),
    ];
    let other_files = [
        ("my-thesis.unfinished-99999999", "PuliTabl"),
        ("my-thesis.unfinished-99999999-0", "PuliTabl"),
        ("d.puli.unfinished-1-0", "other content"),
        ("e.puli.unfinished-1", "PuliTabl"),
        ("f.puli.unfinished-+1-0", "PuliTabl"),
        ("g.puli.unfinished-01-0", "PuliTabl"),
        ("h.puli.unfinished-1-0.bak", "PuliTabl"),
        ("i.puli", "PuliTabl"),
    ];
    for (name, content) in leftovers.iter().chain(&other_files) {
        write_file(name, content);
    }
    fs::create_dir(folder.path().join("j.puli.unfinished-1-0")).unwrap();
    let mut file = AtomicFile::create(&folder.path().join("k.puli")).unwrap();
    file.write_all(b"PuliTabl").unwrap();
    file.flush().unwrap();
    let before = names(folder.path());
    assert_eq!(sweep(folder.path(), &kinds).unwrap(), leftovers.len());
    let expected: Vec<String> = before
        .into_iter()
        .filter(|name| !leftovers.iter().any(|(swept, _)| name == swept))
        .collect();
    assert_eq!(names(folder.path()), expected);
    assert!(file.unfinished().exists());
    drop(file);
}

#[test]
fn opens_regular_files_and_reads_within_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, "twelve bytes").unwrap();
    let source = Source::open(&path).unwrap();
    assert_eq!((source.length(), source.path()), (12, path.as_path()));
    assert_eq!(source.read(7, 5).unwrap(), b"bytes");
    // The length is rejected before memory is allocated.
    for (offset, length) in [(0, 13), (12, 1), (u64::MAX, 1), (0, usize::MAX)] {
        let error = source.read(offset, length).unwrap_err();
        assert!(error.0.contains("cannot be read"), "{error}");
    }
    let error = Source::find(folder.path()).unwrap_err();
    assert!(error.0.contains("regular file"), "{error}");
    assert!(Source::find(&folder.path().join("none")).unwrap().is_none());
}

#[cfg(unix)]
#[test]
fn rejects_pipes_and_devices_without_blocking() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let status = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(status.unwrap().success());
    for path in [&pipe, Path::new("/dev/zero"), Path::new("/dev/stdin")] {
        if path == Path::new("/dev/stdin")
            && fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
        {
            continue;
        }
        let error = Source::find(path).unwrap_err();
        assert!(error.0.contains("regular file"), "{error}");
    }
}

#[test]
fn reports_insufficient_disk_space() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(require_space(folder.path(), 0), Ok(()));
    let error = require_space(folder.path(), u64::MAX).unwrap_err();
    let name = folder.path().display().to_string();
    assert!(
        error.0.contains(&name) && error.0.contains("MiB"),
        "{error}"
    );
}

#[test]
fn reports_failed_allocation() {
    assert!(zeroed(usize::MAX).is_err());
    assert_eq!(zeroed(3), Ok(vec![0; 3]));
}

const FORMAT: FileFormat = FileFormat {
    magic: *b"PuliTest",
    version: 3,
};

#[test]
fn journal_resumes_at_recorded_length_and_detects_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.journal");
    let create = || Journal::create(&path, FORMAT, "mine\n").unwrap();
    // A journal is deleted on drop if `keep` was not called.
    drop(create());
    assert!(!path.exists());
    let mut journal = create();
    let first = journal.append(vec![vec![1; 10], vec![2; 20]]).unwrap();
    journal.sync().unwrap();
    journal.keep();
    let recorded = journal.length();
    journal.append(vec![vec![3; 30]]).unwrap();
    drop(journal);
    assert!(fs::metadata(&path).unwrap().len() > recorded);
    let resume = |text, length| Journal::resume(&path, FORMAT, text, length);
    let (mut journal, offset) = resume("mine\n", recorded).unwrap();
    assert_eq!((offset, journal.length()), (first[0], recorded));
    assert_eq!(fs::metadata(&path).unwrap().len(), recorded);
    let next = journal.append(vec![vec![4; 5]]).unwrap();
    assert_eq!(next, [recorded]);
    let entry = |journal: &Journal, offset, length| journal.entry(offset, length).unwrap();
    assert_eq!(entry(&journal, first[1], 20), Some(vec![2; 20]));
    assert_eq!(entry(&journal, recorded, 5), Some(vec![4; 5]));
    assert_eq!(entry(&journal, recorded, 6), None);
    assert_eq!(entry(&journal, recorded, u64::MAX), None);
    drop(journal);
    assert!(resume("mine\n", recorded + 100).is_err());
    assert!(resume("another's\n", recorded).is_err());
    let mut damaged = fs::read(&path).unwrap();
    damaged[first[1] as usize + 3] ^= 4;
    fs::write(&path, damaged).unwrap();
    let (journal, _) = resume("mine\n", recorded).unwrap();
    assert_eq!(entry(&journal, first[1], 20), None);
    assert_eq!(entry(&journal, first[0], 10), Some(vec![1; 10]));
    journal.remove();
    assert!(!path.exists());
    // A file of another format is neither replaced nor deleted.
    fs::write(&path, "other content").unwrap();
    assert!(Journal::create(&path, FORMAT, "mine\n").is_err());
    Journal::remove_at(&path, FORMAT);
    assert_eq!(fs::read(&path).unwrap(), b"other content");
    // An empty file and a file that ends within the header count as journals.
    for partial in [&b""[..], b"Puli", b"PuliTest\x03"] {
        fs::write(&path, partial).unwrap();
        drop(create());
        fs::write(&path, partial).unwrap();
        Journal::remove_at(&path, FORMAT);
        assert!(!path.exists());
    }
}

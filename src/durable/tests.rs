//! What the writers and readers of sealed files promise.

use std::fs;
use std::io::Write;
use std::path::Path;

use super::*;

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// What a writer does, one step after another; the last one puts the file in its place, or gives up.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Finish,
    GiveUp,
}

const STEPS: usize = 4;

/// A writer in some state of its work.
struct Writer<'a> {
    path: &'a Path,
    content: &'a str,
    end: End,
    draft: Option<AtomicFile>,
    step: usize,
}

impl Writer<'_> {
    /// Takes the next step, and says whether the file has just been put in its place.
    fn step(&mut self) -> bool {
        self.step += 1;
        let (first, second) = self.content.split_at(self.content.len() / 2);
        match self.step {
            1 => self.draft = Some(AtomicFile::begin(self.path).unwrap()),
            2 => {
                let draft = self.draft.as_mut().unwrap();
                draft.write_all(first.as_bytes()).unwrap();
                draft.flush().unwrap();
            }
            3 => {
                let draft = self.draft.as_mut().unwrap();
                draft.write_all(second.as_bytes()).unwrap();
            }
            _ => {
                let draft = self.draft.take().unwrap();
                if self.end == End::Finish {
                    draft.finish().unwrap();
                    return true;
                }
                drop(draft);
            }
        }
        false
    }
}

#[test]
fn however_writers_interleave_the_file_is_one_of_theirs_and_whole() {
    let (one, other) = ("the first writer's words", "and other words of the second");
    let mut interleavings = 0;
    for ends in [
        [End::Finish, End::Finish],
        [End::GiveUp, End::Finish],
        [End::GiveUp, End::GiveUp],
    ] {
        // The ones of a number say when the second writer has his turn.
        for turns in 0_u32..1 << (2 * STEPS) {
            if turns.count_ones() as usize != STEPS {
                continue;
            }
            interleavings += 1;
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("table");
            fs::write(&path, "what was there").unwrap();
            let writer = |content, end| Writer {
                path: &path,
                content,
                end,
                draft: None,
                step: 0,
            };
            let mut writers = [writer(one, ends[0]), writer(other, ends[1])];
            let mut expected = "what was there";
            for turn in 0..2 * STEPS {
                let writer = &mut writers[(turns >> turn & 1) as usize];
                if writer.step() {
                    expected = writer.content;
                }
                let found = fs::read_to_string(&path).unwrap();
                assert_eq!(found, expected, "{ends:?} {turns:b} after step {turn}");
            }
            assert_eq!(names(folder.path()), ["table"]);
        }
    }
    assert_eq!(interleavings, 3 * 70);
}

#[test]
fn writers_in_many_threads_leave_one_whole_file_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let content = |writer: u8| vec![writer; 100_000 + usize::from(writer)];
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let (path, content) = (&path, content(writer));
            scope.spawn(move || {
                for _ in 0..20 {
                    write(path, |draft| draft.write_all(&content)).unwrap();
                    let found = fs::read(path).unwrap();
                    let is_whole = found.iter().all(|byte| *byte == found[0]);
                    assert!(is_whole && found.len() == 100_000 + usize::from(found[0]));
                }
            });
        }
    });
    assert_eq!(names(folder.path()), ["table"]);
}

#[test]
fn a_writer_that_fails_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    fs::write(&path, "old").unwrap();
    let refusal = write(&path, |draft| {
        draft.write_all(&vec![7; 3 << 20])?;
        Err(std::io::Error::other("the disk is full"))
    })
    .unwrap_err();
    assert!(refusal.0.contains("the disk is full") && refusal.0.contains("table"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(names(folder.path()), ["table"]);
}

#[test]
fn a_folder_in_the_files_place_is_refused_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let refusal = write(folder.path(), |_| unreachable!("nothing is to be written")).unwrap_err();
    assert!(refusal.0.contains("folder"), "{refusal}");
    let nowhere = folder.path().join("no/such/folder");
    assert!(write(&nowhere, |_| unreachable!("there is nowhere to write to")).is_err());
}

#[cfg(unix)]
#[test]
fn no_link_is_followed() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let (path, precious) = (folder.path().join("table"), folder.path().join("precious"));
    fs::write(&precious, "precious").unwrap();
    symlink(&precious, &path).unwrap();
    let first = format!("table.unfinished-{}-0", std::process::id());
    symlink(&precious, folder.path().join(&first)).unwrap();
    write(&path, |draft| draft.write_all(b"new")).unwrap();
    assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert!(fs::symlink_metadata(&path).unwrap().is_file());
    symlink(&precious, folder.path().join(".puli.lock")).unwrap();
    assert!(PathLock::on_folder(folder.path()).is_err());
}

#[test]
fn a_claim_is_exclusive_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let claim = PathLock::on_folder(folder.path()).unwrap();
    assert!(claim.is_exclusive());
    let refusal = PathLock::on_folder(folder.path()).unwrap_err();
    assert!(refusal.0.contains("another puli"), "{refusal}");
    // The files in it are claimed one by one.
    let file = folder.path().join("network");
    let of_file = PathLock::on_file(&file).unwrap();
    assert!(PathLock::on_file(&file).is_err());
    drop((claim, of_file));
    drop(PathLock::on_folder(folder.path()).unwrap());
    // A lock file that a killed process left is as good as none.
    fs::write(folder.path().join(".puli.lock"), "").unwrap();
    drop(PathLock::on_folder(folder.path()).unwrap());
    if cfg!(unix) {
        assert_eq!(names(folder.path()), Vec::<String>::new());
    }
}

#[test]
fn one_of_many_who_want_a_claim_has_it_at_a_time() {
    use std::sync::atomic::{AtomicU32, Ordering};
    let folder = tempfile::tempdir().unwrap();
    let (inside, had) = (AtomicU32::new(0), AtomicU32::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..500 {
                    if let Ok(claim) = PathLock::on_folder(folder.path()) {
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        had.fetch_add(1, Ordering::Relaxed);
                        std::thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(claim);
                    }
                }
            });
        }
    });
    assert!(had.into_inner() > 0);
}

#[test]
fn only_what_is_ours_by_name_and_form_and_nobodys_is_swept() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    let kin = ArtifactKinds {
        is_name: |name| name.strip_suffix(".puli").is_some(),
        magics: &[b"PuliTabl"],
    };
    let ours = [
        ("a.puli.unfinished-1-0", "PuliTabl and half of the rest"),
        ("b.puli.unfinished-4294967295-7", ""),
        ("c.puli.unfinished-3-0", "Puli"),
    ];
    let others = [
        ("my-thesis.unfinished-99999999", "PuliTabl"),
        ("my-thesis.unfinished-99999999-0", "PuliTabl"),
        ("d.puli.unfinished-1-0", "Dear diary"),
        ("e.puli.unfinished-1", "PuliTabl"),
        ("f.puli.unfinished-+1-0", "PuliTabl"),
        ("g.puli.unfinished-01-0", "PuliTabl"),
        ("h.puli.unfinished-1-0.bak", "PuliTabl"),
        ("i.puli", "PuliTabl"),
    ];
    for (name, content) in ours.iter().chain(&others) {
        put(name, content);
    }
    fs::create_dir(folder.path().join("j.puli.unfinished-1-0")).unwrap();
    let mut draft = AtomicFile::begin(&folder.path().join("k.puli")).unwrap();
    draft.write_all(b"PuliTabl").unwrap();
    draft.flush().unwrap();
    let before = names(folder.path());
    assert_eq!(sweep(folder.path(), &kin).unwrap(), ours.len());
    let expected: Vec<String> = before
        .into_iter()
        .filter(|name| !ours.iter().any(|(swept, _)| name == swept))
        .collect();
    assert_eq!(names(folder.path()), expected);
    assert!(draft.unfinished().exists());
    drop(draft);
}

#[test]
fn only_regular_files_are_opened_and_no_byte_beyond_them_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, "twelve bytes").unwrap();
    let source = Source::open(&path).unwrap();
    assert_eq!((source.length(), source.path()), (12, path.as_path()));
    assert_eq!(source.read(7, 5).unwrap(), b"bytes");
    // Memory is not even asked for.
    for (position, length) in [(0, 13), (12, 1), (u64::MAX, 1), (0, usize::MAX)] {
        let refusal = source.read(position, length).unwrap_err();
        assert!(refusal.0.contains("cannot be read"), "{refusal}");
    }
    let refusal = Source::find(folder.path()).unwrap_err();
    assert!(refusal.0.contains("regular file"), "{refusal}");
    assert!(Source::find(&folder.path().join("none")).unwrap().is_none());
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for path in [&pipe, Path::new("/dev/zero"), Path::new("/dev/stdin")] {
        if path == Path::new("/dev/stdin") && fs::metadata(path).is_ok_and(|it| it.is_file()) {
            continue;
        }
        let refusal = Source::find(path).unwrap_err();
        assert!(refusal.0.contains("regular file"), "{refusal}");
    }
}

#[test]
fn a_disk_without_room_is_told_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(require_space(folder.path(), 0), Ok(()));
    let refusal = require_space(folder.path(), u64::MAX).unwrap_err();
    let name = folder.path().display().to_string();
    assert!(
        refusal.0.contains(&name) && refusal.0.contains("MiB"),
        "{refusal}"
    );
}

#[test]
fn memory_that_cannot_be_had_is_refused() {
    assert!(zeroed(usize::MAX).is_err());
    assert_eq!(zeroed(3), Ok(vec![0; 3]));
}

const KIND: FileFormat = FileFormat {
    magic: *b"PuliTest",
    version: 3,
};

#[test]
fn what_was_added_after_a_journal_was_kept_is_cut_off_and_damage_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.journal");
    let begin = || Journal::begin(&path, KIND, "mine\n").unwrap();
    // One that nobody has kept is gone.
    drop(begin());
    assert!(!path.exists());
    let mut journal = begin();
    let first = journal.append(vec![vec![1; 10], vec![2; 20]]).unwrap();
    journal.sync().unwrap();
    journal.keep();
    let kept = journal.length();
    journal.append(vec![vec![3; 30]]).unwrap();
    drop(journal);
    assert!(fs::metadata(&path).unwrap().len() > kept);
    let take_up = |text, length| Journal::take_up(&path, KIND, text, length);
    let (mut journal, begins) = take_up("mine\n", kept).unwrap();
    assert_eq!((begins, journal.length()), (first[0], kept));
    assert_eq!(fs::metadata(&path).unwrap().len(), kept);
    let next = journal.append(vec![vec![4; 5]]).unwrap();
    assert_eq!(next, [kept]);
    let entry = |journal: &Journal, at, length| journal.entry(at, length).unwrap();
    assert_eq!(entry(&journal, first[1], 20), Some(vec![2; 20]));
    assert_eq!(entry(&journal, kept, 5), Some(vec![4; 5]));
    assert_eq!(entry(&journal, kept, 6), None);
    assert_eq!(entry(&journal, kept, u64::MAX), None);
    drop(journal);
    assert!(take_up("mine\n", kept + 100).is_err());
    assert!(take_up("another's\n", kept).is_err());
    let mut damaged = fs::read(&path).unwrap();
    damaged[first[1] as usize + 3] ^= 4;
    fs::write(&path, damaged).unwrap();
    let (journal, _) = take_up("mine\n", kept).unwrap();
    assert_eq!(entry(&journal, first[1], 20), None);
    assert_eq!(entry(&journal, first[0], 10), Some(vec![1; 10]));
    journal.remove();
    assert!(!path.exists());
    // What is not a journal of this kind is not replaced.
    fs::write(&path, "Dear diary").unwrap();
    assert!(Journal::begin(&path, KIND, "mine\n").is_err());
    Journal::sweep(&path, KIND);
    assert_eq!(fs::read(&path).unwrap(), b"Dear diary");
    // One that was killed in its first breath is one.
    for begun in [&b""[..], b"Puli", b"PuliTest\x03"] {
        fs::write(&path, begun).unwrap();
        drop(begin());
        fs::write(&path, begun).unwrap();
        Journal::sweep(&path, KIND);
        assert!(!path.exists());
    }
}

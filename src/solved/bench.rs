//! What a thread works with in the movement phase, lent from one cube to the next.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::blocks::Blocks;
use super::gathering::{Gathered, Gathering};
use super::marks::Marks;
use super::turn::Turned;
use super::word::Word;

/// What a thread works with.
pub struct Bench {
    /// Where positions of the set at hand are gathered.
    pub gathering: Gathering,
    /// Those found in the end.
    pub found: Gathered,
    /// Those gathered that may be lost, as a list.
    pub candidates: Gathered,
    /// Which of those are left.
    pub left: Vec<u32>,
    /// Which of them can make a move, and the place of the word that it leads to, or the group of words that it turns.
    pub moving: Vec<(u32, u32)>,
    /// Moves of single sets of goats: which candidate, which of its sets, and where that leads.
    pub singles: Vec<(u32, u32, u32)>,
    /// By outer digits: which candidate lies there, counted from one, or zero.
    pub candidate_at: Vec<u32>,
    /// A cube of the ply before spread out: all its words, by their outer digits.
    pub spread: Vec<Word>,
    /// The groups of words to turn.
    pub groups: Marks,
    /// Where words are while they are turned.
    pub turned: Turned,
}

impl Bench {
    fn new(blocks: &Blocks) -> Self {
        Self {
            gathering: Gathering::new(blocks),
            found: Gathered::default(),
            candidates: Gathered::default(),
            left: Vec::new(),
            moving: Vec::new(),
            singles: Vec::new(),
            candidate_at: vec![0; 1 << blocks.outside],
            spread: bytemuck::zeroed_vec(1 << blocks.outside),
            groups: Marks::new(1 << blocks.outside),
            turned: Turned::default(),
        }
    }
}

/// Those that no thread works with, as clean as new ones: large boards' are large.
#[derive(Default)]
pub struct Benches(Mutex<Vec<Bench>>);

impl Benches {
    /// One that is free, if there is any.
    pub fn take(&self) -> Taken<'_> {
        Taken {
            bench: self.lock().pop(),
            benches: self,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Bench>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A bench while a thread works with it; others take it afterwards.
pub struct Taken<'a> {
    bench: Option<Bench>,
    benches: &'a Benches,
}

impl Taken<'_> {
    /// The bench, a new one where none was free.
    pub fn bench(&mut self, blocks: &Blocks) -> &mut Bench {
        self.bench.get_or_insert_with(|| Bench::new(blocks))
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        // One whose work was broken off is not clean.
        if !std::thread::panicking() {
            self.benches.lock().extend(self.bench.take());
        }
    }
}

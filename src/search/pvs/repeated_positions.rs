//! Positions that a third occurrence would make a draw, and why the rest of the history does not matter to a win.
//!
//! Call S the positions that have occurred twice when a search begins, and G the game without any history in which
//! whoever comes to a position of S has drawn. **Whoever wins within n plies in G does so in the real game, and no
//! sooner there than in G.** For let the winner always keep to a move after which the win in G is nearer. Then no
//! position occurs twice from the root on; one that is not in S has occurred at most once before; so none occurs for
//! the third time, and the play ends with the win. The other way round, the real game differs from G only by more
//! draws, which never help to win.
//!
//! So wins found in G may be remembered by position alone, apart from those of other S: the keys are disguised by S.

use super::SearchMode;
use crate::path::Path;
use crate::rules::Game;
use crate::search::tactics::CanonicalKey;

/// Spreads keys over all bits before they are summed (Knuth, volume 3, 6.4).
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The set S.
#[derive(Clone, Debug)]
pub struct RepeatedPositions<G: Game> {
    positions: Vec<G::Position>,
    key_salt: u64,
}

impl<G: Game> RepeatedPositions<G> {
    /// What the game so far has left.
    pub fn new(game: &G, path: &Path<G>) -> Self {
        let positions: Vec<G::Position> = path.twice_occurred().copied().collect();
        // A sum, so that the order in which they occurred does not matter.
        let disguise = positions.iter().fold(0_u64, |sum, position| {
            sum.wrapping_add(game.key(position).wrapping_mul(SPREAD))
        });
        Self {
            positions,
            key_salt: disguise,
        }
    }

    /// Whether a position is among them; hardly ever are there any.
    #[inline]
    pub fn contains(&self, position: &G::Position) -> bool {
        !self.positions.is_empty() && self.positions.contains(position)
    }

    /// The key under which a search of this style remembers a position. What is exhausted is not symmetric: where there
    /// is something, a position is not folded together with its images, as `fold` does.
    #[inline]
    pub fn canonical_key(
        &self,
        game: &G,
        position: &G::Position,
        style: SearchMode,
        fold: impl FnOnce() -> CanonicalKey,
    ) -> CanonicalKey {
        if self.positions.is_empty() || style == SearchMode::Exact {
            let folded = fold();
            return CanonicalKey {
                key: style.salted_key(folded.key),
                ..folded
            };
        }
        CanonicalKey {
            key: style.salted_key(game.key(position) ^ self.key_salt),
            symmetry: 0,
        }
    }
}

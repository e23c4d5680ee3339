//! Positions whose third occurrence would be a draw, and why the rest of the history does not matter for wins.
//!
//! Let S be the positions that have occurred twice when a search starts, and let G be the game without history in
//! which reaching a position of S is a draw. **A side that wins within n plies in G also wins within n plies in the
//! real game, and it wins no sooner there.** Proof: let the winner always play a move that shortens the win in G.
//! Then no position occurs twice after the root, and a position outside S has occurred at most once before, so no
//! position occurs for the third time. Conversely, the real game differs from G only by additional draws, which
//! never help to win.
//!
//! So wins in G can be stored by position alone, with keys salted by S.

use super::SearchMode;
use crate::path::Path;
use crate::rules::Game;
use crate::search::tactics::CanonicalKey;

/// Spreads keys over all bits before they are summed (Knuth, volume 3, section 6.4).
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The set S.
#[derive(Clone, Debug)]
pub(crate) struct RepeatedPositions<G: Game> {
    positions: Vec<G::Position>,
    key_salt: u64,
}

impl<G: Game> RepeatedPositions<G> {
    /// Creates the set for the game so far.
    pub(super) fn new(game: &G, path: &Path<G>) -> Self {
        let positions: Vec<G::Position> = path.twice_occurred().copied().collect();
        // A sum does not depend on the order in which the positions occurred.
        let disguise = positions.iter().fold(0_u64, |sum, position| {
            sum.wrapping_add(game.key(position).wrapping_mul(SPREAD))
        });
        Self {
            positions,
            key_salt: disguise,
        }
    }

    /// Returns `true` if the set contains the position. It is almost always empty.
    #[inline]
    pub(super) fn contains(&self, position: &G::Position) -> bool {
        !self.positions.is_empty() && self.positions.contains(position)
    }

    /// Returns the key for the entries of this mode.
    ///
    /// S is not symmetric: if it contains a position, the key is that of the position itself, otherwise that of its
    /// symmetric images, which `fold` returns.
    #[inline]
    pub(crate) fn canonical_key(
        &self,
        game: &G,
        position: &G::Position,
        mode: SearchMode,
        fold: impl FnOnce() -> CanonicalKey,
    ) -> CanonicalKey {
        if self.positions.is_empty() || mode == SearchMode::Exact {
            let canonical = fold();
            return CanonicalKey {
                key: mode.salted_key(canonical.key),
                ..canonical
            };
        }
        CanonicalKey {
            key: mode.salted_key(game.key(position) ^ self.key_salt),
            symmetry: 0,
        }
    }
}

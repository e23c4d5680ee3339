//! The positions that have occurred twice, whose third occurrence is a draw. Proof mode ignores the rest of the
//! history, which the following theorem justifies.
//!
//! Let S be the positions that have occurred twice when a search starts. Let G be the game without history in which
//! reaching a position of S is a draw. **If a side wins in n plies in G, it also wins in n plies in the real game,
//! and not in fewer.**
//!
//! Proof: let the winner always play a move that shortens the win in G. Then no position occurs twice after the
//! root. A position outside S has occurred at most once before, so no position occurs for the third time.
//! Conversely, the real game differs from G only by additional draws, which never help to win.
//!
//! So the table can store wins in G by position. The keys include a salt that depends on S.

use super::SearchMode;
use crate::path::Path;
use crate::rules::Game;
use crate::search::tactics::CanonicalKey;

/// Multiplier that spreads the keys over all 64 bits before they are added (Knuth, volume 3, section 6.4).
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The set S of the positions that have occurred twice.
#[derive(Clone, Debug)]
pub(crate) struct RepeatedPositions<G: Game> {
    positions: Vec<G::Position>,
    key_salt: u64,
}

impl<G: Game> RepeatedPositions<G> {
    /// Creates the set for the game so far.
    pub(super) fn new(game: &G, path: &Path<G>) -> Self {
        let positions: Vec<G::Position> = path.twice_occurred().copied().collect();
        // Addition makes the salt independent of the order in which the positions occurred.
        let key_salt = positions.iter().fold(0_u64, |sum, position| {
            sum.wrapping_add(game.key(position).wrapping_mul(SPREAD))
        });
        Self {
            positions,
            key_salt,
        }
    }

    /// Returns `true` if the set contains the position. The set is usually empty.
    #[inline]
    pub(super) fn contains(&self, position: &G::Position) -> bool {
        !self.positions.is_empty() && self.positions.contains(position)
    }

    /// Returns the table key of `position` in `mode`.
    ///
    /// In exact mode, and if S is empty, symmetric positions share their key. Otherwise they have different keys,
    /// because S may contain a position but not its images.
    #[inline]
    pub(crate) fn canonical_key(
        &self,
        game: &G,
        position: &G::Position,
        mode: SearchMode,
        canonical_key: impl FnOnce() -> CanonicalKey,
    ) -> CanonicalKey {
        if self.positions.is_empty() || mode == SearchMode::Exact {
            let canonical = canonical_key();
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

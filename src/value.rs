//! Values of positions, from the first player's view.
//!
//! Searches compute with [`Value`], an integer, and prune by a [`Window`] of values. A [`Bound`] relates a
//! value to the true value. Searches report a [`Score`].

use std::fmt;

/// The two players. P1 maximizes the value, P2 minimizes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first player, the maximizer.
    P1,
    /// The second player, the minimizer.
    P2,
}

impl Side {
    /// Returns the opponent.
    #[inline]
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::P1 => Self::P2,
            Self::P2 => Self::P1,
        }
    }

    /// Returns `true` if `value` is strictly better than `best` for this side.
    #[inline]
    pub fn prefers(self, value: Value, best: Value) -> bool {
        match self {
            Self::P1 => value > best,
            Self::P2 => value < best,
        }
    }

    /// Returns the worst possible value for this side, the initial value of a search for the best
    /// move.
    #[inline]
    pub fn worst(self) -> Value {
        match self {
            Self::P1 => -Value::INFINITE,
            Self::P2 => Value::INFINITE,
        }
    }
}

/// The value of a position in hundredths of a point, always from the first player's view.
///
/// A forced win of the first player is 2,000,000,000 minus its distance from the root in plies, far outside the range
/// of evaluations. Wins of the second player are negated. So a shorter win is better for the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub i32);

impl Value {
    /// A draw or an equal position.
    pub const ZERO: Self = Self(0);
    /// Greater than every value; its negation is less than every value.
    pub(crate) const INFINITE: Self = Self(2_000_000_001);
    /// Maximum magnitude, in points, of an evaluation and of a leaf value of a game tree.
    pub const MAX_POINTS: i32 = 10_000_000;
    /// Value of a win of the first player at the root. Each ply of distance subtracts 1.
    const WIN: i32 = 2_000_000_000;
    /// Maximum distance of a win from the root, in plies. Values with a smaller magnitude than such a win are
    /// evaluations.
    const MAX_WIN_PLIES: i32 = 100_000;

    /// Returns the value of `points` whole points.
    #[inline]
    pub const fn points(points: i32) -> Self {
        Self(points * 100)
    }

    /// Returns the value of a win for `side`, `ply` plies below the root.
    #[inline]
    pub const fn win(side: Side, ply: u32) -> Self {
        match side {
            Side::P1 => Self(Self::WIN - ply as i32),
            Side::P2 => Self(ply as i32 - Self::WIN),
        }
    }

    /// Returns the winner and the distance from the root in plies if the value is a forced win.
    #[inline]
    pub fn forced(self) -> Option<(Side, u32)> {
        let plies = Self::WIN - self.0.abs();
        (plies <= Self::MAX_WIN_PLIES).then(|| {
            let side = if self.0 > 0 { Side::P1 } else { Side::P2 };
            (side, plies as u32)
        })
    }

    /// Returns the value for a transposition table: the distance of a forced win is counted from the node at `ply`
    /// instead of the root.
    ///
    /// So the stored value is valid for every occurrence of the position in the tree.
    #[inline]
    #[must_use]
    pub(crate) fn counted_from_node(self, ply: u32) -> Self {
        match self.forced() {
            Some((Side::P1, _)) => Self(self.0 + ply as i32),
            Some((Side::P2, _)) => Self(self.0 - ply as i32),
            None => self,
        }
    }

    /// Returns a stored value for a node at `ply`, with the distance of a forced win counted from the root: the
    /// inverse of [`Value::counted_from_node`].
    #[inline]
    #[must_use]
    pub(crate) fn counted_from_root(self, ply: u32) -> Self {
        match self.forced() {
            Some((Side::P1, _)) => Self(self.0 - ply as i32),
            Some((Side::P2, _)) => Self(self.0 + ply as i32),
            None => self,
        }
    }

    /// Returns the value that is better for `side` by one hundredth of a point.
    #[inline]
    #[must_use]
    pub fn better(self, side: Side) -> Self {
        match side {
            Side::P1 => Self(self.0 + 1),
            Side::P2 => Self(self.0 - 1),
        }
    }

    /// Returns the value that is worse for `side` by one hundredth of a point. As a bound of a window, it leaves
    /// the value `self` inside the window.
    #[inline]
    #[must_use]
    pub fn worse(self, side: Side) -> Self {
        self.better(side.other())
    }
}

impl std::ops::Neg for Value {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// The open interval of values that can change the result of a search: `alpha < value < beta`, from the first
/// player's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The value that the first player can already reach elsewhere.
    pub alpha: Value,
    /// The value that the second player can already reach elsewhere.
    pub beta: Value,
}

impl Window {
    /// The window that contains every value.
    pub(crate) const FULL: Self = Self {
        alpha: Value(-Value::INFINITE.0),
        beta: Value::INFINITE,
    };

    /// Returns the null window `(beta - 1, beta)`, which only tests if the value is at least `beta`.
    #[inline]
    pub(crate) fn null_below(beta: Value) -> Self {
        Self {
            alpha: Value(beta.0 - 1),
            beta,
        }
    }

    /// Returns the window for the remaining moves after `side` has found a move with this value.
    #[inline]
    #[must_use]
    pub(crate) fn narrowed(self, side: Side, value: Value) -> Self {
        match side {
            Side::P1 => Self {
                alpha: self.alpha.max(value),
                ..self
            },
            Side::P2 => Self {
                beta: self.beta.min(value),
                ..self
            },
        }
    }

    /// Returns `true` if the window is closed, so that the remaining moves cannot change the result (a cutoff).
    #[inline]
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// Returns `true` if alpha exceeds beta by at least `margin`, so that the remaining moves are cut
    /// off.
    #[inline]
    pub(crate) fn is_closed(self, margin: i32) -> bool {
        self.alpha.0 >= self.beta.0 + margin
    }

    /// Returns `true` if no value lies strictly inside the window.
    #[inline]
    pub fn is_null(self) -> bool {
        // `beta - alpha` would overflow: the full window is wider than an `i32`.
        self.alpha.0 + 1 >= self.beta.0
    }

    /// Returns the value that a move of `side` must beat: alpha for the first player, beta for the second.
    #[inline]
    pub(crate) fn side_bound(self, side: Side) -> Value {
        match side {
            Side::P1 => self.alpha,
            Side::P2 => self.beta,
        }
    }

    /// Returns the null window at the bound of `side`, which tests if a move beats the best move so far.
    #[inline]
    #[must_use]
    pub fn scout(self, side: Side) -> Self {
        match side {
            Side::P1 => Self {
                alpha: self.alpha,
                beta: self.alpha.better(Side::P1),
            },
            Side::P2 => Self {
                alpha: self.beta.better(Side::P2),
                beta: self.beta,
            },
        }
    }

    /// Returns the relation of `value`, the result of a search with this window, to the true value.
    #[inline]
    pub fn bound(self, value: Value) -> Bound {
        if value >= self.beta {
            Bound::Lower
        } else if value <= self.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }
}

/// The relation of a search's result to the true value of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The value equals the true value.
    Exact,
    /// The value is a lower bound: the true value is equal or greater.
    Lower,
    /// The value is an upper bound: the true value is equal or less.
    Upper,
}

impl Bound {
    /// Returns the bound for the negated value, which is the opponent's view.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }

    /// Converts a bound from the first player's view to the view of `side`.
    #[must_use]
    pub(crate) fn seen_by(self, side: Side) -> Self {
        match side {
            Side::P1 => self,
            Side::P2 => self.flipped(),
        }
    }
}

/// The result of a search, from the first player's view. In puzzles, the only player is the first player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Score {
    /// Points of the evaluation, or expected points.
    Points(f64),
    /// A forced win: the winner, and the distance in plies. In puzzles, a solution and its length in moves.
    Win(Side, u32),
}

impl Score {
    /// Returns `true` if the first player prefers this score: wins to points, and short wins to long wins.
    pub fn exceeds(self, other: Self) -> bool {
        let rank = |score| match score {
            Self::Win(Side::P1, plies) => (1, -f64::from(plies)),
            Self::Points(points) => (0, points),
            Self::Win(Side::P2, plies) => (-1, f64::from(plies)),
        };
        rank(self) > rank(other)
    }

    /// Returns the score from the opponent's view.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Points(points) => Self::Points(0.0 - points),
            Self::Win(side, plies) => Self::Win(side.other(), plies),
        }
    }

    /// Converts a score from the first player's view to the view of `side`.
    #[must_use]
    pub(crate) fn seen_by(self, side: Side) -> Self {
        match side {
            Side::P1 => self,
            Side::P2 => self.flipped(),
        }
    }
}

impl From<Value> for Score {
    fn from(value: Value) -> Self {
        match value.forced() {
            Some((side, plies)) => Self::Win(side, plies),
            None => Self::Points(f64::from(value.0) / 100.0),
        }
    }
}

impl From<f64> for Score {
    fn from(points: f64) -> Self {
        Self::Points(points)
    }
}

impl fmt::Display for Score {
    /// Writes points with at most four decimals, or a forced win such as `win in 7` or `loss in 4`, in plies. A win
    /// of the second player is a loss.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Points(points) => write!(f, "{}", (points * 10_000.0).round() / 10_000.0 + 0.0),
            Self::Win(Side::P1, plies) => write!(f, "win in {plies}"),
            Self::Win(Side::P2, plies) => write!(f, "loss in {plies}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winner_prefers_the_shorter_win() {
        assert!(Value::win(Side::P1, 3) > Value::win(Side::P1, 5));
        assert!(Value::win(Side::P2, 3) < Value::win(Side::P2, 5));
        assert!(Value::points(Value::MAX_POINTS) < Value::win(Side::P1, 10_000));
    }

    #[test]
    fn null_window_contains_no_value() {
        assert!(!Window::FULL.is_null());
        assert!(Window::null_below(Value::points(3)).is_null());
        let window = Window {
            alpha: Value(0),
            beta: Value(2),
        };
        assert!(!window.is_null());
    }

    #[test]
    fn stored_win_keeps_its_distance_at_another_ply() {
        for side in [Side::P1, Side::P2] {
            let stored = Value::win(side, 9).counted_from_node(4);
            assert_eq!(stored.forced(), Some((side, 5)));
            assert_eq!(stored.counted_from_root(2).forced(), Some((side, 7)));
        }
        assert_eq!(Value::points(49).counted_from_node(4), Value::points(49));
    }
}

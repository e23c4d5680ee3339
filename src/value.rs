//! What a position is worth: [`Value`], the [`Side`] that wants it high or low, the [`Window`] of a search, and
//! the [`Score`] that leaves it.

use std::fmt;

/// The two players. The first (p1) wants values high, the second (p2) low.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Moves first; the maximizer.
    P1,
    /// Moves second; the minimizer.
    P2,
}

impl Side {
    /// The opponent.
    #[inline]
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::P1 => Self::P2,
            Self::P2 => Self::P1,
        }
    }

    /// Whether this side likes `value` strictly better than `best`.
    #[inline]
    pub fn prefers(self, value: Value, best: Value) -> bool {
        match self {
            Self::P1 => value > best,
            Self::P2 => value < best,
        }
    }

    /// The value every other is preferred to: where this side's search for its best move begins.
    #[inline]
    pub fn worst(self) -> Value {
        match self {
            Self::P1 => -Value::INFINITE,
            Self::P2 => Value::INFINITE,
        }
    }
}

/// The value of a position, always from the first player's view, in hundredths of a point; far out lie the forced wins.
///
/// `Value::win(side, ply)` is a win `ply` plies below the root of the search: sooner is better for the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub i32);

impl Value {
    /// A draw, or nothing to choose between the sides.
    pub const ZERO: Self = Self(0);
    /// Beyond every value.
    pub const INFINITE: Self = Self(2_000_000_001);
    /// The largest magnitude, in points, of an evaluation or a tree's leaf.
    pub const MAX_POINTS: i32 = 10_000_000;
    const WIN: i32 = 2_000_000_000;
    const MAX_WIN_PLIES: i32 = 100_000;

    /// An evaluation of `points` whole points.
    #[inline]
    pub const fn points(points: i32) -> Self {
        Self(points * 100)
    }

    /// A win for `side` that is complete `ply` plies below the root.
    #[inline]
    pub const fn win(side: Side, ply: u32) -> Self {
        match side {
            Side::P1 => Self(Self::WIN - ply as i32),
            Side::P2 => Self(ply as i32 - Self::WIN),
        }
    }

    /// The winner and the number of plies from the root to the win, if this is a forced win.
    #[inline]
    pub fn forced(self) -> Option<(Side, u32)> {
        let plies = Self::WIN - self.0.abs();
        (plies <= Self::MAX_WIN_PLIES).then(|| {
            let side = if self.0 > 0 { Side::P1 } else { Side::P2 };
            (side, plies as u32)
        })
    }

    /// The value as a table holds it: a forced win's distance counted from the node at `ply`, not from the root.
    #[inline]
    #[must_use]
    pub fn from_node(self, ply: u32) -> Self {
        match self.forced() {
            Some((Side::P1, _)) => Self(self.0 + ply as i32),
            Some((Side::P2, _)) => Self(self.0 - ply as i32),
            None => self,
        }
    }

    /// The inverse of [`Value::from_node`]: a table's value as seen from the root, `ply` plies above.
    #[inline]
    #[must_use]
    pub fn from_root(self, ply: u32) -> Self {
        match self.forced() {
            Some((Side::P1, _)) => Self(self.0 - ply as i32),
            Some((Side::P2, _)) => Self(self.0 + ply as i32),
            None => self,
        }
    }

    /// One step better for `side`: with it a window lets equal values through.
    #[inline]
    #[must_use]
    pub fn better(self, side: Side) -> Self {
        match side {
            Side::P1 => Self(self.0 + 1),
            Side::P2 => Self(self.0 - 1),
        }
    }

    /// One step worse for `side`.
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

/// The open interval of values that still matter to a search: `alpha < value < beta`, first player's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// What the first player already has elsewhere.
    pub alpha: Value,
    /// What the second player already has elsewhere.
    pub beta: Value,
}

impl Window {
    /// Every value matters.
    pub const FULL: Self = Self {
        alpha: Value(-Value::INFINITE.0),
        beta: Value::INFINITE,
    };

    /// The window in which no value lies: only the question "at least `beta`, or less?" is left.
    #[inline]
    pub fn null_below(beta: Value) -> Self {
        Self {
            alpha: Value(beta.0 - 1),
            beta,
        }
    }

    /// What is left once `side` has found a move worth `value`.
    #[inline]
    #[must_use]
    pub fn narrowed(self, side: Side, value: Value) -> Self {
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

    /// Nothing is left to find: the opponent will not let it come to this.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// No value lies strictly inside.
    #[inline]
    pub fn is_null(self) -> bool {
        // Not `beta - alpha`: the full window is wider than an `i32`.
        self.alpha.0 + 1 >= self.beta.0
    }

    /// What `side` holds already: a move has to be preferred to it.
    #[inline]
    pub fn side_bound(self, side: Side) -> Value {
        match side {
            Side::P1 => self.alpha,
            Side::P2 => self.beta,
        }
    }

    /// The null window in which `side`, holding a move worth `best`, asks whether another is better still.
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

    /// What a search in this window that returned `value` has proved of the true value.
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

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The value itself.
    Exact,
    /// The true value is this or higher.
    Lower,
    /// The true value is this or lower.
    Upper,
}

impl Bound {
    /// The same seen from the other side of the board.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }

    /// What is told from the first player's view as this side sees it.
    #[must_use]
    pub fn seen_by(self, side: Side) -> Self {
        match side {
            Side::P1 => self,
            Side::P2 => self.flipped(),
        }
    }
}

/// A search's result, from the first player's view (in puzzles: the solver's).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Score {
    /// Points of the game's evaluation, or expected points.
    Points(f64),
    /// A forced win of this side, complete in so many plies (in puzzles: a solution of so many moves).
    Win(Side, u32),
}

impl Score {
    /// Whether the first player prefers this one: a win to all points, and a quick one to a slow one.
    pub fn exceeds(self, other: Self) -> bool {
        let worth = |score| match score {
            Self::Win(Side::P1, plies) => (1, -f64::from(plies)),
            Self::Points(points) => (0, points),
            Self::Win(Side::P2, plies) => (-1, f64::from(plies)),
        };
        worth(self) > worth(other)
    }

    /// The same seen from the other side of the board.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Points(points) => Self::Points(0.0 - points),
            Self::Win(side, plies) => Self::Win(side.other(), plies),
        }
    }

    /// What is told from the first player's view as this side sees it.
    #[must_use]
    pub fn seen_by(self, side: Side) -> Self {
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
    /// In points with as many digits as matter, or as `win in 7` and `loss in 4` plies.
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
    fn a_win_sooner_is_better_for_the_winner() {
        assert!(Value::win(Side::P1, 3) > Value::win(Side::P1, 5));
        assert!(Value::win(Side::P2, 3) < Value::win(Side::P2, 5));
        assert!(Value::points(Value::MAX_POINTS) < Value::win(Side::P1, 10_000));
    }

    #[test]
    fn only_a_window_without_a_value_inside_is_null() {
        assert!(!Window::FULL.is_null());
        assert!(Window::null_below(Value::points(3)).is_null());
        let window = Window {
            alpha: Value(0),
            beta: Value(2),
        };
        assert!(!window.is_null());
    }

    #[test]
    fn a_win_survives_the_way_into_a_table_and_out_at_another_ply() {
        for side in [Side::P1, Side::P2] {
            let stored = Value::win(side, 9).from_node(4);
            assert_eq!(stored.forced(), Some((side, 5)));
            assert_eq!(stored.from_root(2).forced(), Some((side, 7)));
        }
        assert_eq!(Value::points(49).from_node(4), Value::points(49));
    }
}

//! Which games have tables, and the board of their tables.

use super::Board;
use crate::bits::iter_ones;
use crate::games::hunt::spec::{HuntersDrop, InfinitePlay, Role};

impl Board {
    /// Computes [`Self::has_standard_rules`].
    pub(super) fn follows_standard_rules(&self) -> bool {
        let goats_first = self.spec.first == Role::Prey;
        goats_first
            && (self.goats_placed, self.tigers_in_hand) == (0, 0)
            && self.has_standard_movement()
    }

    /// Returns the board for computing the tablebase of this game, or `None` if tablebases do not support the game.
    ///
    /// The solver requires a start in which goats move first and drop one per turn, and all tigers are on the
    /// board. So this method returns the game with such a start, with tigers in hand put on the first free points.
    /// The values of positions do not depend on the start.
    pub(crate) fn for_tables(&'static self) -> Option<&'static Self> {
        if self.has_standard_rules {
            return Some(self);
        }
        if !self.supports_tables() {
            return None;
        }
        let mut spec = self.spec.clone();
        (spec.first, spec.first_drops) = (Role::Prey, 1);
        let free = iter_ones(self.all() & !(self.tigers | self.goats_placed));
        for point in free.take(self.tigers_in_hand as usize) {
            spec.hunters_at |= 1 << point;
        }
        Self::of(spec).ok()
    }

    /// Returns `true` if [`Self::for_tables`] returns a board.
    fn supports_tables(&self) -> bool {
        let placed = self.goats_placed.count_ones();
        let tigers_drop_at_once =
            self.tigers_in_hand == 0 || self.spec.hunters_drop == HuntersDrop::First;
        (placed == 0 || placed == self.goats) && tigers_drop_at_once && self.has_table_rules()
    }

    /// Returns `true` if the rules allow tables ([`Self::has_table_rules`]), and goats drop one per turn, step to any
    /// point in any direction, and lose if they cannot move.
    fn has_standard_movement(&self) -> bool {
        (self.spec.first_drops, self.zone, self.steps) == (1, self.all(), self.goat_steps)
            && !self.stuck_goats_pass
            && self.has_table_rules()
    }

    /// Returns `true` if all goats always fit in their zone, captures are possible and optional, tigers are not removed,
    /// goats neither turn nor stand in stacks, there are no goals, and infinite play is a draw. If leaps form chains, there
    /// must be one tiger, and all goats must start on the board.
    ///
    /// The first condition ensures that goats in hand never have to pass because of a full zone.
    fn has_table_rules(&self) -> bool {
        let spec = &self.spec;
        self.goats + spec.hunters <= self.zone.count_ones()
            && !self.has_goals
            && spec.captures.is_some()
            && !spec.capture_is_forced
            && (!spec.has_chains
                || spec.hunters == 1 && self.goats_placed.count_ones() == self.goats)
            && !spec.has_huffs
            && !spec.prey_turn
            && !self.has_stacks
            && spec.infinite_play == InfinitePlay::Draw
    }
}

//! How many pieces in hand a turn drops.

use super::{Board, MAX_MULTI_DROPS, binomial};
use crate::error::EngineError;
use crate::games::hunt::spec::{BoardSpec, HuntersDrop};

impl Board {
    /// Returns the number of tigers dropped in the tigers' next turn, with `in_hand` tigers in
    /// hand.
    #[inline]
    pub(crate) fn tigers_dropped(&self, in_hand: u32) -> u32 {
        match self.spec.hunters_drop {
            HuntersDrop::First => in_hand,
            HuntersDrop::Alternate => in_hand.min(1),
        }
    }

    /// Returns the number of goats dropped in the goats' next turn, with `in_hand` goats in hand.
    #[inline]
    pub(crate) fn goats_dropped(&self, in_hand: u32) -> u32 {
        let is_first_turn = in_hand + self.goats_at_start == self.goats;
        if is_first_turn {
            self.spec.first_drops
        } else {
            in_hand.min(1)
        }
    }

    /// Returns the number of goat turns for dropping `in_hand` goats.
    #[inline]
    pub(crate) fn turns_to_place(&self, in_hand: u32) -> u32 {
        if self.places_one {
            return in_hand;
        }
        let next_turn = self.goats_dropped(in_hand);
        u32::from(next_turn > 0) + in_hand.saturating_sub(next_turn)
    }
}

/// Returns an error if the game has more than `MAX_MULTI_DROPS` possible multi-drops.
pub(super) fn check_multi_drops(spec: &BoardSpec) -> Result<(), EngineError> {
    let points = spec.points();
    let max_drop = match spec.hunters_drop {
        HuntersDrop::First => spec
            .first_drops
            .max(spec.hunters - spec.hunters_at.count_ones()),
        HuntersDrop::Alternate => spec.first_drops,
    };
    let multi_drops: u64 = (2..=u64::from(max_drop))
        .map(|size| binomial(points as u64, size))
        .sum();
    if multi_drops > MAX_MULTI_DROPS {
        return Err(EngineError::new(format!(
            "{max_drop} pieces can be dropped on {points} points in {multi_drops} ways, at most {MAX_MULTI_DROPS} are supported"
        )));
    }
    Ok(())
}

//! What must hold of a sketch as a whole, and what is worth a warning.

use super::{Fault, Party, Sketch};

/// Neighbours on a line that turn by more degrees are worth a warning.
const SHARPEST_BEND: f64 = 15.0;

impl Sketch {
    /// Checks what several lines of a file say together; `fault` makes the mistake for the line of a keyword.
    pub(super) fn check_counts(&self, fault: impl Fn(&str, String) -> Fault) -> Result<(), Fault> {
        let on_lines = self
            .edges()
            .flatten()
            .fold(0_u64, |set, point| set | 1 << point);
        if let Some(lonely) = (0..self.points()).find(|&point| on_lines >> point & 1 == 0) {
            let name = self.point_name(lonely);
            return Err(fault(
                "line",
                format!("every point on a line, and {name} is on none"),
            ));
        }
        let both = self.hunters_at & self.prey_at;
        if both != 0 {
            let name = self.point_name(both.trailing_zeros() as usize);
            return Err(fault(
                "prey",
                format!("prey beside the hunters, and both stand on {name}"),
            ));
        }
        if (self.hunters + self.prey) as usize > self.points() {
            let points = self.points();
            let expected = format!(
                "room for everybody: {} hunters and {} prey stand on {points} points",
                self.hunters, self.prey
            );
            return Err(fault("prey", expected));
        }
        let outside = self.prey_at & !self.prey_zone;
        if outside != 0 {
            let name = self.point_name(outside.trailing_zeros() as usize);
            return Err(fault(
                "prey-zone",
                format!("the prey's first points in their zone, and {name} is not"),
            ));
        }
        if self.hunters_goal & self.hunters_at != 0 {
            return Err(fault(
                "hunters-goal",
                String::from("a goal that no hunter stands on at the start"),
            ));
        }
        if self.prey_goal != 0 && self.prey_goal & !self.prey_at == 0 {
            return Err(fault(
                "prey-goal",
                String::from("a goal that the prey have still to reach"),
            ));
        }
        if self.prey_goal.count_ones() > self.prey {
            return Err(fault(
                "prey-goal",
                format!("no more goals than the {} prey", self.prey),
            ));
        }
        Ok(())
    }

    /// What is no mistake, but may be one: sharp bends on a line, a goal out of reach, drops that nobody is left for.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let at: Vec<(f64, f64)> = self.coordinates().collect();
        for [first, middle, last] in self.threes() {
            let angle =
                |from: usize, to: usize| (at[to].1 - at[from].1).atan2(at[to].0 - at[from].0);
            let bend = (angle(middle, last) - angle(first, middle))
                .to_degrees()
                .rem_euclid(360.0);
            let bend = bend.min(360.0 - bend);
            if bend >= SHARPEST_BEND {
                let [first, middle, last] =
                    [first, middle, last].map(|point| self.point_name(point));
                warnings.push(format!(
                    "the line {first} {middle} {last} bends by {bend:.0} degrees, and leaps go round the bend: two lines have none there"
                ));
            }
        }
        if self.captures.is_none() && self.capture_is_forced {
            warnings.push(String::from("captures are forced, and there are none"));
        }
        let in_hand = self.prey - self.prey_at.count_ones();
        if self.first == Party::Hunters && self.first_drops > 1 && in_hand == 0 {
            warnings.push(String::from(
                "the first turn places prey, and none are in hand",
            ));
        }
        warnings
    }
}

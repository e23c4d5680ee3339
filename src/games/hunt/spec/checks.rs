//! What must hold of a sketch as a whole, and what is worth a warning.

use std::collections::{BTreeMap, BTreeSet};

use super::{BoardSpec, MAX_POINTS, PointSet, Role};

/// Neighbours on a line that turn by more degrees are worth a warning.
const SHARPEST_BEND: f64 = 15.0;

impl BoardSpec {
    /// What several lines of a file say together that cannot be: their keywords, that of the line to be mended last, and
    /// what was expected there.
    pub(super) fn contradictions(&self) -> Vec<(&'static [&'static str], String)> {
        let mut found: Vec<(&'static [&'static str], String)> = Vec::new();
        let on_lines = self
            .edges()
            .flatten()
            .fold(0_u64, |set, point| set | 1 << point);
        let all = PointSet::MAX >> (MAX_POINTS - self.points().max(1));
        if let Some(lonely) = self.names_of(all & !on_lines) {
            let expected = format!("every point on a line, and {lonely} on none");
            found.push((&["row", "line"], expected));
        }
        if self.captures.is_some()
            && let Some(expected) = self.unclear_leap()
        {
            found.push((&["row", "line", "captures"], expected));
        }
        if let Some(both) = self.names_of(self.hunters_at & self.prey_at) {
            let expected = format!("prey beside the hunters, and {both} taken by both");
            found.push((&["row", "hunters", "prey"], expected));
        }
        if (self.hunters + self.prey) as usize > self.points() {
            let points = self.points();
            let expected = format!(
                "room for everybody: {} hunters and {} prey stand on {points} points",
                self.hunters, self.prey
            );
            found.push((&["row", "hunters", "prey"], expected));
        }
        if let Some(outside) = self.names_of(self.prey_at & !self.prey_zone) {
            let expected = format!("the prey's first points in their zone, and {outside} not");
            found.push((&["row", "prey", "prey-zone"], expected));
        }
        if self.hunters_goal & self.hunters_at != 0 {
            let expected = String::from("a goal that no hunter stands on at the start");
            found.push((&["row", "hunters", "hunters-goal"], expected));
        }
        if self.prey_goal != 0 && self.prey_goal & !self.prey_at == 0 {
            let expected = String::from("a goal that the prey have still to reach");
            found.push((&["row", "prey", "prey-goal"], expected));
        }
        if self.prey_goal.count_ones() > self.prey {
            let expected = format!("no more goals than the {} prey", self.prey);
            found.push((&["row", "prey", "prey-goal"], expected));
        }
        found
    }

    /// What is expected where one move would have two meanings: leaps over different points have the same ends, or these are
    /// neighbours.
    fn unclear_leap(&self) -> Option<String> {
        let sorted = |first: usize, last: usize| [first.min(last), first.max(last)];
        let steps: BTreeSet<_> = self.edges().map(|[from, to]| sorted(from, to)).collect();
        let mut leaps = BTreeMap::new();
        self.threes().find_map(|[first, middle, last]| {
            let ends = sorted(first, last);
            let other = leaps.insert(ends, middle);
            let [first, last] = ends.map(|point| self.point_name(point));
            if steps.contains(&ends) {
                return Some(format!(
                    "no leap between {first} and {last}, which are neighbours: lines that meet in {} have none over it",
                    self.point_name(middle)
                ));
            }
            let others = [other?, middle].map(|point| self.point_name(point));
            Some(format!(
                "one leap between {first} and {last}, and there are two, over {} and {}: lines that meet there have none",
                others[0], others[1]
            ))
        })
    }

    /// The points of a set as a subject, with its verb: `a1 is`, `a1, b2 and c3 are`; nothing of an empty one.
    fn names_of(&self, set: PointSet) -> Option<String> {
        let points = (0..self.points()).filter(|&point| set >> point & 1 == 1);
        let mut names: Vec<String> = points.map(|point| self.point_name(point)).collect();
        let last = names.pop()?;
        Some(if names.is_empty() {
            format!("{last} is")
        } else {
            format!("{} and {last} are", names.join(", "))
        })
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
        if self.first == Role::Hunters && self.first_drops > 1 && in_hand == 0 {
            warnings.push(String::from(
                "the first turn places prey, and none are in hand",
            ));
        }
        warnings
    }
}

//! Checks of a parsed spec for contradictions between lines and for suspicious values.

use std::collections::{BTreeMap, BTreeSet};

use super::{BoardSpec, MAX_POINTS, MAX_STACKS, PointSet, Role};
use crate::english::list;

/// Minimum bend of a line at a point, in degrees, for a warning by [`BoardSpec::warnings`].
const MAX_BEND_DEGREES: f64 = 15.0;

impl BoardSpec {
    /// Returns the contradictions between lines of the file: the keywords of the lines, and the expected values.
    /// The error is reported at the line of the last keyword, unless this keyword occurs several times.
    pub(super) fn contradictions(&self) -> Vec<(&'static [&'static str], String)> {
        let mut found: Vec<(&'static [&'static str], String)> = Vec::new();
        let on_lines = self
            .edges()
            .flatten()
            .fold(0_u64, |set, point| set | 1 << point);
        let all = PointSet::MAX >> (MAX_POINTS - self.points().max(1));
        if let Some(isolated) = self.names_with_verb(all & !on_lines) {
            let expected = format!("every point on a line, but {isolated} on none");
            found.push((&["row", "line"], expected));
        }
        if self.captures.is_some()
            && let Some(expected) = self.ambiguous_leap()
        {
            found.push((&["row", "line", "captures"], expected));
        }
        if let Some(both) = self.names_with_verb(self.hunters_at & self.prey_at) {
            let expected =
                format!("different start points of hunters and prey, but {both} used by both");
            found.push((&["row", "hunters", "prey"], expected));
        }
        if (self.hunters + self.prey) as usize > self.points() {
            let points = self.points();
            let expected = format!(
                "at most {points} pieces, one per point, but the game has {} hunters and {} prey",
                self.hunters, self.prey
            );
            found.push((&["row", "hunters", "prey"], expected));
        }
        if let Some(outside) = self.names_with_verb(self.prey_at & !self.prey_zone) {
            let expected = format!("start points of the prey in their zone, but {outside} outside");
            found.push((&["row", "prey", "prey-zone"], expected));
        }
        if self.hunters_goal & self.hunters_at != 0 && self.hunters > 1 {
            let expected = String::from(
                "a hunters' goal where no hunter starts, unless there is only one hunter",
            );
            found.push((&["row", "hunters", "hunters-goal"], expected));
        }
        if let Some(both) = self.names_with_verb(self.hunters_trap & self.hunters_at) {
            let expected =
                format!("different start points and traps of the hunters, but {both} used by both");
            found.push((&["row", "hunters", "hunters-trap"], expected));
        }
        if let Some(both) = self.names_with_verb(self.hunters_trap & self.hunters_goal) {
            let expected =
                format!("different goals and traps of the hunters, but {both} used by both");
            found.push((&["row", "hunters-goal", "hunters-trap"], expected));
        }
        if self.stacks().count_ones() as usize > MAX_STACKS {
            let expected = format!("at most {MAX_STACKS} points for several prey");
            found.push((&["row", "prey", "prey-stacks"], expected));
        }
        if self.prey_turn && self.prey_steps.direction().is_none() {
            let expected =
                String::from("'prey-steps' with a direction, which 'prey-turn' turns round");
            found.push((&["prey-steps", "prey-turn"], expected));
        }
        if self.prey_goal != 0 && self.prey_goal & !self.prey_at == 0 {
            let expected = String::from("a goal of the prey that is not reached at the start");
            found.push((&["row", "prey", "prey-goal"], expected));
        }
        if self.prey_goal.count_ones() > self.prey {
            let expected = format!("at most {} goal points, one per prey", self.prey);
            found.push((&["row", "prey", "prey-goal"], expected));
        }
        found
    }

    /// Returns an error if two moves would have the same notation (origin and target): two jumps with equal ends, or
    /// a jump and a step.
    fn ambiguous_leap(&self) -> Option<String> {
        let sorted = |first: usize, last: usize| [first.min(last), first.max(last)];
        let steps: BTreeSet<_> = self.edges().map(|[from, to]| sorted(from, to)).collect();
        let mut leaps = BTreeMap::new();
        self.triples().find_map(|[first, middle, last]| {
            let ends = sorted(first, last);
            let earlier_middle = leaps.insert(ends, middle);
            let [first, last] = ends.map(|point| self.point_name(point));
            if steps.contains(&ends) {
                return Some(format!(
                    "no leap between {first} and {last}, which are adjacent: split the line at {}",
                    self.point_name(middle)
                ));
            }
            let middles = [earlier_middle?, middle].map(|point| self.point_name(point));
            Some(format!(
                "one leap between {first} and {last}, but there are two, over {} and {}: split one of the lines there",
                middles[0], middles[1]
            ))
        })
    }

    /// Returns the names of the points of `set` followed by a verb, such as `a1 is` or `a1, b2 and c3 are`. `None` if
    /// `set` is empty.
    fn names_with_verb(&self, set: PointSet) -> Option<String> {
        let names = self.point_names(set);
        let verb = if names.len() == 1 { "is" } else { "are" };
        (!names.is_empty()).then(|| format!("{} {verb}", list(&names, "and")))
    }

    /// Returns warnings about valid but suspicious values: lines that bend by `MAX_BEND_DEGREES` or more, and rules
    /// without effect.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let at: Vec<(f64, f64)> = self.coordinates().collect();
        for [first, middle, last] in self.triples() {
            let angle =
                |from: usize, to: usize| (at[to].1 - at[from].1).atan2(at[to].0 - at[from].0);
            let bend = (angle(middle, last) - angle(first, middle))
                .to_degrees()
                .rem_euclid(360.0);
            let bend = bend.min(360.0 - bend);
            if bend >= MAX_BEND_DEGREES {
                let [first, middle, last] =
                    [first, middle, last].map(|point| self.point_name(point));
                warnings.push(format!(
                    "the line {first} {middle} {last} bends by {bend:.0} degrees and allows leaps around the bend: split it to prevent them"
                ));
            }
        }
        if self.captures.is_none() && self.capture_is_forced {
            warnings.push(String::from(
                "'capture forced' has no effect without captures",
            ));
        }
        if self.captures.is_none_or(|captures| captures == 1) && self.has_chains {
            warnings.push(String::from(
                "'leap chain' has no effect without a second capture",
            ));
        }
        if self.has_huffs && (self.captures.is_none() || self.capture_is_forced) {
            warnings.push(String::from(
                "'huff remove' has no effect unless hunters may step although they can capture",
            ));
        }
        let in_hand = self.prey - self.prey_on_board();
        if self.first == Role::Hunters && self.first_drops > 1 && in_hand == 0 {
            warnings.push(String::from(
                "'first-drops' has no effect without prey in hand",
            ));
        }
        warnings
    }
}

//! Parses points, numbers of pieces and stacks.

use super::Reader;
use crate::games::hunt::spec::PointSet;
use crate::games::hunt::spec::entry::Entry;

impl<'a> Reader<'a> {
    /// Parses point names up to the end of the line.
    pub(super) fn read_points(&mut self, entry: &mut Entry<'a>) -> PointSet {
        self.read_stacks(entry, 1).0
    }

    /// Parses point names up to the end of the line. If `max_height` is more than 1, a height may follow a name, as in
    /// `c3*5`. Also returns the points with a height of at least 2, in ascending order, and their heights.
    fn read_stacks(
        &mut self,
        entry: &mut Entry<'a>,
        max_height: u32,
    ) -> (PointSet, Vec<(u8, u32)>) {
        let (mut points, mut stacks) = (0, Vec::new());
        let first = entry.next("the name of a point");
        let mut next = self.ok_or_record(entry, first);
        while let Some(word) = next {
            let (name, height) = match word.split_once('*').filter(|_| max_height > 1) {
                None => (word, Ok(1)),
                Some((name, height)) => {
                    let height = height.parse().ok();
                    let height = height.filter(|height| (1..=max_height).contains(height));
                    let expected = format!("a point and its number of pieces, 1 to {max_height}");
                    (name, height.ok_or_else(|| entry.expected(word, &expected)))
                }
            };
            let point = height.and_then(|height| Ok((self.spec.point(entry, name)?, height)));
            if let Some((point, height)) = self.ok_or_record(entry, point) {
                if height > 1 {
                    stacks.push((point as u8, height));
                }
                if points >> point & 1 == 1 {
                    self.record(entry, entry.expected(word, "each point once"));
                }
                points |= 1 << point;
            }
            next = entry.words.next_word();
        }
        stacks.sort_unstable();
        stacks.dedup_by_key(|&mut (point, _)| point);
        (points, stacks)
    }

    /// Parses a number of pieces and the list of their start points, if present. Also returns the stacks of prey.
    pub(super) fn read_pieces(&mut self, entry: &mut Entry<'a>) -> (u32, PointSet, Vec<(u8, u32)>) {
        let max = self.spec.points().saturating_sub(1).max(1) as u32;
        let word = entry.words.peek().unwrap_or_default();
        let number = entry.number("a number of pieces", 1, max);
        let number = self.ok_or_record(entry, number);
        if entry.words.peek().is_none() {
            return (number.unwrap_or_default(), 0, Vec::new());
        }
        let expected = "'at' and the start points";
        let at = entry.next(expected).and_then(|at| match at {
            "at" => Ok(()),
            _ => Err(entry.expected(at, expected)),
        });
        if self.ok_or_record(entry, at).is_none() {
            return (number.unwrap_or_default(), 0, Vec::new());
        }
        let max_height = if entry.keyword == "prey" { max } else { 1 };
        let (points, stacks) = self.read_stacks(entry, max_height);
        let under = stacks.iter().map(|&(_, height)| height - 1);
        let placed = points.count_ones() + under.sum::<u32>();
        if number.is_some_and(|number| placed > number) {
            let expected = format!("at least {placed}, the number of pieces at the start points");
            self.record(entry, entry.expected(word, &expected));
        }
        (number.unwrap_or_default(), points, stacks)
    }
}

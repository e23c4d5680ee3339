//! The moves of a game as a graph of numbered positions.

use super::reserve;
use crate::error::EngineError;

/// The moves of a game as a graph: `targets[begins[i]..begins[i + 1]]` are the successors of position `i`.
pub(super) struct Graph {
    pub begins: Vec<u64>,
    pub targets: Vec<u32>,
}

impl Graph {
    pub(super) fn new() -> Self {
        Self {
            begins: vec![0],
            targets: Vec::new(),
        }
    }

    /// Returns the number of positions whose moves are known.
    pub(super) fn examined(&self) -> usize {
        self.begins.len() - 1
    }

    /// Ends the moves of a position: all targets added since the previous call.
    pub(super) fn end_position(&mut self) -> Result<(), EngineError> {
        reserve(&mut self.begins, 1)?;
        self.begins.push(self.targets.len() as u64);
        Ok(())
    }

    /// Returns the number of moves of each position.
    pub(super) fn move_counts(&self) -> Result<Vec<u32>, EngineError> {
        let mut numbers = Vec::new();
        reserve(&mut numbers, self.begins.len() - 1)?;
        let moves = self
            .begins
            .windows(2)
            .map(|pair| (pair[1] - pair[0]) as u32);
        numbers.extend(moves);
        Ok(numbers)
    }

    /// Returns the graph with all moves reversed.
    pub(super) fn reversed(&self) -> Result<Self, EngineError> {
        let positions = self.begins.len() - 1;
        let mut begins = Vec::new();
        reserve(&mut begins, positions + 1)?;
        begins.resize(positions + 1, 0_u64);
        for &target in &self.targets {
            begins[target as usize + 1] += 1;
        }
        for place in 0..positions {
            begins[place + 1] += begins[place];
        }
        let mut targets = Vec::new();
        reserve(&mut targets, self.targets.len())?;
        targets.resize(self.targets.len(), 0);
        // Shift the offsets by one place: each counts down from the end of its list to its beginning.
        begins.rotate_left(1);
        for place in (0..positions as u32).rev() {
            for &target in self.of(place).iter().rev() {
                let slot = &mut begins[target as usize];
                *slot -= 1;
                targets[*slot as usize] = place;
            }
        }
        begins[positions] = self.targets.len() as u64;
        Ok(Self { begins, targets })
    }

    pub(super) fn of(&self, place: u32) -> &[u32] {
        let place = place as usize;
        &self.targets[self.begins[place] as usize..self.begins[place + 1] as usize]
    }
}

//! How a training is to go on: kept with it, so that whoever goes on with it need not say so again.

use std::ops::RangeInclusive;

/// What a λ can be.
pub const LAMBDAS: RangeInclusive<f32> = 0.0..=1.0;
/// How often a game can go back.
pub const RESTARTS: RangeInclusive<u32> = 0..=1000;
/// Points to which weights can be rounded.
pub const STEPS: RangeInclusive<f64> = 0.001..=1000.0;
/// Points of errors below which weights can be left out.
pub const PRUNING: RangeInclusive<f32> = 0.0..=1e9;

/// The bytes of a plan: its numbers in their order, little-endian.
const LENGTH: usize = 8 + 4 + 4 + 8 + 4;
/// Those of the plans of before, which had a goal and nothing else.
const LENGTH_OF_GOAL: usize = 8;

/// What stands for a training without a goal.
const NO_GOAL: u64 = u64::MAX;

/// What was asked of a training, beyond what its origin tells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingOptions {
    /// Games in all, where they are what bounds the training.
    pub goal: Option<u64>,
    /// The λ of TD(λ), in [`LAMBDAS`].
    pub lambda: f32,
    /// How often at most a game goes back to where it made its largest tile, in [`RESTARTS`].
    pub restarts: u32,
    /// Points to which the network's weights are rounded in its file, in [`STEPS`].
    pub step: f64,
    /// Weights that have seen errors of fewer points in all are left out of the network's file, in [`PRUNING`].
    pub prune: f32,
}

/// A training of which nothing was said.
impl Default for TrainingOptions {
    fn default() -> Self {
        Self {
            goal: None,
            lambda: 0.0,
            restarts: 0,
            step: 0.125,
            prune: 0.0,
        }
    }
}

impl TrainingOptions {
    /// The bytes that a training's file of this version has for its plan.
    pub fn length(version: u32) -> usize {
        match version {
            1 => 0,
            2 => LENGTH_OF_GOAL,
            _ => LENGTH,
        }
    }

    /// Whether a training's file of this version has all of it.
    pub fn is_whole(version: u32) -> bool {
        Self::length(version) == LENGTH
    }

    /// As its bytes in a file of the newest version.
    pub fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(LENGTH);
        bytes.extend(self.goal.unwrap_or(NO_GOAL).to_le_bytes());
        bytes.extend(self.lambda.to_le_bytes());
        bytes.extend(self.restarts.to_le_bytes());
        bytes.extend(self.step.to_le_bytes());
        bytes.extend(self.prune.to_le_bytes());
        bytes
    }

    /// The plan that the body of a training's file of this version begins with, and what is left of the body; what it does
    /// not say is as in `unsaid`. The error says what cannot be.
    pub fn split_from(body: &[u8], version: u32, unsaid: Self) -> Result<(Self, &[u8]), String> {
        let (bytes, rest) = body
            .split_at_checked(Self::length(version))
            .ok_or("it ends within its plan")?;
        let mut options = unsaid;
        let mut left = bytes;
        if let Some(goal) = take(&mut left) {
            options.goal = Some(u64::from_le_bytes(goal)).filter(|&goal| goal != NO_GOAL);
        }
        if let Some(lambda) = take(&mut left) {
            options.lambda = within("λ", f32::from_le_bytes(lambda), &LAMBDAS)?;
        }
        if let Some(restarts) = take(&mut left) {
            options.restarts = within("restarts", u32::from_le_bytes(restarts), &RESTARTS)?;
        }
        if let Some(step) = take(&mut left) {
            options.step = within("step", f64::from_le_bytes(step), &STEPS)?;
        }
        if let Some(prune) = take(&mut left) {
            options.prune = within("pruning", f32::from_le_bytes(prune), &PRUNING)?;
        }
        Ok((options, rest))
    }
}

/// The next bytes, if there are any left.
fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

fn within<T>(name: &str, number: T, range: &RangeInclusive<T>) -> Result<T, String>
where
    T: PartialOrd + std::fmt::Display + Copy,
{
    if range.contains(&number) {
        return Ok(number);
    }
    let (least, most) = (range.start(), range.end());
    Err(format!(
        "its {name} would be {number}, and is {least} to {most}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNSAID: TrainingOptions = TrainingOptions {
        goal: None,
        lambda: 0.25,
        restarts: 1,
        step: 2.0,
        prune: 7.0,
    };
    const PLAN: TrainingOptions = TrainingOptions {
        goal: Some(77),
        lambda: 0.5,
        restarts: 3,
        step: 64.0,
        prune: 180_000.0,
    };

    #[test]
    fn a_plan_is_read_as_it_was_written_and_older_ones_as_far_as_they_say() {
        let body = [PLAN.to_bytes(), vec![1, 2, 3]].concat();
        assert_eq!(
            TrainingOptions::split_from(&body, 3, UNSAID),
            Ok((PLAN, &body[28..]))
        );
        let endless = TrainingOptions { goal: None, ..PLAN };
        let bytes = endless.to_bytes();
        assert_eq!(
            TrainingOptions::split_from(&bytes, 3, UNSAID),
            Ok((endless, &[][..]))
        );
        let goal = TrainingOptions {
            goal: Some(77),
            ..UNSAID
        };
        assert_eq!(
            TrainingOptions::split_from(&body, 2, UNSAID),
            Ok((goal, &body[8..]))
        );
        assert_eq!(
            TrainingOptions::split_from(&body, 1, UNSAID),
            Ok((UNSAID, &body[..]))
        );
        assert!(TrainingOptions::split_from(&body[..27], 3, UNSAID).is_err());
    }

    #[test]
    fn what_nobody_can_have_asked_for_is_refused() {
        for (options, name) in [
            (
                TrainingOptions {
                    lambda: f32::NAN,
                    ..PLAN
                },
                "λ",
            ),
            (
                TrainingOptions {
                    restarts: 1001,
                    ..PLAN
                },
                "restarts",
            ),
            (TrainingOptions { step: 0.0, ..PLAN }, "step"),
            (
                TrainingOptions {
                    prune: -1.0,
                    ..PLAN
                },
                "pruning",
            ),
        ] {
            let refusal =
                TrainingOptions::split_from(&options.to_bytes(), 3, UNSAID).expect_err("absurd");
            assert!(refusal.contains(name), "{refusal}");
        }
    }
}

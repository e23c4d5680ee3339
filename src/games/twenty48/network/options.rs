//! The options of a training run that are stored with it, so that a resumed run uses them again.

use std::ops::RangeInclusive;

/// Possible values of λ.
pub(crate) const LAMBDA_RANGE: RangeInclusive<f32> = 0.0..=1.0;
/// Possible numbers of restarts of a game.
pub(crate) const RESTART_RANGE: RangeInclusive<u32> = 0..=1000;
/// Possible rounding steps of weights, in points.
pub(crate) const STEP_RANGE: RangeInclusive<f64> = 0.001..=1000.0;
/// Possible pruning thresholds, in points of accumulated error.
pub(crate) const PRUNE_RANGE: RangeInclusive<f32> = 0.0..=1e9;

/// The size of encoded options: all fields in order, little-endian.
const OPTIONS_BYTES: usize = 8 + 4 + 4 + 8 + 4;
/// The size of options in file version 2, which contain only the goal.
const GOAL_BYTES: usize = 8;

/// The encoding of a run without a goal.
const NO_GOAL: u64 = u64::MAX;

/// The options of a training run that are not part of its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingOptions {
    /// The total number of games, or `None` if the number of games is not limited.
    pub goal: Option<u64>,
    /// The λ of TD(λ), in [`LAMBDA_RANGE`].
    pub lambda: f32,
    /// How often a game is resumed from the board where it made its largest tile, at most, in [`RESTART_RANGE`].
    pub restarts: u32,
    /// The step in points to which the weights are rounded in the network file, in [`STEP_RANGE`].
    pub step: f64,
    /// The accumulated error in points below which a weight is omitted from the network file, in [`PRUNE_RANGE`].
    pub prune: f32,
}

/// The options of a run for which none were given.
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
    /// Returns the size of the options in a training file of this version, in bytes.
    pub fn encoded_bytes(version: u32) -> usize {
        match version {
            1 => 0,
            2 => GOAL_BYTES,
            _ => OPTIONS_BYTES,
        }
    }

    /// Returns `true` if training files of this version contain all options.
    pub fn is_complete(version: u32) -> bool {
        Self::encoded_bytes(version) == OPTIONS_BYTES
    }

    /// Encodes the options for a file of the latest version.
    pub fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(OPTIONS_BYTES);
        bytes.extend(self.goal.unwrap_or(NO_GOAL).to_le_bytes());
        bytes.extend(self.lambda.to_le_bytes());
        bytes.extend(self.restarts.to_le_bytes());
        bytes.extend(self.step.to_le_bytes());
        bytes.extend(self.prune.to_le_bytes());
        bytes
    }

    /// Splits the body of a training file into its options and the rest. Options that this file version does not
    /// contain are taken from `defaults`.
    ///
    /// # Errors
    /// If the body is too short or an option is out of range. The text describes the problem.
    pub fn split_from(body: &[u8], version: u32, defaults: Self) -> Result<(Self, &[u8]), String> {
        let (bytes, rest) = body
            .split_at_checked(Self::encoded_bytes(version))
            .ok_or("it ends within its options")?;
        let mut options = defaults;
        let mut fields = bytes;
        if let Some(goal) = take(&mut fields) {
            options.goal = Some(u64::from_le_bytes(goal)).filter(|&goal| goal != NO_GOAL);
        }
        if let Some(lambda) = take(&mut fields) {
            options.lambda = check_range("λ", f32::from_le_bytes(lambda), &LAMBDA_RANGE)?;
        }
        if let Some(restarts) = take(&mut fields) {
            options.restarts =
                check_range("restarts", u32::from_le_bytes(restarts), &RESTART_RANGE)?;
        }
        if let Some(step) = take(&mut fields) {
            options.step = check_range("step", f64::from_le_bytes(step), &STEP_RANGE)?;
        }
        if let Some(prune) = take(&mut fields) {
            options.prune = check_range("pruning", f32::from_le_bytes(prune), &PRUNE_RANGE)?;
        }
        Ok((options, rest))
    }
}

/// Returns the next `N` bytes, or `None` if fewer are left.
fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

fn check_range<T>(name: &str, number: T, range: &RangeInclusive<T>) -> Result<T, String>
where
    T: PartialOrd + std::fmt::Display + Copy,
{
    if range.contains(&number) {
        return Ok(number);
    }
    let (min, max) = (range.start(), range.end());
    Err(format!("its {name} is {number}, expected {min} to {max}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULTS: TrainingOptions = TrainingOptions {
        goal: None,
        lambda: 0.25,
        restarts: 1,
        step: 2.0,
        prune: 7.0,
    };
    const OPTIONS: TrainingOptions = TrainingOptions {
        goal: Some(77),
        lambda: 0.5,
        restarts: 3,
        step: 64.0,
        prune: 180_000.0,
    };

    #[test]
    fn decodes_options_of_all_versions() {
        let body = [OPTIONS.to_bytes(), vec![1, 2, 3]].concat();
        assert_eq!(
            TrainingOptions::split_from(&body, 3, DEFAULTS),
            Ok((OPTIONS, &body[28..]))
        );
        let endless = TrainingOptions {
            goal: None,
            ..OPTIONS
        };
        let bytes = endless.to_bytes();
        assert_eq!(
            TrainingOptions::split_from(&bytes, 3, DEFAULTS),
            Ok((endless, &[][..]))
        );
        let goal = TrainingOptions {
            goal: Some(77),
            ..DEFAULTS
        };
        assert_eq!(
            TrainingOptions::split_from(&body, 2, DEFAULTS),
            Ok((goal, &body[8..]))
        );
        assert_eq!(
            TrainingOptions::split_from(&body, 1, DEFAULTS),
            Ok((DEFAULTS, &body[..]))
        );
        assert!(TrainingOptions::split_from(&body[..27], 3, DEFAULTS).is_err());
    }

    #[test]
    fn rejects_options_out_of_range() {
        for (options, name) in [
            (
                TrainingOptions {
                    lambda: f32::NAN,
                    ..OPTIONS
                },
                "λ",
            ),
            (
                TrainingOptions {
                    restarts: 1001,
                    ..OPTIONS
                },
                "restarts",
            ),
            (
                TrainingOptions {
                    step: 0.0,
                    ..OPTIONS
                },
                "step",
            ),
            (
                TrainingOptions {
                    prune: -1.0,
                    ..OPTIONS
                },
                "pruning",
            ),
        ] {
            let error = TrainingOptions::split_from(&options.to_bytes(), 3, DEFAULTS)
                .expect_err("out of range");
            assert!(error.contains(name), "{error}");
        }
    }
}

//! The options in a training file, for resumed training runs.

use std::ops::RangeInclusive;

/// The range of the λ of TD(λ).
pub(crate) const LAMBDA_RANGE: RangeInclusive<f32> = 0.0..=1.0;
/// The range of the number of restarts of a game.
pub(crate) const RESTART_RANGE: RangeInclusive<u32> = 0..=1000;
/// The range of the step to which weights are rounded, in points.
pub(crate) const STEP_RANGE: RangeInclusive<f64> = 0.001..=1000.0;
/// The range of the minimum accumulated error of a weight, in points. Weights below the minimum are
/// omitted.
pub(crate) const PRUNE_RANGE: RangeInclusive<f32> = 0.0..=1e9;

/// The size of the encoded options, in bytes: all fields of [`TrainingOptions`] in order, little-endian.
const OPTIONS_BYTES: usize = 8 + 4 + 4 + 8 + 4;
/// The size of the encoded options in file version 2, in bytes. They contain only the goal.
const GOAL_BYTES: usize = 8;

/// The encoding of an unlimited number of games.
const NO_GOAL: u64 = u64::MAX;

/// The options of a training run that are not in the [`Origin`](super::file::Origin) of the network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingOptions {
    /// The number of games to train in total, or `None` if it is not limited.
    pub goal: Option<u64>,
    /// The λ of TD(λ), in `LAMBDA_RANGE`.
    pub lambda: f32,
    /// The maximum number of restarts of a game, in `RESTART_RANGE`.
    /// See [`Restarts`](super::training::Restarts).
    pub restarts: u32,
    /// The rounding step of weights in the network file, in points, in `STEP_RANGE`.
    pub step: f64,
    /// The minimum accumulated error of a weight, in points, in `PRUNE_RANGE`. Weights below it, which training
    /// rarely used, are 0 in the network file.
    pub prune: f32,
}

/// The default options.
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

    /// Returns the options as bytes for a training file of the latest version.
    pub fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(OPTIONS_BYTES);
        bytes.extend(self.goal.unwrap_or(NO_GOAL).to_le_bytes());
        bytes.extend(self.lambda.to_le_bytes());
        bytes.extend(self.restarts.to_le_bytes());
        bytes.extend(self.step.to_le_bytes());
        bytes.extend(self.prune.to_le_bytes());
        bytes
    }

    /// Reads the options at the start of the body of a training file. Also returns the bytes after the options. Options
    /// missing in this version are taken from `defaults`.
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

/// Returns `number` if it is in `range`, otherwise an error that calls it `name`.
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
        let unlimited = TrainingOptions {
            goal: None,
            ..OPTIONS
        };
        let bytes = unlimited.to_bytes();
        assert_eq!(
            TrainingOptions::split_from(&bytes, 3, DEFAULTS),
            Ok((unlimited, &[][..]))
        );
        let only_goal = TrainingOptions {
            goal: Some(77),
            ..DEFAULTS
        };
        assert_eq!(
            TrainingOptions::split_from(&body, 2, DEFAULTS),
            Ok((only_goal, &body[8..]))
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

//! The movement phase: retrograde analysis of all positions with no goat in hand, one ply of distance after another,
//! on sets of positions held as single bits.
//!
//! A step backwards finds the positions from which a move leads to one found in the ply before. Where the winner is to
//! move, those are won; where the loser is, they are candidates, lost unless another move leads out of the won ones.
//! The positions found in one ply are few, so they are kept as lists of words, and only those words are stepped back.

mod analysis;
mod bytes;

use self::analysis::Analysis;
use self::bytes::read_back;
use super::gathering::Gathered;
use super::layer::{self, Layer, Scope};
use super::rank::Ranking;
use super::room;
use super::verdict::{Scale, code};
use super::wins::{Found, Wins};
use super::word::Word;
use crate::error::Refusal;
use crate::value::Side;

/// Hears of every ply finished: who wins, in how many plies, and how many positions that are.
pub type Progress<'a> = &'a (dyn Fn(Side, u32, u64) + Sync);

/// How far the analysis has come: all wins of the side before this one, and of this one those up to some ply, counted in
/// pairs of plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Whose wins are being found. The tigers' come first.
    pub winner: Side,
    /// Pairs of plies that are finished, less one.
    pub half: u32,
}

/// One side's wins as far as they are found, and where the next step backwards begins.
#[derive(Debug)]
pub struct Wave {
    /// How far they are.
    pub stage: Stage,
    /// The positions won, in which the winner is to move, and those lost, in which the loser is: cube by cube, block by block.
    pub won: Vec<Word>,
    /// See `won`.
    pub lost: Vec<Word>,
    /// Those lost in the last ply, by sets of tigers.
    pub found: Vec<Gathered>,
}

/// Hears of every stage, with the values as far as they are known then; its error ends the analysis.
pub type Keep<'a> = &'a dyn Fn(Stage, &[Layer; 2]) -> Result<(), Refusal>;

/// Hears of every stage of a survey; its error ends it.
pub type KeepWave<'a> = &'a mut dyn FnMut(&Wave) -> Result<(), Refusal>;

/// The one or the other.
type KeepBoth<'a> = dyn FnMut(&Wave, Option<&[Layer; 2]>) -> Result<(), Refusal> + 'a;

/// The values of the movement phase, goats to move and tigers to move.
///
/// Fails when wins are longer than the tables can say: those of both sides together.
pub fn solve(ranking: &Ranking, scope: &Scope, progress: Progress) -> Result<[Layer; 2], Refusal> {
    let begun = (None, unsolved(ranking, scope, Scale::EVEN)?);
    solve_from(begun, ranking, scope, progress, &|_, _| Ok(()))
}

/// The layers before anything is known of them.
pub fn unsolved(ranking: &Ranking, scope: &Scope, scale: Scale) -> Result<[Layer; 2], Refusal> {
    let layer = || Layer::new(ranking, scope.on_board(0), scale);
    Ok([layer()?, layer()?])
}

/// The same from where another analysis stopped, with what `keep` heard then; or from layers of which nothing is known.
pub fn solve_from(
    (stage, mut layers): (Option<Stage>, [Layer; 2]),
    ranking: &Ranking,
    scope: &Scope,
    progress: Progress,
    keep: Keep,
) -> Result<[Layer; 2], Refusal> {
    let analysis = Analysis::new(ranking, scope);
    let mut hear = |found: Found| progress(found.winner, found.plies, found.count());
    let mut begun = match stage {
        Some(stage) => Some(analysis.taken_up(stage, &layers)?),
        None => None,
    };
    for winner in winners_from(begun.as_ref()) {
        let mut values = Some(&mut layers);
        let wave = match begun.take() {
            Some(wave) => wave,
            None => analysis.begun(winner, &mut values, &mut hear)?,
        };
        analysis.find_wins(wave, values, &mut hear, &mut |wave, layers| {
            layers.map_or(Ok(()), |layers| keep(wave.stage, layers))
        })?;
    }
    room::share(&mut layers)?;
    Ok(layers)
}

/// Finds all wins of both sides, the tigers' first, or those that a survey had not found when it stopped with `begun`, without
/// keeping a value of every position: `hear` hears of those of every ply, `ended` of each side's together.
pub fn survey(
    ranking: &Ranking,
    scope: &Scope,
    mut begun: Option<Wave>,
    hear: &mut dyn FnMut(Found),
    keep: KeepWave,
    mut ended: impl FnMut(Wins) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let analysis = Analysis::new(ranking, scope);
    for winner in winners_from(begun.as_ref()) {
        let wave = match begun.take() {
            Some(wave) => wave,
            None => analysis.begun(winner, &mut None, hear)?,
        };
        let positions = analysis.find_wins(wave, None, hear, &mut |wave, _| keep(wave))?;
        let blocks = analysis.blocks.clone();
        ended(Wins {
            winner,
            positions,
            blocks,
        })?;
    }
    Ok(())
}

/// Whose wins are to be found yet.
fn winners_from(begun: Option<&Wave>) -> impl Iterator<Item = Side> + use<> {
    let goats_are_next = begun.is_some_and(|wave| wave.stage.winner == Side::P1);
    [Side::P2, Side::P1]
        .into_iter()
        .skip(usize::from(goats_are_next))
}

/// Where the winner is to move, and where the loser is, of goats to move and tigers to move.
fn sides(winner: Side) -> (usize, usize) {
    if winner == Side::P2 { (1, 0) } else { (0, 1) }
}

impl Analysis<'_> {
    fn nothing(&self) -> Result<Vec<Word>, Refusal> {
        layer::words(Word::NONE, self.blocks.len() * self.ranking.sets.len())
    }

    /// The first wins of one side: those in no ply and in one, and the losses in two.
    fn begun(
        &self,
        winner: Side,
        layers: &mut Option<&mut [Layer; 2]>,
        hear: &mut dyn FnMut(Found),
    ) -> Result<Wave, Refusal> {
        let (by_tigers, (_, to_lose)) = (winner == Side::P2, sides(winner));
        let (won, mut lost) = (self.nothing()?, self.nothing()?);
        let byte = code(winner, !by_tigers, 0);
        let mut found = self.extend(
            &mut lost,
            layers.as_deref_mut().map(|layers| &mut layers[to_lose]),
            byte,
            #[inline(always)]
            |set, _, bench| self.gather_stuck(set, !by_tigers, bench),
        );
        hear(Found {
            winner,
            plies: 0,
            positions: &found,
        });
        if by_tigers {
            self.add_decided(&mut found);
        }
        let stage = Stage { winner, half: 0 };
        let mut wave = Wave {
            stage,
            won,
            lost,
            found,
        };
        self.step(&mut wave, layers, hear);
        Ok(wave)
    }

    /// One side's wins as the layers have them, up to a stage.
    fn taken_up(&self, stage: Stage, layers: &[Layer; 2]) -> Result<Wave, Refusal> {
        let Stage { winner, half } = stage;
        let (by_tigers, (to_win, to_lose)) = (winner == Side::P2, sides(winner));
        let (mut won, mut lost, mut newest) = (self.nothing()?, self.nothing()?, self.nothing()?);
        let scale = layers[0].scale;
        let is_win = |tigers_to_move| move |byte| matches!(scale.verdict(byte, tigers_to_move).0, Some((side, _)) if side == winner);
        read_back(&self.blocks, &layers[to_win], &mut won, is_win(by_tigers));
        read_back(
            &self.blocks,
            &layers[to_lose],
            &mut lost,
            is_win(!by_tigers),
        );
        let byte = code(winner, !by_tigers, half + 1);
        let found = read_back(&self.blocks, &layers[to_lose], &mut newest, |here| {
            here == byte
        });
        Ok(Wave {
            stage,
            won,
            lost,
            found,
        })
    }

    /// Finds what is left of one side's wins: goats to move, tigers to move. Their values go into the layers, if there are
    /// any, in the same order.
    fn find_wins(
        &self,
        mut wave: Wave,
        mut layers: Option<&mut [Layer; 2]>,
        hear: &mut dyn FnMut(Found),
        keep: &mut KeepBoth,
    ) -> Result<[Vec<Word>; 2], Refusal> {
        let winner = wave.stage.winner;
        while !wave.found.iter().all(Gathered::is_empty) {
            if let Some(layers) = layers.as_deref_mut()
                && wave.stage.half == layers[0].scale.longest(winner)
            {
                room::make(layers, winner)?;
            }
            keep(&wave, layers.as_deref())?;
            wave.stage.half += 1;
            self.step(&mut wave, &mut layers, hear);
        }
        let Wave { won, lost, .. } = wave;
        Ok(if winner == Side::P2 {
            [lost, won]
        } else {
            [won, lost]
        })
    }

    /// Finds the wins of the two plies that the stage names, from the losses of the ply before.
    fn step(
        &self,
        wave: &mut Wave,
        layers: &mut Option<&mut [Layer; 2]>,
        hear: &mut dyn FnMut(Found),
    ) {
        let Stage { winner, half } = wave.stage;
        let (by_tigers, (to_win, to_lose)) = (winner == Side::P2, sides(winner));
        let mut tell = |plies, positions: &[Gathered]| {
            hear(Found {
                winner,
                plies,
                positions,
            });
        };
        let Wave {
            won, lost, found, ..
        } = wave;
        *found = self.extend(
            won,
            layers.as_deref_mut().map(|layers| &mut layers[to_win]),
            code(winner, by_tigers, half),
            #[inline(always)]
            |set, _, bench| self.gather_before(set, by_tigers, found, bench),
        );
        tell(2 * half + 1, found);
        *found = self.extend(
            lost,
            layers.as_deref_mut().map(|layers| &mut layers[to_lose]),
            code(winner, !by_tigers, half + 1),
            #[inline(always)]
            |set, lost, bench| {
                self.gather_before(set, !by_tigers, found, bench);
                self.drop_escapes(set, !by_tigers, won, lost, bench);
            },
        );
        tell(2 * half + 2, found);
    }
}

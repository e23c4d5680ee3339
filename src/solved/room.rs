//! Room for long wins: where those of one side have come to the draw's byte, the draw gives way to the other side.

use super::layer::Layer;
use super::verdict::Scale;
use crate::error::Refusal;
use crate::value::Side;

/// Bytes between a draw and any win, so that neither side's wins come to it unseen.
const LEAST: u8 = 3;

/// Moves the draw halfway to where the other side's wins end, so that there is room for longer ones of this side.
pub fn make(layers: &mut [Layer; 2], winner: Side) -> Result<(), Refusal> {
    let [tigers, goats] = longest(layers);
    let others = if winner == Side::P2 { goats } else { tigers };
    rescale(layers, layers[0].scale.draw().midpoint(others))
}

/// Gives both sides as much room beyond their longest wins, which goats in hand make longer still; unless both had room enough
/// on the usual scale.
pub fn share(layers: &mut [Layer; 2]) -> Result<(), Refusal> {
    if layers[0].scale == Scale::EVEN {
        return Ok(());
    }
    let [tigers, goats] = longest(layers);
    rescale(layers, tigers.midpoint(goats))
}

/// The bytes of both sides' longest wins in both layers.
fn longest(layers: &[Layer; 2]) -> [u8; 2] {
    let [a, b] = layers.each_ref().map(Layer::longest);
    [a[0].max(b[0]), a[1].min(b[1])]
}

fn rescale(layers: &mut [Layer; 2], draw: u8) -> Result<(), Refusal> {
    let [tigers, goats] = longest(layers);
    let scale = Scale::new(draw).filter(|_| draw >= tigers + LEAST && goats >= draw + LEAST);
    let scale = scale.ok_or_else(|| {
        Refusal::new(format!(
            "wins of the tigers in up to {} plies and of the goats in up to {} are together more than the tables can say",
            2 * u32::from(tigers),
            2 * u32::from(u8::MAX - goats)
        ))
    })?;
    for layer in layers {
        layer.rescale(scale);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::board::AADU_PULI;
    use crate::solved::layer::Scope;
    use crate::solved::movement;
    use crate::solved::rank::Ranking;

    /// A small game solved on a scale that has hardly any room for one side.
    fn solved(draw: u8) -> [Layer; 2] {
        let (board, goats) = (&*AADU_PULI, 2);
        let scope = Scope { board, goats };
        let scale = Scale::new(draw).unwrap();
        let ranking = Ranking::new(board);
        let begun = (None, movement::unsolved(&ranking, &scope, scale).unwrap());
        movement::solve_from(begun, &ranking, &scope, &|_, _, _| (), &|_, _| Ok(())).unwrap()
    }

    #[test]
    fn wins_that_need_the_other_sides_room_get_it() {
        let usual = solved(Scale::EVEN.draw());
        let [tigers, goats] = longest(&usual);
        assert!(tigers > 10 && goats > 245, "{tigers} {goats}");
        for draw in [6, 250] {
            let found = solved(draw);
            let [a, b] = longest(&found);
            assert_eq!([a, b], [tigers, goats]);
            assert_eq!(found[0].scale.draw(), tigers.midpoint(goats));
            for ((usual, found), tigers_to_move) in usual.iter().zip(&found).zip([false, true]) {
                assert_ne!(usual.scale, found.scale);
                let bytes = |layer: &Layer| bytemuck::cast_slice::<_, u8>(&layer.words).to_vec();
                for (a, b) in bytes(usual).into_iter().zip(bytes(found)) {
                    assert_eq!(
                        usual.scale.verdict(a, tigers_to_move),
                        found.scale.verdict(b, tigers_to_move)
                    );
                }
            }
        }
    }
}

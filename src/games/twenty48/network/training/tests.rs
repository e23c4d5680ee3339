use super::*;
use crate::games::twenty48::board::KNOWN;
use crate::games::twenty48::network::tuples::{FourByFive, Tuple, Tuples};

fn board(first: [u8; 4]) -> Board {
    let mut powers = [0; 16];
    powers[..4].copy_from_slice(&first);
    Board::of(powers)
}

/// A game that has come to this board, and one slide by a network that knows nothing and so takes the most points.
fn slid<S: TupleShape>(board: Board) -> Game {
    let learner = Learner::<S>::new().expect("memory");
    let slides = Slides::new(4, 4);
    let [mut game, _] = new_round();
    game.begin(&slides, 1, 0, 0);
    game.board = board;
    (game.largest, game.made) = (board.largest(), board);
    game.look(&learner, &slides);
    game.slide(&learner, &slides);
    game
}

#[test]
fn a_board_is_played_and_learned_from_as_the_network_takes_it_but_scores_its_own_points() {
    // Nothing lies between 4096 and 16384: two of these count as two of 8192.
    let mut game = slid::<FourByFive>(board([14, 14, 12, 2]));
    let [(left, points)] = game.left[..] else {
        panic!("one slide");
    };
    assert_eq!(left.powers().into_iter().max(), Some(14));
    assert_eq!((points, game.score), (1 << 14, 1 << 15));
    assert_eq!((game.largest, game.made.largest()), (15, 15));
    assert!(game.made.powers().contains(&12) && left.powers().contains(&12));
    // Now nothing lies between 4096 and 32768.
    let learner = Learner::<FourByFive>::new().expect("memory");
    game.look(&learner, &Slides::new(4, 4));
    assert_eq!(game.familiar.largest(), 13);
}

/// What learns of 16384, in little memory.
struct Knowing;

impl TupleShape for Knowing {
    const NAME: Tuples = Tuples::FourByFive;
    const CELLS: usize = FourByFive::CELLS;
    const SEEN: &'static [Tuple] = FourByFive::SEEN;
    const KNOWN: u8 = KNOWN;
}

#[test]
fn a_network_that_knows_16384_learns_from_it_but_plays_it_lowered() {
    let game = slid::<Knowing>(board([14, 12, 12, 2]));
    assert_eq!(game.played, board([13, 12, 12, 2]));
    let [(left, points)] = game.left[..] else {
        panic!("one slide");
    };
    let powers = left.powers();
    assert_eq!((points, game.score), (1 << 13, 1 << 13));
    assert!(powers.contains(&14) && powers.contains(&13) && powers.contains(&2));
    // What it does not know it learns from as if it were smaller.
    let game = slid::<Knowing>(board([15, 12, 12, 2]));
    let (left, points) = game.left[0];
    assert!(left.powers().contains(&14) && points == 1 << 13);
    assert_eq!(game.score, 1 << 13);
}

#[test]
fn early_games_play_16384_as_it_stands() {
    let learner = Learner::<Knowing>::new().expect("memory");
    let slides = Slides::new(4, 4);
    let [mut game, _] = new_round();
    let played = [HALVED_FROM_GAME - 1, HALVED_FROM_GAME].map(|number| {
        game.begin(&slides, 1, number, HALVED_FROM_GAME);
        game.board = board([14, 12, 3, 0]);
        game.look(&learner, &slides);
        game.played
    });
    assert_eq!(played, [board([14, 12, 3, 0]), board([13, 12, 3, 0])]);
}

#[test]
fn a_game_with_16384_goes_back_to_the_board_that_was_played() {
    let mut game = slid::<Knowing>(board([14, 12, 3, 0]));
    game.made = board([14, 12, 3, 0]);
    game.restart(&Slides::new(4, 4), game.made::<Knowing>(13));
    assert_eq!(game.left, [(board([13, 12, 3, 0]), 0)]);
}

/// A board with 16384 to 512, and two tiles of this power.
fn crowded_but_for(power: u8) -> Board {
    Board::of([14, 13, 12, 11, 10, 9, power, power, 1, 0, 0, 0, 0, 0, 0, 0])
}

#[test]
fn a_crowded_board_is_played_as_it_stands_and_gone_back_to() {
    let learner = Learner::<Knowing>::new().expect("memory");
    let slides = Slides::new(4, 4);
    let mut game = slid::<Knowing>(crowded_but_for(7));
    assert_ne!(game.played, crowded_but_for(7));
    let (crowded, _) = game.left[0];
    assert!(is_crowded(crowded));
    assert_eq!(game.crowded, Some(crowded));
    // Of several the first.
    game.look(&learner, &slides);
    assert_eq!(game.played, game.board);
    game.slide(&learner, &slides);
    assert_eq!(game.left.len(), 2);
    assert_eq!(game.crowded, Some(crowded));
    game.restart(&slides, game.crowded);
    assert_eq!(game.left, [(crowded, 0)]);
    assert_eq!(
        game.board.empty().count_ones() + 1,
        crowded.empty().count_ones()
    );
    // The next game has yet to come to one.
    game.begin(&slides, 1, 1, 0);
    assert_eq!(game.crowded, None);
}

#[test]
fn nothing_is_gone_back_to_where_nothing_was_crowded_or_16384_is_not_known() {
    let mut game = slid::<Knowing>(crowded_but_for(6));
    assert_eq!(game.crowded, None);
    game.restart(&Slides::new(4, 4), None);
    assert!(game.is_over && game.left.is_empty());
    assert_eq!(slid::<FourByFive>(crowded_but_for(7)).crowded, None);
}

#[test]
fn crowded_boards_are_learned_from_as_often_as_games_go_back() {
    let slides = Slides::new(4, 4);
    let moves = [0, 1, 3].map(|times| {
        let learner = Learner::<Knowing>::new().expect("memory");
        let course = TrainingConfig {
            first_game: 0,
            games: None,
            time: None,
            threads: 1,
            seed: 1,
            lambda: 0.5,
            // Nothing is as large.
            restarts: Restarts { times, least: 17 },
            interval: Duration::MAX,
            checkpoint: Duration::MAX,
        };
        let mut round = new_round();
        let games = begin(&slides, 1, 0..1, 0, &mut round);
        games[0].board = crowded_but_for(7);
        let played = train_round(&learner, &slides, &course, games);
        played[0].moves
    });
    assert!(moves[0] < moves[1] && moves[1] < moves[2], "{moves:?}");
}

#[test]
fn a_game_goes_back_to_where_its_largest_tile_was_made() {
    let learner = Learner::<FourByFive>::new().expect("memory");
    let slides = Slides::new(4, 4);
    let [mut game, _] = new_round();
    game.begin(&slides, 1, 0, 0);
    play(&learner, &slides, std::slice::from_mut(&mut game));
    let (largest, end) = (game.board.largest(), game.board);
    let largest_after = |(after, _): &Afterstate| after.largest();
    let first = game.left.iter().find(|left| largest_after(left) == largest);
    let made = first.expect("the largest tile was made").0;
    game.restart(&slides, game.made::<FourByFive>(largest));
    assert_eq!(game.left, [(made, 0)]);
    assert_eq!(
        made.empty().count_ones(),
        game.board.empty().count_ones() + 1
    );
    assert!(!game.is_over && game.board != end);
    // Of what was played, nothing is as large as that.
    game.restart(&slides, game.made::<FourByFive>(largest + 1));
    assert!(game.left.is_empty() && game.is_over);
}

use super::*;
use crate::games::twenty48::board::EXTENDED_LEARNED_POWER;
use crate::games::twenty48::network::tuples::{FourByFive, Tuple, Tuples};

/// Returns a board with these powers in its first row and no other tiles.
fn board(first: [u8; 4]) -> Board {
    let mut powers = [0; 16];
    powers[..4].copy_from_slice(&first);
    Board::of(powers)
}

/// Returns a game that starts with this board, after one slide. All weights are 0, so this is the slide with the
/// most points.
fn game_after_slide<S: TupleShape>(board: Board) -> Game {
    let learner = Learner::<S>::new().expect("memory");
    let slides = Slides::new(4, 4);
    let [mut game, _] = new_games();
    game.start(&slides, 1, 0, 0);
    game.board = board;
    (game.largest, game.largest_tile_board) = (board.largest(), board);
    game.scan_slides(&learner, &slides);
    game.slide(&learner, &slides);
    game
}

#[test]
fn downgraded_games_score_real_points() {
    // The tile 8192 is missing, so the two tiles of 16384 are downgraded to two tiles of 8192.
    let mut game = game_after_slide::<FourByFive>(board([14, 14, 12, 2]));
    let [(afterstate, points)] = game.afterstates[..] else {
        panic!("one slide");
    };
    assert_eq!(afterstate.powers().into_iter().max(), Some(14));
    assert_eq!((points, game.score), (1 << 14, 1 << 15));
    assert_eq!((game.largest, game.largest_tile_board.largest()), (15, 15));
    assert!(game.largest_tile_board.powers().contains(&12) && afterstate.powers().contains(&12));
    // Now the tiles 8192 and 16384 are missing.
    let learner = Learner::<FourByFive>::new().expect("memory");
    game.scan_slides(&learner, &Slides::new(4, 4));
    assert_eq!(game.learned_board.largest(), 13);
}

/// A small network that learns 16384.
struct Extended;

impl TupleShape for Extended {
    const NAME: Tuples = Tuples::FourByFive;
    const CELLS: usize = FourByFive::CELLS;
    const TUPLES: &'static [Tuple] = FourByFive::TUPLES;
    const MAX_LEARNED_POWER: u8 = EXTENDED_LEARNED_POWER;
}

#[test]
fn extended_network_chooses_slides_on_downgraded_boards() {
    let game = game_after_slide::<Extended>(board([14, 12, 12, 2]));
    assert_eq!(game.choice_board, board([13, 12, 12, 2]));
    let [(afterstate, points)] = game.afterstates[..] else {
        panic!("one slide");
    };
    let powers = afterstate.powers();
    assert_eq!((points, game.score), (1 << 13, 1 << 13));
    assert!(powers.contains(&14) && powers.contains(&13) && powers.contains(&2));
    // Tiles that the network does not learn are downgraded for learning too.
    let game = game_after_slide::<Extended>(board([15, 12, 12, 2]));
    let (afterstate, points) = game.afterstates[0];
    assert!(afterstate.powers().contains(&14) && points == 1 << 13);
    assert_eq!(game.score, 1 << 13);
}

#[test]
fn early_games_choose_slides_on_real_boards() {
    let learner = Learner::<Extended>::new().expect("memory");
    let slides = Slides::new(4, 4);
    let [mut game, _] = new_games();
    let choice_boards = [DOWNGRADED_FROM_GAME - 1, DOWNGRADED_FROM_GAME].map(|number| {
        game.start(&slides, 1, number, DOWNGRADED_FROM_GAME);
        game.board = board([14, 12, 3, 0]);
        game.scan_slides(&learner, &slides);
        game.choice_board
    });
    assert_eq!(
        choice_boards,
        [board([14, 12, 3, 0]), board([13, 12, 3, 0])]
    );
}

#[test]
fn restarts_from_downgraded_board() {
    let mut game = game_after_slide::<Extended>(board([14, 12, 3, 0]));
    game.largest_tile_board = board([14, 12, 3, 0]);
    game.restart(&Slides::new(4, 4), game.restart_board::<Extended>(13));
    assert_eq!(game.afterstates, [(board([13, 12, 3, 0]), 0)]);
}

/// Returns a board with all tiles from 16384 to 512, and two tiles of this power.
fn board_with_pair(power: u8) -> Board {
    Board::of([14, 13, 12, 11, 10, 9, power, power, 1, 0, 0, 0, 0, 0, 0, 0])
}

#[test]
fn plays_and_restarts_crowded_boards_unchanged() {
    let learner = Learner::<Extended>::new().expect("memory");
    let slides = Slides::new(4, 4);
    let mut game = game_after_slide::<Extended>(board_with_pair(7));
    assert_ne!(game.choice_board, board_with_pair(7));
    let (first_crowded, _) = game.afterstates[0];
    assert!(is_crowded(first_crowded));
    assert_eq!(game.first_crowded, Some(first_crowded));
    // A later crowded board does not replace the first one.
    game.scan_slides(&learner, &slides);
    assert_eq!(game.choice_board, game.board);
    game.slide(&learner, &slides);
    assert_eq!(game.afterstates.len(), 2);
    assert_eq!(game.first_crowded, Some(first_crowded));
    game.restart(&slides, game.first_crowded);
    assert_eq!(game.afterstates, [(first_crowded, 0)]);
    assert_eq!(
        game.board.empty().count_ones() + 1,
        first_crowded.empty().count_ones()
    );
    // A new game has no crowded board yet.
    game.start(&slides, 1, 1, 0);
    assert_eq!(game.first_crowded, None);
}

#[test]
fn restarts_need_crowded_board_and_extended_network() {
    let mut game = game_after_slide::<Extended>(board_with_pair(6));
    assert_eq!(game.first_crowded, None);
    game.restart(&Slides::new(4, 4), None);
    assert!(game.is_over && game.afterstates.is_empty());
    assert_eq!(
        game_after_slide::<FourByFive>(board_with_pair(7)).first_crowded,
        None
    );
}

#[test]
fn restarts_from_crowded_boards_add_moves() {
    let slides = Slides::new(4, 4);
    let moves = [0, 1, 3].map(|times| {
        let learner = Learner::<Extended>::new().expect("memory");
        let config = TrainingConfig {
            first_game: 0,
            games: None,
            time: None,
            threads: 1,
            seed: 1,
            lambda: 0.5,
            // No tile reaches this power.
            restarts: Restarts {
                times,
                min_power: 17,
            },
            interval: Duration::MAX,
            checkpoint: Duration::MAX,
        };
        let mut buffers = new_games();
        let games = start_games(&slides, 1, 0..1, 0, &mut buffers);
        games[0].board = board_with_pair(7);
        let results = train_round(&learner, &slides, &config, games);
        results[0].moves
    });
    assert!(moves[0] < moves[1] && moves[1] < moves[2], "{moves:?}");
}

#[test]
fn restarts_where_largest_tile_was_made() {
    let learner = Learner::<FourByFive>::new().expect("memory");
    let slides = Slides::new(4, 4);
    let [mut game, _] = new_games();
    game.start(&slides, 1, 0, 0);
    play(&learner, &slides, std::slice::from_mut(&mut game));
    let (largest, final_board) = (game.board.largest(), game.board);
    let largest_after = |(after, _): &Afterstate| after.largest();
    let first = game
        .afterstates
        .iter()
        .find(|afterstate| largest_after(afterstate) == largest);
    let largest_tile_board = first.expect("the largest tile was made").0;
    game.restart(&slides, game.restart_board::<FourByFive>(largest));
    assert_eq!(game.afterstates, [(largest_tile_board, 0)]);
    assert_eq!(
        largest_tile_board.empty().count_ones(),
        game.board.empty().count_ones() + 1
    );
    assert!(!game.is_over && game.board != final_board);
    // No tile of the game reaches this power.
    game.restart(&slides, game.restart_board::<FourByFive>(largest + 1));
    assert!(game.afterstates.is_empty() && game.is_over);
}

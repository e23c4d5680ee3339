//! Compares Puli's rules of every hunt game with a simple second implementation.
//!
//! Puli represents pieces by bit sets. The simple rules take a parsed board file and represent pieces by sets of point
//! names. Both must agree on the legal moves, on the positions after them, and on the end and the winner of the game.

use std::collections::{BTreeMap, BTreeSet};

use puli::control::Control;
use puli::games::hunt::board::{self, ALL, Board};
use puli::games::hunt::spec::{BoardSpec, Direction, HuntersDrop, PreySteps, Role};
use puli::games::hunt::{Hunt, Position, points_of};
use puli::rules::{Game, Notation, Outcome, Rules};
use puli::search::perft::perft;
use puli::value::Side;

/// A position as sets of point names.
#[derive(Clone, Debug, PartialEq)]
struct SimplePosition {
    hunters: BTreeSet<String>,
    /// The numbers of prey on their points.
    prey: BTreeMap<String, u32>,
    hunters_in_hand: u32,
    prey_in_hand: u32,
    to_move: Role,
    /// The direction of the steps of the prey, if they have one.
    direction: Option<Direction>,
}

impl SimplePosition {
    fn is_empty(&self, name: &str) -> bool {
        !self.hunters.contains(name) && !self.prey.contains_key(name)
    }

    fn prey_on_board(&self) -> u32 {
        self.prey.values().sum()
    }

    fn add_prey(&mut self, name: &str) {
        *self.prey.entry(name.into()).or_default() += 1;
    }

    fn take_prey(&mut self, name: &str) {
        let height = self.prey.get_mut(name).unwrap();
        *height -= 1;
        if *height == 0 {
            self.prey.remove(name);
        }
    }
}

/// The simple rules of one board.
struct SimpleRules<'a> {
    board: &'a Board,
    spec: &'a BoardSpec,
    names: Vec<String>,
}

impl<'a> SimpleRules<'a> {
    fn of(board: &'a Board) -> Self {
        Self {
            board,
            spec: &board.spec,
            names: (0..board.points)
                .map(|point| board.point_name(point))
                .collect(),
        }
    }

    /// Converts a position of [`Hunt`] to a simple position.
    fn convert(&self, position: &Position) -> SimplePosition {
        let names_in = |set: u64| -> BTreeSet<String> {
            points_of(set)
                .map(|point| self.names[point].clone())
                .collect()
        };
        SimplePosition {
            hunters: names_in(position.tigers),
            prey: points_of(position.goats)
                .map(|point| {
                    let height = position.goats_at(self.board, point);
                    (self.names[point].clone(), height)
                })
                .collect(),
            hunters_in_hand: position.tigers_hand.into(),
            prey_in_hand: position.hand.into(),
            to_move: if position.tigers_to_move {
                Role::Hunters
            } else {
                Role::Prey
            },
            direction: self.direction(position.goats_turned),
        }
    }

    /// Returns the direction of the steps of the prey, before or after it has turned.
    fn direction(&self, is_turned: bool) -> Option<Direction> {
        let (PreySteps::Forward(direction) | PreySteps::ForwardOrSideways(direction)) =
            self.spec.prey_steps
        else {
            return None;
        };
        Some(match (direction, is_turned) {
            (_, false) => direction,
            (Direction::Up, true) => Direction::Down,
            (Direction::Down, true) => Direction::Up,
            (Direction::Left, true) => Direction::Right,
            (Direction::Right, true) => Direction::Left,
        })
    }

    /// Returns the number of move sequences of `depth` plies: perft by the simple rules.
    fn leaves(&self, position: &SimplePosition, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let next = self.moves(position);
        next.iter()
            .map(|(_, after)| self.leaves(after, depth - 1))
            .sum()
    }

    fn start(&self) -> SimplePosition {
        let spec = self.spec;
        let names_in = |set: u64| -> BTreeSet<String> {
            let inside = |(point, _): &(usize, &String)| set >> point & 1 == 1;
            self.names
                .iter()
                .enumerate()
                .filter(inside)
                .map(|(_, name)| name.clone())
                .collect()
        };
        let hunters = names_in(spec.hunters_at);
        let mut prey: BTreeMap<String, u32> = names_in(spec.prey_at)
            .into_iter()
            .map(|name| (name, 1))
            .collect();
        for &(point, height) in &spec.prey_stacks {
            prey.insert(self.names[usize::from(point)].clone(), height);
        }
        SimplePosition {
            hunters_in_hand: spec.hunters - hunters.len() as u32,
            prey_in_hand: spec.prey - prey.values().sum::<u32>(),
            hunters,
            prey,
            to_move: spec.first,
            direction: self.direction(false),
        }
    }

    /// Returns the names of the points of a line.
    fn names_of(&self, line: &[u8]) -> Vec<&str> {
        line.iter()
            .map(|&point| self.names[usize::from(point)].as_str())
            .collect()
    }

    /// Returns the index of the point with this name.
    fn point_index(&self, name: &str) -> usize {
        self.names.iter().position(|other| other == name).unwrap()
    }

    /// Returns `true` if the bit set `set` contains the point with this name.
    fn is_in(&self, set: u64, name: &str) -> bool {
        set >> self.point_index(name) & 1 == 1
    }

    /// Returns how far ahead of `from` the point `to` is, in a direction.
    fn distance_ahead(&self, direction: Direction, from: &str, to: &str) -> f64 {
        let coordinates = |name: &str| {
            let mut coordinates = self.spec.coordinates();
            coordinates.nth(self.point_index(name)).unwrap()
        };
        let ((x, y), (next_x, next_y)) = (coordinates(from), coordinates(to));
        match direction {
            Direction::Up => next_y - y,
            Direction::Down => y - next_y,
            Direction::Left => x - next_x,
            Direction::Right => next_x - x,
        }
    }

    /// Returns `true` if the rule `prey-steps` allows a step from `from` to its neighbor `to`.
    fn allows_prey_step(&self, position: &SimplePosition, from: &str, to: &str) -> bool {
        let Some(direction) = position.direction else {
            return true;
        };
        let ahead = self.distance_ahead(direction, from, to);
        match self.spec.prey_steps {
            PreySteps::ForwardOrSideways(_) => ahead >= 0.0,
            _ => ahead > 0.0,
        }
    }

    /// Returns the position after the direction of the prey turns round, if no prey could step ahead.
    fn turned(&self, position: SimplePosition) -> SimplePosition {
        let Some(direction) = position.direction.filter(|_| self.spec.prey_turn) else {
            return position;
        };
        let steps = self.prey_steps(&position);
        let is_ahead =
            |points: &[&str; 2]| self.distance_ahead(direction, points[0], points[1]) > 0.0;
        if steps.iter().any(|(points, _)| is_ahead(points)) {
            return position;
        }
        let is_turned = self.direction(true) != Some(direction);
        SimplePosition {
            direction: self.direction(is_turned),
            ..position
        }
    }

    /// Returns the legal moves as text, each with the position after it. Returns no moves if a side has won.
    fn moves(&self, position: &SimplePosition) -> Vec<(String, SimplePosition)> {
        if self.winner_by_goal(position).is_some() {
            return Vec::new();
        }
        let moves = match position.to_move {
            Role::Hunters if position.hunters_in_hand > 0 => {
                let all = self.spec.hunters_drop == HuntersDrop::First;
                self.placements(position, if all { position.hunters_in_hand } else { 1 })
            }
            Role::Hunters => self.hunters_moves(position),
            Role::Prey if position.prey_in_hand > 0 => {
                let is_first = position.prey_in_hand == self.start().prey_in_hand;
                let pieces = if is_first { self.spec.first_drops } else { 1 };
                let mut drops = self.placements(position, pieces);
                if drops.is_empty() && self.spec.stuck_prey_pass {
                    drops.push(("pass".into(), position.clone()));
                }
                drops
            }
            Role::Prey => {
                let steps = self.prey_steps(position).into_iter();
                let mut steps: Vec<_> = steps
                    .map(|(points, after)| (points.concat(), after))
                    .collect();
                if steps.is_empty() && self.spec.stuck_prey_pass {
                    steps.push(("pass".into(), position.clone()));
                }
                steps
            }
        };
        let mut moves: Vec<(String, SimplePosition)> = moves
            .into_iter()
            .map(|(name, after)| {
                let to_move = position.to_move.other();
                (name, self.turned(SimplePosition { to_move, ..after }))
            })
            .collect();
        moves.sort_by(|(a, _), (b, _)| a.cmp(b));
        moves
    }

    /// Returns all ways to place `pieces` pieces of the side to move at once. In the name of such a move, the points
    /// are in board order.
    fn placements(&self, position: &SimplePosition, pieces: u32) -> Vec<(String, SimplePosition)> {
        let mut drops = vec![(Vec::<String>::new(), position.clone())];
        for _ in 0..pieces {
            let mut extended = Vec::new();
            for (names, before) in &drops {
                for name in &self.names {
                    let is_in_order = names
                        .last()
                        .is_none_or(|last| self.point_index(last) < self.point_index(name));
                    let is_allowed =
                        position.to_move == Role::Hunters || self.is_in(self.spec.prey_zone, name);
                    if is_in_order && is_allowed && before.is_empty(name) {
                        let mut after = before.clone();
                        if position.to_move == Role::Hunters {
                            after.hunters.insert(name.clone());
                            after.hunters_in_hand -= 1;
                        } else {
                            after.add_prey(name);
                            after.prey_in_hand -= 1;
                        }
                        extended.push(([&names[..], std::slice::from_ref(name)].concat(), after));
                    }
                }
            }
            drops = extended;
        }
        drops
            .into_iter()
            .map(|(names, after)| (names.join("+"), after))
            .collect()
    }

    fn hunters_moves(&self, position: &SimplePosition) -> Vec<(String, SimplePosition)> {
        let (mut steps, mut captures, mut could_capture) =
            (Vec::new(), Vec::new(), BTreeSet::new());
        for line in &self.spec.lines {
            let forward = self.names_of(line);
            let backward: Vec<&str> = forward.iter().rev().copied().collect();
            for line in [forward, backward] {
                for pair in line.windows(2) {
                    if position.hunters.contains(pair[0]) && position.is_empty(pair[1]) {
                        let mut after = position.clone();
                        after.hunters.remove(pair[0]);
                        after.hunters.insert(pair[1].into());
                        steps.push((pair.to_vec(), after));
                    }
                }
                for triple in line.windows(3).filter(|_| self.spec.captures.is_some()) {
                    let is_capture = position.hunters.contains(triple[0])
                        && position.prey.contains_key(triple[1])
                        && position.is_empty(triple[2]);
                    if is_capture {
                        could_capture.insert(triple[0]);
                        let mut after = position.clone();
                        after.hunters.remove(triple[0]);
                        after.take_prey(triple[1]);
                        after.hunters.insert(triple[2].into());
                        let path = [triple[0], triple[2]].map(String::from);
                        self.add_captures(&path, &[triple[1]], after, &mut captures);
                    }
                }
            }
        }
        if self.spec.capture_is_forced && !captures.is_empty() {
            return captures;
        }
        let steps = steps.into_iter().map(|(points, mut after)| {
            if self.spec.has_huffs {
                after
                    .hunters
                    .retain(|name| !could_capture.contains(name.as_str()));
                if could_capture.contains(points[0]) {
                    after.hunters.remove(points[1]);
                }
            }
            (points.concat(), after)
        });
        steps.chain(captures).collect()
    }

    /// Adds the capture over the points `path`, which leaps over `leapt`, and its continuations to chains.
    fn add_captures(
        &self,
        path: &[String],
        leapt: &[&str],
        after: SimplePosition,
        captures: &mut Vec<(String, SimplePosition)>,
    ) {
        let at = path[path.len() - 1].as_str();
        let taken = self.spec.prey - after.prey_in_hand - after.prey_on_board();
        let is_won = self.spec.captures == Some(taken);
        let mut goes_on = false;
        for line in &self.spec.lines {
            let forward = self.names_of(line);
            let backward: Vec<&str> = forward.iter().rev().copied().collect();
            for line in [forward, backward] {
                for triple in line.windows(3) {
                    let can_leap = triple[0] == at
                        && after.prey.contains_key(triple[1])
                        && !leapt.contains(&triple[1])
                        && after.is_empty(triple[2]);
                    if can_leap && self.spec.has_chains && !is_won {
                        goes_on = true;
                        let mut next = after.clone();
                        next.hunters.remove(at);
                        next.take_prey(triple[1]);
                        next.hunters.insert(triple[2].into());
                        let path = [path, &[triple[2].into()]].concat();
                        let leapt = [leapt, &[triple[1]]].concat();
                        self.add_captures(&path, &leapt, next, captures);
                    }
                }
            }
        }
        if !(goes_on && self.spec.capture_is_forced) {
            captures.push((path.concat(), after));
        }
    }

    /// Returns the steps of the prey: both points, and the position after the step.
    fn prey_steps(&self, position: &SimplePosition) -> Vec<([&str; 2], SimplePosition)> {
        let mut steps = Vec::new();
        for line in &self.spec.lines {
            let forward = self.names_of(line);
            let backward: Vec<&str> = forward.iter().rev().copied().collect();
            for line in [forward, backward] {
                for pair in line.windows(2) {
                    let joins = self.is_in(self.spec.prey_joins, pair[1])
                        && position.prey.contains_key(pair[1]);
                    let is_step = position.prey.contains_key(pair[0])
                        && (position.is_empty(pair[1]) || joins)
                        && self.is_in(self.spec.prey_zone, pair[1])
                        && self.allows_prey_step(position, pair[0], pair[1]);
                    if is_step {
                        let mut after = position.clone();
                        after.take_prey(pair[0]);
                        after.add_prey(pair[1]);
                        steps.push(([pair[0], pair[1]], after));
                    }
                }
            }
        }
        steps
    }

    /// Returns the side that has captured enough pieces or reached its goal. Returns `None` if there is none.
    fn winner_by_goal(&self, position: &SimplePosition) -> Option<Role> {
        let remaining_prey = position.prey_in_hand + position.prey_on_board();
        let captured = self.spec.prey - remaining_prey;
        let captured_enough = self
            .spec
            .captures
            .is_some_and(|captures| captured >= captures);
        let is_on = |set: u64| position.hunters.iter().any(|name| self.is_in(set, name));
        let starts_on_goal = self.spec.hunters_goal & self.spec.hunters_at != 0;
        let came_there = position.to_move == Role::Prey && *position != self.start();
        let hunter_reached_goal = is_on(self.spec.hunters_goal) && (!starts_on_goal || came_there);
        if captured_enough || hunter_reached_goal {
            return Some(Role::Hunters);
        }
        let is_none_left = position.hunters.is_empty() && position.hunters_in_hand == 0;
        if is_on(self.spec.hunters_trap) || is_none_left {
            return Some(Role::Prey);
        }
        let goals = self
            .names
            .iter()
            .filter(|name| self.is_in(self.spec.prey_goal, name));
        let mut goals = goals.peekable();
        (goals.peek().is_some() && goals.all(|name| position.prey.contains_key(name)))
            .then_some(Role::Prey)
    }

    /// Returns the winner, or `None` if the game is not over. A side that cannot move loses.
    fn winner(&self, position: &SimplePosition) -> Option<Role> {
        let stuck = || {
            self.moves(position)
                .is_empty()
                .then(|| position.to_move.other())
        };
        self.winner_by_goal(position).or_else(stuck)
    }

    /// Returns the FEN of a position.
    fn fen(&self, position: &SimplePosition) -> String {
        let piece = |name: &String| {
            if position.hunters.contains(name) {
                String::from("T")
            } else {
                match position.prey.get(name) {
                    None => String::from("."),
                    Some(1) => String::from("G"),
                    Some(height) => format!("({height})"),
                }
            }
        };
        let mut rows: Vec<String> = Vec::new();
        let mut names = self.names.iter();
        for row in &self.spec.rows {
            rows.push(names.by_ref().take(row.xs.len()).map(piece).collect());
        }
        let mut text = rows.join("/");
        for run in (1..=64).rev() {
            text = text.replace(&".".repeat(run), &run.to_string());
        }
        let side = if position.to_move == Role::Hunters {
            't'
        } else {
            'g'
        };
        text += &format!(" {side} {}", position.prey_in_hand);
        if self.spec.hunters > self.spec.hunters_at.count_ones() {
            text += &format!(" {}", position.hunters_in_hand);
        }
        if let Some(direction) = position.direction.filter(|_| self.spec.prey_turn) {
            text += &format!(" {direction:?}").to_lowercase();
        }
        text
    }
}

/// Plays `games` random games and compares both rules in every position.
fn check_rules_agree(board: &'static Board, games: u64) {
    let game = Hunt::new(board);
    let rules = SimpleRules::of(board);
    for seed in 0..games {
        let mut random = fastrand::Rng::with_seed(seed);
        let (mut position, mut simple) = (game.start(), rules.start());
        // `Game::recurrence_free_plies` returns a number of plies in which no position repeats. `last_new_ply` is the
        // last of them.
        let (mut earlier_positions, mut last_new_ply) = (Vec::new(), 0);
        for ply in 0..120 {
            assert!(
                ply > last_new_ply || !earlier_positions.contains(&position),
                "{} {position:?}",
                board.name
            );
            earlier_positions.push(position);
            last_new_ply = last_new_ply.max(ply + game.recurrence_free_plies(&position));
            let fen = game.show_position(&position);
            assert_eq!(fen, rules.fen(&simple), "{}", board.name);
            assert_eq!(
                game.read_position(&fen).unwrap().1,
                position,
                "{}",
                board.name
            );
            let winner = game.outcome(&position).and_then(Outcome::winner);
            let side = |role| {
                if role == board.spec.first {
                    Side::P1
                } else {
                    Side::P2
                }
            };
            assert_eq!(
                winner,
                rules.winner(&simple).map(side),
                "{} {fen}",
                board.name
            );
            if winner.is_some() {
                break;
            }
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            let mut move_names: Vec<String> = moves
                .iter()
                .map(|&m| game.show_move_at(&position, m))
                .collect();
            move_names.sort();
            let expected = rules.moves(&simple);
            let expected_names: Vec<&String> = expected.iter().map(|(name, _)| name).collect();
            assert_eq!(
                move_names.iter().collect::<Vec<_>>(),
                expected_names,
                "{} {fen}",
                board.name
            );
            let (name, after) = &expected[random.usize(..expected.len())];
            position = game.play(&position, game.read_move_at(&position, name).unwrap());
            simple = after.clone();
        }
    }
}

#[test]
fn every_board_agrees_with_simple_rules() {
    for board in ALL.iter() {
        let drops_several_pieces = board.spec.first_drops > 1;
        check_rules_agree(board, if drops_several_pieces { 2 } else { 12 });
    }
}

#[test]
fn placement_phase_repeats_no_position() {
    let (aadu_puli, orissa) = (
        Hunt::new(&board::AADU_PULI),
        Hunt::new(board::named("orissa-four-tigers").unwrap()),
    );
    // Aadu Puli: 15 placements, with a tiger move after each except the last. Orissa: the goats place four pieces in
    // their first turn and 16 in further turns.
    assert_eq!(aadu_puli.recurrence_free_plies(&aadu_puli.start()), 29);
    assert_eq!(orissa.recurrence_free_plies(&orissa.start()), 2 * 17 - 1);
    let plies_without_repetition =
        |fen| aadu_puli.recurrence_free_plies(&aadu_puli.read_position(fen).unwrap().1);
    assert_eq!(plies_without_repetition("T/2TT2/6/6/G3 t 14"), 28);
    assert_eq!(plies_without_repetition("T/2TT2/GGGGGG/GGGGGG/GGG1 t 0"), 0);
}

/// Maximum number of leaves that are also counted by the simple rules, which are slow.
const MAX_SIMPLE_LEAVES: u64 = 6000;

#[test]
fn perft_of_every_board_matches_known_counts() {
    let mut covered = BTreeSet::new();
    let lines = include_str!("../perft/atlas.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let [name, position_text, leaves] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("a name, a position and numbers: {line}");
        };
        let board = board::named(name).unwrap();
        let game = Hunt::new(board);
        let fen = position_text.strip_prefix("fen ");
        let position = fen.map_or(game.start(), |fen| game.read_position(fen).unwrap().1);
        let rules = SimpleRules::of(board);
        let simple = rules.convert(&position);
        assert_eq!(rules.fen(&simple), game.show_position(&position));
        for (leaves, depth) in leaves.split(' ').zip(1..) {
            let leaves = leaves.parse().unwrap();
            let actual = perft(&game, &position, depth, &mut Control::unlimited());
            assert_eq!(actual, Ok(leaves), "{name} {position_text} depth {depth}");
            if leaves <= MAX_SIMPLE_LEAVES {
                assert_eq!(
                    rules.leaves(&simple, depth),
                    leaves,
                    "{name} {position_text} depth {depth}"
                );
            }
        }
        covered.insert((name, fen.is_none()));
    }
    // The data file has the start and a later position of every board.
    for board in ALL.iter() {
        for is_start in [true, false] {
            assert!(
                covered.contains(&(board.name.as_str(), is_start)),
                "{}",
                board.name
            );
        }
    }
}

/// The goats can restore their start, so the tiger that comes back to its goal restores the whole position.
#[test]
fn return_to_start_on_goal_wins_but_start_does_not() {
    let text = "game pen\nrow 1 0 1 2\nrow 0 0 1\nline a1 a2 a3\nline b1 b2\nhunters 1 at a1\nprey 1 at b1\n\
                captures none\nhunters-goal a1\n";
    let game = Hunt::new(Board::of(BoardSpec::read(text).unwrap()).unwrap());
    let start = game.start();
    let mut position = start;
    for m in ["b1b2", "a1a2", "b2b1", "a2a1"] {
        assert_eq!(game.outcome(&position), None, "before {m}");
        let m = game.read_move_at(&position, m).unwrap();
        position = game.play(&position, m);
    }
    assert_eq!(game.outcome(&position), Some(Outcome::Won(Side::P2)));
    assert_eq!(game.show_position(&position), game.show_position(&start));
    assert_ne!(game.key(&position), game.key(&start));
    assert_eq!(game.outcome(&start), None);
}

#[test]
fn fens_of_stacks_and_directions_are_checked() {
    let read = |game: &str, fen: &str| Hunt::new(board::named(game).unwrap()).read_position(fen);
    for (game, fen, expected) in [
        (
            "sher-bakr",
            "T/2/(5)/3 g 0",
            "column 5: expected a stack of 2 to 4 on c1, such as (2)",
        ),
        (
            "sher-bakr",
            "T/2/(1)/3 g 0",
            "column 5: expected a stack of 2 to 4 on c1, such as (2)",
        ),
        (
            "sher-bakr",
            "T/2/(2/3 g 0",
            "column 5: expected a stack of 2 to 4 on c1, such as (2)",
        ),
        (
            "sher-bakr",
            "T/(2)1/1/3 g 0",
            "column 3: expected no stack on b1, where none can be",
        ),
        (
            "sher-bakr",
            "T/G1/(4)/3 g 0",
            "column 1: expected at most 4 goats on the board, found 5",
        ),
        (
            "sher-bakr",
            "T/2/(4)/3 g 1",
            "column 13: expected the goats in hand, 0, found '1'",
        ),
        (
            "el-perro",
            "5/5/2TGG/5/5 g 0",
            "column 17: expected the direction of the goats, up or down, found the end",
        ),
        (
            "el-perro",
            "5/5/2TGG/5/5 g 0 left",
            "column 18: expected the direction of the goats, up or down, found 'left'",
        ),
    ] {
        assert_eq!(read(game, fen).unwrap_err().to_string(), expected);
    }
    for (game, fen) in [
        ("asalto", "3/3/7/7/7/GGG/GGG g 0"),
        ("asalto", "3/T2/7/7/7/GGG/GGG g 0"),
    ] {
        let (hunt, position) = read(game, fen).unwrap();
        assert_eq!(hunt.show_position(&position), fen);
    }
}

/// Tests rules that no game of the atlas has, and combinations of rules.
#[test]
fn every_rule_of_board_files_agrees_with_simple_rules() {
    let board = "game rules\nrow 2 0 1 2\nrow 1 0 1 2\nrow 0 0 1 2\nline a1 a2 a3\nline b1 b2 b3\nline c1 c2 c3\n\
                 line a1 b1 c1\nline a2 b2 c2\nline a3 b3 c3\nline a1 b2 c3\nline a3 b2 c1\n";
    let rules = [
        "hunters 2\nhunters-drop alternate\nprey 4\n",
        "hunters 2 at b2\nprey 5\nfirst-drops 3\ncapture forced\n",
        "hunters 3\nprey 3 at a1 a2\nfirst hunters\nprey-stuck pass\ncaptures 2\n",
        "hunters 1 at b2\nprey 3 at a1 a2 a3\nprey-steps forward down\nprey-goal c1 c2\n",
        "hunters 1 at b2\nprey 3 at a1 a2 a3\nprey-steps forward-or-sideways down\nhunters-goal a2\nrepetition prey\n",
        "hunters 1 at c2\nprey 4 at a1 a3\nprey-zone a1 a2 a3 b1 b2 b3\ncaptures none\n",
        "hunters 1 at c2\nprey 3\nprey-zone a1 a2\nprey-stuck pass\ncaptures none\n",
        "hunters 1 at b2\nprey 3 at a1 a2 a3\nhunters-goal b2\nhunters-trap c1 c3\nprey-steps forward-or-sideways down\n",
        "hunters 1 at b1\nprey 2\nfirst hunters\nhunters-goal b1 b3\nhunters-trap c3\nprey-stuck pass\n",
        "hunters 2\nprey 4\nleap chain\nhunters-trap a1\n",
        "hunters 1 at b2\nprey 3 at a1 a2 a3\nprey-steps forward-or-sideways down\nprey-turn\nprey-stuck pass\n",
        "hunters 1\nprey 4 at c2\nprey-steps forward up\nprey-turn\nprey-zone b1 b2 b3 c1 c2 c3\nleap chain\n",
        "hunters 1\nprey 7 at b2*7\nfirst hunters\n",
        "hunters 2 at a1 c3\nprey 6 at b2*3 a2*2\nprey-stacks b2 b1\nleap chain\nfirst-drops 1\n",
        "hunters 1 at a1\nprey 5 at c2 c1*3\nprey-stacks b1 b2\nprey-steps forward-or-sideways up\nprey-turn\nhuff remove\n",
        "hunters 1 at a1\nprey 4 at c2*4\nfirst hunters\nhunters-goal a1\nprey-stacks c2\nprey-zone c1 c2 c3 b2\nprey-stuck pass\n",
        "hunters 2 at b2 a1\nprey 5\nhuff remove\n",
        "hunters 3 at c1\nhunters-drop alternate\nprey 4 at a1 a2\nfirst hunters\nhuff remove\nleap chain\n",
        "hunters 2 at b2 a1\nprey 5\nleap chain\n",
        "hunters 2\nprey 6\nleap chain\ncapture forced\ncaptures 4\nprey-stuck pass\n",
        "hunters 1 at b2\nprey 3 at a1 a2 a3\nfirst hunters\nleap chain\nhunters-goal a2\n",
        "hunters 2 at c2\nhunters-drop alternate\nprey 5\nfirst-drops 2\nprey-zone a1 a2 a3\nprey-stuck pass\n",
    ];
    for rules in rules {
        let spec = BoardSpec::read(&format!("{board}{rules}")).unwrap();
        check_rules_agree(Board::of(spec).unwrap(), 60);
    }
}

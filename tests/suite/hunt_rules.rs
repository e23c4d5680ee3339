//! Compares the rules of every hunt board with a simple implementation, which reads the board file and keeps names
//! of points in sets. Both must agree on legal moves, their results and the end of the game.

use std::collections::BTreeSet;

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
    prey: BTreeSet<String>,
    hunters_in_hand: u32,
    prey_in_hand: u32,
    to_move: Role,
}

impl SimplePosition {
    fn is_empty(&self, name: &str) -> bool {
        !self.hunters.contains(name) && !self.prey.contains(name)
    }
}

/// The simple rules of one board.
struct SimpleRules<'a> {
    spec: &'a BoardSpec,
    names: Vec<String>,
}

impl<'a> SimpleRules<'a> {
    fn of(board: &'a Board) -> Self {
        Self {
            spec: &board.spec,
            names: (0..board.points)
                .map(|point| board.point_name(point))
                .collect(),
        }
    }

    /// Converts a position of the fast rules.
    fn read(&self, position: &Position) -> SimplePosition {
        let named = |set: u64| -> BTreeSet<String> {
            points_of(set)
                .map(|point| self.names[point].clone())
                .collect()
        };
        SimplePosition {
            hunters: named(position.tigers),
            prey: named(position.goats),
            hunters_in_hand: position.tigers_hand.into(),
            prey_in_hand: position.hand.into(),
            to_move: if position.tigers_to_move {
                Role::Hunters
            } else {
                Role::Prey
            },
        }
    }

    /// Returns the number of lines of play with `depth` plies.
    fn leaves(&self, at: &SimplePosition, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let next = self.moves(at);
        next.iter()
            .map(|(_, after)| self.leaves(after, depth - 1))
            .sum()
    }

    fn start(&self) -> SimplePosition {
        let spec = self.spec;
        let named = |set: u64| -> BTreeSet<String> {
            let inside = |(point, _): &(usize, &String)| set >> point & 1 == 1;
            self.names
                .iter()
                .enumerate()
                .filter(inside)
                .map(|(_, name)| name.clone())
                .collect()
        };
        let (hunters, prey) = (named(spec.hunters_at), named(spec.prey_at));
        SimplePosition {
            hunters_in_hand: spec.hunters - hunters.len() as u32,
            prey_in_hand: spec.prey - prey.len() as u32,
            hunters,
            prey,
            to_move: spec.first,
        }
    }

    fn named(&self, line: &[u8]) -> Vec<&str> {
        line.iter()
            .map(|&point| self.names[usize::from(point)].as_str())
            .collect()
    }

    fn number(&self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap()
    }

    fn is_in(&self, set: u64, name: &str) -> bool {
        set >> self.number(name) & 1 == 1
    }

    /// Returns `true` if prey may step from `from` to the neighbor `to`.
    fn is_ahead(&self, from: &str, to: &str) -> bool {
        let place = |name: &str| self.spec.coordinates().nth(self.number(name)).unwrap();
        let ((x, y), (next_x, next_y)) = (place(from), place(to));
        let gain = |direction| match direction {
            Direction::Up => next_y - y,
            Direction::Down => y - next_y,
            Direction::Left => x - next_x,
            Direction::Right => next_x - x,
        };
        match self.spec.prey_steps {
            PreySteps::Any => true,
            PreySteps::Forward(direction) => gain(direction) > 0.0,
            PreySteps::ForwardOrSideways(direction) => gain(direction) >= 0.0,
        }
    }

    /// Returns the legal moves, as text, and the positions after them. Returns none if the game is over.
    fn moves(&self, at: &SimplePosition) -> Vec<(String, SimplePosition)> {
        if self.has_won(at).is_some() {
            return Vec::new();
        }
        let moves = match at.to_move {
            Role::Hunters if at.hunters_in_hand > 0 => {
                let all = self.spec.hunters_drop == HuntersDrop::First;
                self.placements(at, if all { at.hunters_in_hand } else { 1 })
            }
            Role::Hunters => self.hunters_moves(at),
            Role::Prey if at.prey_in_hand > 0 => {
                let in_hand_at_first = self.spec.prey - self.spec.prey_at.count_ones();
                let is_first = at.prey_in_hand == in_hand_at_first;
                let pieces = if is_first { self.spec.first_drops } else { 1 };
                let mut ways = self.placements(at, pieces);
                if ways.is_empty() && self.spec.stuck_prey_pass {
                    ways.push(("pass".into(), at.clone()));
                }
                ways
            }
            Role::Prey => self.prey_steps(at),
        };
        let mut moves: Vec<(String, SimplePosition)> = moves
            .into_iter()
            .map(|(name, after)| {
                let to_move = at.to_move.other();
                (name, SimplePosition { to_move, ..after })
            })
            .collect();
        moves.sort_by(|(a, _), (b, _)| a.cmp(b));
        moves
    }

    fn placements(&self, at: &SimplePosition, pieces: u32) -> Vec<(String, SimplePosition)> {
        let mut ways = vec![(Vec::<String>::new(), at.clone())];
        for _ in 0..pieces {
            let mut longer = Vec::new();
            for (names, before) in &ways {
                for name in &self.names {
                    let is_later = names
                        .last()
                        .is_none_or(|last| self.number(last) < self.number(name));
                    let is_allowed =
                        at.to_move == Role::Hunters || self.is_in(self.spec.prey_zone, name);
                    if is_later && is_allowed && before.is_empty(name) {
                        let mut after = before.clone();
                        if at.to_move == Role::Hunters {
                            after.hunters.insert(name.clone());
                            after.hunters_in_hand -= 1;
                        } else {
                            after.prey.insert(name.clone());
                            after.prey_in_hand -= 1;
                        }
                        longer.push(([&names[..], std::slice::from_ref(name)].concat(), after));
                    }
                }
            }
            ways = longer;
        }
        ways.into_iter()
            .map(|(names, after)| (names.join("+"), after))
            .collect()
    }

    fn hunters_moves(&self, at: &SimplePosition) -> Vec<(String, SimplePosition)> {
        let (mut steps, mut captures) = (Vec::new(), Vec::new());
        for line in &self.spec.lines {
            let forth = self.named(line);
            let back: Vec<&str> = forth.iter().rev().copied().collect();
            for line in [forth, back] {
                for pair in line.windows(2) {
                    if at.hunters.contains(pair[0]) && at.is_empty(pair[1]) {
                        let mut after = at.clone();
                        after.hunters.remove(pair[0]);
                        after.hunters.insert(pair[1].into());
                        steps.push((pair.concat(), after));
                    }
                }
                for three in line.windows(3).filter(|_| self.spec.captures.is_some()) {
                    let is_capture = at.hunters.contains(three[0])
                        && at.prey.contains(three[1])
                        && at.is_empty(three[2]);
                    if is_capture {
                        let mut after = at.clone();
                        after.hunters.remove(three[0]);
                        after.prey.remove(three[1]);
                        after.hunters.insert(three[2].into());
                        captures.push((format!("{}{}", three[0], three[2]), after));
                    }
                }
            }
        }
        if self.spec.capture_is_forced && !captures.is_empty() {
            return captures;
        }
        [steps, captures].concat()
    }

    fn prey_steps(&self, at: &SimplePosition) -> Vec<(String, SimplePosition)> {
        let mut steps = Vec::new();
        for line in &self.spec.lines {
            let forth = self.named(line);
            let back: Vec<&str> = forth.iter().rev().copied().collect();
            for line in [forth, back] {
                for pair in line.windows(2) {
                    let is_step = at.prey.contains(pair[0])
                        && at.is_empty(pair[1])
                        && self.is_in(self.spec.prey_zone, pair[1])
                        && self.is_ahead(pair[0], pair[1]);
                    if is_step {
                        let mut after = at.clone();
                        after.prey.remove(pair[0]);
                        after.prey.insert(pair[1].into());
                        steps.push((pair.concat(), after));
                    }
                }
            }
        }
        if steps.is_empty() && self.spec.stuck_prey_pass {
            steps.push(("pass".into(), at.clone()));
        }
        steps
    }

    /// Returns the side that has captured enough pieces or reached a goal, if any.
    fn has_won(&self, at: &SimplePosition) -> Option<Role> {
        let left = at.prey_in_hand + at.prey.len() as u32;
        let captured = self.spec.prey - left;
        let has_enough = self
            .spec
            .captures
            .is_some_and(|captures| captured >= captures);
        let is_home = at
            .hunters
            .iter()
            .any(|name| self.is_in(self.spec.hunters_goal, name));
        if has_enough || is_home {
            return Some(Role::Hunters);
        }
        let goals = self
            .names
            .iter()
            .filter(|name| self.is_in(self.spec.prey_goal, name));
        let mut goals = goals.peekable();
        (goals.peek().is_some() && goals.all(|name| at.prey.contains(name))).then_some(Role::Prey)
    }

    fn winner(&self, at: &SimplePosition) -> Option<Role> {
        let stuck = || self.moves(at).is_empty().then(|| at.to_move.other());
        self.has_won(at).or_else(stuck)
    }

    fn shown(&self, at: &SimplePosition) -> String {
        let piece = |name: &String| {
            if at.hunters.contains(name) {
                "T"
            } else if at.prey.contains(name) {
                "G"
            } else {
                "."
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
        let side = if at.to_move == Role::Hunters {
            't'
        } else {
            'g'
        };
        text += &format!(" {side} {}", at.prey_in_hand);
        if self.spec.hunters > self.spec.hunters_at.count_ones() {
            text += &format!(" {}", at.hunters_in_hand);
        }
        text
    }
}

/// Plays `games` random games by both rules and compares them.
fn plays_by_the_book(board: &'static Board, games: u64) {
    let game = Hunt::new(board);
    let rules = SimpleRules::of(board);
    for seed in 0..games {
        let mut random = fastrand::Rng::with_seed(seed);
        let (mut position, mut plain) = (game.start(), rules.start());
        let (mut seen, mut new_until) = (Vec::new(), 0);
        for ply in 0..120 {
            assert!(
                ply > new_until || !seen.contains(&position),
                "{} {position:?}",
                board.name
            );
            seen.push(position);
            new_until = new_until.max(ply + game.recurrence_free_plies(&position));
            let fen = game.show_position(&position);
            assert_eq!(fen, rules.shown(&plain), "{}", board.name);
            assert_eq!(
                game.read_position(&fen).unwrap().1,
                position,
                "{}",
                board.name
            );
            let winner = game.outcome(&position).and_then(Outcome::winner);
            let side = |party| {
                if party == board.spec.first {
                    Side::P1
                } else {
                    Side::P2
                }
            };
            assert_eq!(
                winner,
                rules.winner(&plain).map(side),
                "{} {fen}",
                board.name
            );
            if winner.is_some() {
                break;
            }
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            let mut named: Vec<String> = moves.iter().map(|&m| game.show_move(m)).collect();
            named.sort();
            let expected = rules.moves(&plain);
            let expected_names: Vec<&String> = expected.iter().map(|(name, _)| name).collect();
            assert_eq!(
                named.iter().collect::<Vec<_>>(),
                expected_names,
                "{} {fen}",
                board.name
            );
            let (name, after) = &expected[random.usize(..expected.len())];
            position = game.play(&position, game.read_move(name).unwrap());
            plain = after.clone();
        }
    }
}

#[test]
fn every_board_follows_its_file() {
    for board in ALL.iter() {
        let several = board.spec.first_drops > 1;
        plays_by_the_book(board, if several { 2 } else { 12 });
    }
}

#[test]
fn placement_phase_repeats_no_position() {
    let (aadu_puli, orissa) = (
        Hunt::new(&board::AADU_PULI),
        Hunt::new(board::named("orissa-four-tigers").unwrap()),
    );
    // Fifteen placements, with one tiger move after each but the last. Four of the twenty goats are placed in the
    // first turn.
    assert_eq!(aadu_puli.recurrence_free_plies(&aadu_puli.start()), 29);
    assert_eq!(orissa.recurrence_free_plies(&orissa.start()), 2 * 17 - 1);
    let goes = |fen| aadu_puli.recurrence_free_plies(&aadu_puli.read_position(fen).unwrap().1);
    assert_eq!(goes("T/2TT2/6/6/G3 t 14"), 28);
    assert_eq!(goes("T/2TT2/GGGGGG/GGGGGG/GGG1 t 0"), 0);
}

/// Maximum number of leaves that the simple rules count too.
const MAX_SIMPLE_LEAVES: u64 = 6000;

#[test]
fn perft_of_every_board_matches_known_counts() {
    let mut covered = BTreeSet::new();
    let lines = include_str!("../perft/atlas.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let [name, at, leaves] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("a name, a position and numbers: {line}");
        };
        let board = board::named(name).unwrap();
        let game = Hunt::new(board);
        let fen = at.strip_prefix("fen ");
        let position = fen.map_or(game.start(), |fen| game.read_position(fen).unwrap().1);
        let rules = SimpleRules::of(board);
        let plain = rules.read(&position);
        assert_eq!(rules.shown(&plain), game.show_position(&position));
        for (leaves, depth) in leaves.split(' ').zip(1..) {
            let leaves = leaves.parse().unwrap();
            let counted = perft(&game, &position, depth, &mut Control::unlimited());
            assert_eq!(counted, Ok(leaves), "{name} {at} depth {depth}");
            if leaves <= MAX_SIMPLE_LEAVES {
                assert_eq!(
                    rules.leaves(&plain, depth),
                    leaves,
                    "{name} {at} depth {depth}"
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

/// Tests rules that no board of the atlas has, and mixtures of rules that some have.
#[test]
fn every_rule_of_board_files_is_followed() {
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
        "hunters 2 at c2\nhunters-drop alternate\nprey 5\nfirst-drops 2\nprey-zone a1 a2 a3\nprey-stuck pass\n",
    ];
    for rules in rules {
        let spec = BoardSpec::read(&format!("{board}{rules}")).unwrap();
        plays_by_the_book(Board::of(spec).unwrap(), 60);
    }
}

//! Records each step of a search as events.

use super::frame::{Frame, ParentLink, hash_path, side_of};
use super::{Recorder, bounds, to_value};
use crate::rules::{Game, Notation};
use crate::search::Evaluator;
use crate::search::observer::{ExitReason, OrderReason, PassPurpose, SearchObserver, SeenEntry};
use crate::search::root::RootMove;
use crate::settings::Algorithm;
use crate::trace::{EnterPurpose, Event, Found, NodeKind, PassReason};
use crate::value::{Bound, Score, Side, Window};

impl<G: Game + Notation, E: Evaluator<G>> SearchObserver<G::Move> for Recorder<'_, G, E> {
    // Inlining into every search and game would make the WebAssembly engine a tenth larger.
    #[inline(never)]
    fn enter(&mut self, m: G::Move, window: Window) {
        let is_again =
            |frame: &Frame<G::Move>| frame.pending.is_some_and(|(pending, ..)| pending == m);
        if !self.frames.last().is_some_and(is_again) {
            self.hand_back();
        }
        let Some(parent) = self.frames.last_mut() else {
            return;
        };
        let parent_node = parent.node;
        let chance = parent.chances.iter().find(|(outcome, _)| *outcome == m);
        let probability = chance.map(|&(_, probability)| probability);
        let mut sources = parent.sources;
        if window.alpha != parent.window.alpha {
            sources[0] = None;
        }
        if window.beta != parent.window.beta {
            sources[1] = None;
        }
        let path = hash_path(parent.path, m.into());
        let searched = parent.pending.filter(|&(pending, ..)| pending == m);
        let has_null_windows = matches!(
            self.algorithm,
            Algorithm::Scout | Algorithm::Mtdf | Algorithm::Pvs
        );
        let purpose = if searched.is_some() {
            EnterPurpose::Again
        } else if has_null_windows && window.is_null() {
            EnterPurpose::Null
        } else {
            EnterPurpose::Full
        };
        let before = *self.path.position();
        self.path.push(self.game, self.game.play(&before, m));
        let mut frame = self.frame(window);
        let parent = ParentLink {
            node: parent_node,
            before,
            m,
            probability,
        };
        frame.node = self.place(frame.kind, Some(parent));
        (frame.m, frame.path, frame.sources) = (Some(m), path, sources);
        self.counter.now.nodes += 1;
        if let Some((_, node, value)) = searched {
            self.counter.now.again += 1;
            let proved = match side_of(
                self.frames
                    .last()
                    .map_or(NodeKind::Max, |parent| parent.kind),
            ) {
                Side::P1 => Bound::Lower,
                Side::P2 => Bound::Upper,
            };
            self.emit(&Event::Again {
                node,
                window,
                because: (proved, value),
            });
        }
        self.push(frame, purpose);
    }

    #[inline(never)]
    fn leave(&mut self, score: Score, reason: ExitReason) {
        self.hand_back();
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let node = frame.node;
        let m = frame.m;
        self.close(frame, score, reason);
        if let Some(m) = m {
            self.path.pop();
            if let Some(parent) = self.frames.last_mut() {
                parent.pending = Some((m, node, score));
            }
        }
    }

    #[inline(never)]
    fn begin_pass(
        &mut self,
        depth: u32,
        purpose: PassPurpose,
        window: Window,
        moves: &[RootMove<G::Move>],
    ) {
        if self.depth != Some(depth) {
            self.begin_iteration(depth);
            self.chosen = moves.first().map(|first| first.m);
        }
        self.purpose = purpose;
        self.pass += 1;
        let why = match purpose {
            PassPurpose::Whole => None,
            PassPurpose::Bound => Some((window.beta, PassReason::CloseIn)),
            PassPurpose::TieBreak => Some((window.beta, PassReason::FirstOfEquals)),
        };
        if let Some((test, why)) = why {
            self.emit(&Event::Pass {
                number: self.pass,
                test: test.into(),
                interval: bounds(self.interval),
                why,
            });
        }
        self.enter_root(window, moves);
    }

    #[inline(never)]
    fn end_pass(&mut self, score: Score, reason: ExitReason) {
        self.hand_back();
        if self.purpose == PassPurpose::Bound
            && let Some(root) = self.frames.last()
        {
            if root.window.is_empty() {
                self.chosen = root.best.map(|(m, _)| m);
            }
            let value = to_value(score);
            match root.entered.bound(value) {
                Bound::Lower => self.interval.alpha = value,
                _ => self.interval.beta = value,
            }
        }
        self.leave(score, reason);
    }

    #[inline(never)]
    fn order(&mut self, moves: &[G::Move], reasons: &[OrderReason]) {
        let is_open = self.is_open();
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        frame.moves = moves.to_vec();
        let node = frame.node;
        if is_open {
            let reasons = match reasons {
                [] => vec![OrderReason::Notation; moves.len()],
                _ => reasons.to_vec(),
            };
            let moves = moves.iter().map(|&m| self.show_move(m)).collect();
            self.emit(&Event::Order {
                node,
                moves,
                reasons,
            });
        }
    }

    #[inline(never)]
    fn look_up(&mut self, key: u64, entry: Option<SeenEntry<G::Move>>, answers: bool) {
        self.counter.now.hits += u64::from(answers);
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let node = frame.node;
        frame.remembered = entry.filter(|_| answers).map(|entry| entry.bound);
        if self.is_open() {
            let found = match entry {
                Some(_) if answers => Found::Answers,
                Some(entry) if entry.best.is_some() => Found::OrderOnly,
                _ => Found::Nothing,
            };
            let entry = entry.map(|entry| self.entry(entry));
            let first = entry.as_ref().and(self.writers.get(&key).copied());
            self.emit(&Event::Table {
                node,
                found,
                entry,
                first,
            });
        }
    }

    #[inline(never)]
    fn store(&mut self, key: u64, entry: SeenEntry<G::Move>, dropped: Option<u64>) {
        self.counter.store(key, dropped);
        if !self.is_open() {
            return;
        }
        let entry = self.entry(entry);
        if let Some(frame) = self.frames.last_mut() {
            self.writers.insert(key, frame.node);
            frame.store = Some(Event::Store {
                node: frame.node,
                entry,
                dropped,
            });
        }
    }
}

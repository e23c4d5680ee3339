//! The lines of the command `d`: the board, then facts about the position for scripts.

use crate::rules::Notation;

/// Returns the board with its coordinates, the FEN, the side to move (`side`), the key, and the `legal` moves.
pub(super) fn lines<N: Notation>(
    game: &N,
    position: &N::Position,
    side: &str,
    legal: &[N::Move],
) -> Vec<String> {
    let moves = legal.iter().map(|&m| game.show_move_at(position, m));
    let moves: Vec<String> = moves.collect();
    let moves = if moves.is_empty() {
        "none".into()
    } else {
        moves.join(" ")
    };
    let drawing = game.draw(position);
    let mut lines: Vec<String> = drawing.lines().map(String::from).collect();
    lines.push(String::new());
    lines.push(format!("Fen: {}", game.show_position(position)));
    lines.push(format!("Side to move: {side}"));
    lines.push(format!("Key: {:016x}", game.key(position)));
    lines.push(format!("Legal moves: {moves}"));
    lines
}

#!/usr/bin/env python3
"""Check this dataset with the standard library of Python 3.10 or later, without Puli.

    python3 check.py [FOLDER]

1. Each file has the checksum in SHA256SUMS, and each file is listed.
2. The CSV files agree with the JSON files.
3. The value of each position follows from the values after its moves: a win in one ply more than the shortest win after
   a move, a loss in one ply more than the longest loss, otherwise a draw or a win by endless play.
4. A position that occurs in several records has the same value in all of them.
5. If all positions of a game are in the dataset, the game is solved again from its moves and its finished positions.

Exit status: 0 if everything agrees, 1 otherwise.
"""

import csv
import hashlib
import json
import sys
from pathlib import Path

OTHER = {"prey": "hunters", "hunters": "prey"}


def main() -> int:
    """Checks the dataset and returns the exit status."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
    try:
        check_sums(folder)
        games = [check_game(folder / "games" / name) for name in read_json(folder / "dataset.json")["games"]]
        check_csv(folder / "games.csv", [flat(game) for game in games])
        layers = [{"game": game["game"], **layer} for game in games for layer in game["layers"]]
        check_csv(folder / "layers.csv", layers)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, csv.Error) as error:
        print(f"check.py: {error or type(error).__name__}", file=sys.stderr)
        return 1
    print(f"{len(games)} games: everything agrees")
    return 0


def check_sums(folder: Path) -> None:
    """Compares all files with SHA256SUMS."""
    lines = (folder / "SHA256SUMS").read_text("utf-8").splitlines()
    listed = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} - {"SHA256SUMS"}
    if files != set(listed):
        raise ValueError(f"missing or not listed in SHA256SUMS: {sorted(files ^ set(listed))}")
    for name in sorted(files):
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != listed[name]:
            raise ValueError(f"{name} differs from its checksum")


def check_game(folder: Path) -> dict:
    """Checks the files of a game and returns its record."""
    game = read_json(folder / "game.json")
    lines = (folder / "positions.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    if len(records) != game["records"]:
        raise ValueError(f"{folder.name}: {len(records)} records instead of {game['records']}")
    rows = [{**without(record, "moves"), "legal_moves": len(record["moves"])} for record in records]
    check_csv(folder / "positions.csv", rows)
    moves = [(record, move) for record in records for move in record["moves"]]
    rows = [{"game": game["game"], "number": record["number"], **move} for record, move in moves]
    check_csv(folder / "moves.csv", rows)
    for record in records:
        expected = follows(record["to_move"], [value(move) for move in record["moves"]])
        if expected != value(record) and not (expected is None and record["plies"] is None):
            raise ValueError(f"{where(game, record)}: value {value(record)} instead of {expected}")
    known = check_repeated(game, records)
    if records:
        check_start(game, records[0])
    whole = resolve(game, records, known)
    print(f"{game['game']}: {len(records)} positions, {len(rows)} moves" + (", solved again" if whole else ""))
    return game


def follows(side: str, after: list) -> tuple | None:
    """Returns the value of a position from the values after its moves, or `None` if it is a draw or endless."""
    wins = [plies for winner, plies in after if winner == side and plies is not None]
    losses = [plies for winner, plies in after if winner == OTHER[side] and plies is not None]
    if wins:
        return side, min(wins) + 1
    if after and len(losses) == len(after):
        return OTHER[side], max(losses) + 1
    return None


def check_repeated(game: dict, records: list) -> dict:
    """Returns the value of each position in the records, and checks that it is always the same."""
    known: dict = {}
    for record in records:
        pairs = [(move["after"], value(move)) for move in record["moves"]]
        for text, found in [(record["position"], value(record)), *pairs]:
            if known.setdefault(text, found) != found:
                raise ValueError(f"{where(game, record)}: position '{text}' has two values")
    endless = {winner for winner, plies in known.values() if plies is None}
    if len(endless) > 1:
        raise ValueError(f"{game['game']}: endless play has several results: {endless}")
    return known


def check_start(game: dict, start: dict) -> None:
    """Checks the value of the start and the first moves that keep it."""
    if value(start) != value(game):
        raise ValueError(f"{game['game']}: the start is {value(start)}, not {value(game)}")
    winner, plies = value(start)
    kept = (winner, None if plies is None else plies - 1)
    moves = [move["move"] for move in start["moves"] if value(move) == kept]
    if moves != game["first_moves"]:
        raise ValueError(f"{game['game']}: the first moves {moves} keep the value, not {game['first_moves']}")


def resolve(game: dict, records: list, known: dict) -> bool:
    """Solves the game again if the records contain all its positions. Returns `True` if they do."""
    moves = {record["position"]: record for record in records}
    finished = {text: found for text, found in known.items() if text not in moves}
    if not records or any(plies != 0 for _, plies in finished.values()):
        # A finished draw looks like an unfinished position without a record.
        return False
    before: dict = {}
    for text, record in moves.items():
        for move in record["moves"]:
            before.setdefault(move["after"], []).append(text)
    solved = dict(finished)
    last = list(solved)
    while last:
        # Every position that is decided in one ply more than the positions in `last`.
        found = {}
        for text in {text for after in last for text in before.get(after, [])} - set(solved):
            record = moves[text]
            decided = follows(record["to_move"], [solved.get(move["after"], (None, None)) for move in record["moves"]])
            if decided:
                found[text] = decided
        solved |= found
        last = list(found)
    for text, found in known.items():
        if solved.get(text, (found[0], None)) != found:
            raise ValueError(f"{game['game']}: position '{text}' is {solved.get(text)}, not {found}")
    return True


def value(record: dict) -> tuple:
    """Returns the winner and the plies to the win."""
    return record["winner"], record["plies"]


def where(game: dict, record: dict) -> str:
    """Returns the name of a record for an error."""
    return f"{game['game']}, record {record['number']}"


def without(record: dict, key: str) -> dict:
    """Returns a copy of a record without a key."""
    return {name: cell for name, cell in record.items() if name != key}


def flat(game: dict) -> dict:
    """Returns the record of a game as a row of games.csv."""
    row = without(game, "layers")
    row["first_moves"] = " ".join(game["first_moves"] or [])
    for key in ("sources", "differences"):
        row[key] = "; ".join(game[key])
    return row


def check_csv(path: Path, records: list) -> None:
    """Compares the rows of a CSV file with records."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if len(rows) != len(records):
        raise ValueError(f"{path.name}: {len(rows)} rows instead of {len(records)}")
    for number, (row, record) in enumerate(zip(rows, records), 2):
        expected = {key: "" if cell is None else str(cell) for key, cell in record.items()}
        if row != expected:
            keys = [key for key in expected if row.get(key) != expected[key]]
            raise ValueError(f"{path.parent.name}/{path.name}, line {number}: differs in {keys or 'its columns'}")


def read_json(path: Path) -> dict:
    """Reads a JSON object."""
    return json.loads(path.read_text("utf-8"))


if __name__ == "__main__":
    sys.exit(main())

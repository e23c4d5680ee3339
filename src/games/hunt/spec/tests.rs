//! Tests that parse the built-in board files, mutated copies of them, and invalid files.

use std::convert::Infallible;

use super::*;
use crate::games::hunt::interner::Interner;
use crate::games::hunt::{Board, Hunt, board};
use crate::rules::{Game, Rules};

/// Name, and numbers of points, edges and directed jumps of every built-in board, counted without the parser (0 jumps
/// if not counted).
const COUNTS: [(&str, usize, usize, usize); 58] = [
    ("sher-bakr", 7, 10, 10),
    ("bagha-guti", 25, 56, 80),
    ("bagh-batti", 25, 56, 80),
    ("bagh-guti", 25, 48, 68),
    ("sher-bakar", 25, 56, 80),
    ("asalto", 33, 72, 104),
    ("el-perro", 25, 56, 80),
    ("el-zorro", 33, 72, 104),
    ("kaooa-chain", 10, 15, 20),
    ("catch-the-hare-chain", 25, 56, 80),
    ("coyote-chain", 25, 48, 72),
    ("musinaykahwhanmetowaywin", 33, 72, 104),
    ("komikan", 38, 79, 116),
    ("komikan-free", 38, 79, 116),
    ("uxrijn-ever", 18, 33, 30),
    ("neg-tugal-tuux", 64, 125, 120),
    ("gioco-dell-orso", 21, 36, 0),
    ("gioco-dell-orso-17", 17, 28, 0),
    ("hund-efter-hare-thy", 21, 48, 60),
    ("hyvn-aetter-hare", 13, 28, 24),
    ("jeu-de-renard", 32, 49, 72),
    ("jeu-militaire", 11, 22, 20),
    ("ko-app-paw-na", 25, 40, 60),
    ("nuktagaq", 33, 69, 94),
    ("renard-et-la-poule", 33, 72, 104),
    ("wolf-und-schaaf", 32, 49, 72),
    ("yasasukari-musashi", 25, 56, 80),
    ("aadu-puli", 23, 38, 56),
    ("adugo", 31, 66, 96),
    ("bagh-chal", 25, 56, 80),
    ("bam-blang-beh-khla", 10, 12, 10),
    ("catch-the-hare", 25, 56, 80),
    ("coyote", 25, 48, 72),
    ("demala-diviyan-keliya", 23, 38, 56),
    ("el-cazador", 25, 56, 80),
    ("fox-and-geese-13", 33, 72, 104),
    ("fox-and-geese-15", 33, 72, 104),
    ("hare-and-hounds", 11, 22, 20),
    ("haretavl", 11, 22, 20),
    ("hat-diviyan-keliya", 10, 15, 18),
    ("hat-diviyan-keliya-large", 13, 20, 26),
    ("huli-mane-ata", 10, 15, 18),
    ("hund-efter-hare", 12, 25, 0),
    ("janes-soppi", 11, 18, 16),
    ("juroku-musashi", 33, 70, 96),
    ("kaooa", 10, 15, 20),
    ("kulaochal", 25, 56, 80),
    ("la-yagua", 31, 68, 96),
    ("ludus-coriovalli", 20, 25, 0),
    ("mysore-one-tiger", 6, 8, 6),
    ("mysore-three-tigers", 23, 38, 56),
    ("orissa-four-tigers", 25, 56, 80),
    ("orissa-one-tiger", 31, 66, 96),
    ("pulijudamu", 19, 30, 42),
    ("refskak", 33, 72, 104),
    ("sumi-naga", 25, 56, 80),
    ("wolf-and-sheep", 32, 49, 72),
    ("yaguarete-kora", 31, 66, 96),
];

#[test]
fn board_files_match_independent_counts() {
    assert_eq!(board::names().count(), COUNTS.len());
    for (name, points, edges, jumps) in COUNTS {
        let text = board::text_of(name).expect("a built-in board");
        let spec = BoardSpec::read(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(spec.name, name);
        let counts = (
            spec.points(),
            spec.edges().count(),
            2 * spec.triples().count(),
        );
        assert_eq!((name, counts.0, counts.1), (name, points, edges));
        if jumps > 0 {
            assert_eq!((name, counts.2), (name, jumps));
        }
    }
}

#[test]
fn mutated_files_parse_or_report_a_position() {
    let (mut rejected, mut played) = (0, 0);
    for name in board::names() {
        let text = board::text_of(name).expect("a built-in board");
        let lines: Vec<&str> = text.lines().collect();
        let original = BoardSpec::read(text).unwrap();
        for index in 0..lines.len() {
            let mut without = lines.clone();
            without.remove(index);
            let mut twice = lines.clone();
            twice.insert(index, lines[index]);
            let mut files = vec![without.join("\n"), twice.join("\n")];
            let words: Vec<&str> = lines[index].split(' ').collect();
            for place in 0..words.len() {
                // To save time, each word is replaced by only a third of the words below, a different third for each
                // word.
                for other in [
                    "",
                    "0",
                    "z9",
                    "a1",
                    "-1",
                    "1e99",
                    "NaN",
                    "all",
                    "\u{0}",
                    "99999999999999999999",
                ]
                .into_iter()
                .skip((index + place) % 3)
                .step_by(3)
                {
                    let mut words = words.clone();
                    words[place] = other;
                    let mut changed = lines.clone();
                    let line = words.join(" ");
                    changed[index] = &line;
                    files.push(changed.join("\n"));
                }
            }
            for file in files {
                let spec = BoardSpec::read(&file);
                if let Ok(spec) = &spec
                    && !spec.is_same_game(&original)
                {
                    played += usize::from(can_be_played(spec));
                }
                if let Err(errors) = spec {
                    rejected += 1;
                    assert!(!errors.to_string().contains('\0'), "{errors}");
                    assert!(errors.iter().count() > 0);
                    for error in errors.iter() {
                        assert!(error.line <= lines.len() + 1, "{error}");
                        let line = file.lines().nth(error.line.wrapping_sub(1));
                        let line = line.unwrap_or_default();
                        assert!(error.cause.offset <= line.len(), "{error}: {line}");
                        assert!(!error.cause.expected.is_empty());
                    }
                }
            }
        }
    }
    assert!(rejected > 5_000 && played > 200, "{rejected} {played}");
}

/// Plays up to four moves on the board of `spec`. Returns `false` if the spec is valid but has no board.
fn can_be_played(spec: &BoardSpec) -> bool {
    // `Hunt` requires a `'static` board.
    static BOARDS: Interner<Board> = Interner::new();
    let Ok(board) = Board::derive(spec.clone()) else {
        return false;
    };
    let Ok(board) = BOARDS.intern(board, |_, _| false, Ok::<_, Infallible>);
    let game = Hunt::new(board);
    let mut position = game.start();
    for _ in 0..4 {
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        assert_eq!(moves.is_empty(), game.outcome(&position).is_some());
        let Some(&m) = moves.first() else {
            break;
        };
        position = game.play(&position, m);
    }
    true
}

#[test]
fn errors_report_line_and_column() {
    let valid =
        "game g\nrow 1 0 1\nrow 0 0\nline a1 a2\nline a1 b1\nhunters 1 at a1\nprey 1 at b1\n";
    assert!(BoardSpec::read(valid).is_ok());
    for (from, to, expected) in [
        (
            "line a1 a2",
            "line a1 a3",
            "line 4, column 9: expected the name of a point, a1 to a2 in this row, found 'a3'",
        ),
        (
            "row 0 0",
            "row 1 0",
            "line 3, column 5: expected a smaller y than in the previous row, found '1'",
        ),
        (
            "line a1 b1",
            "line a1 a2 b1",
            "line 5, column 9: expected a1 and a2 adjacent on one line only, found 'a2'",
        ),
        (
            "line a1 a2",
            "line a1 a2 a1",
            "line 4, column 12: expected each point once on a line, found 'a1'",
        ),
        (
            "row 0 0\nline a1 a2\nline a1 b1\n",
            "row 0 0 1\nline a1 a2 b2\nline a1 b1 b2\n",
            "expected one leap between a1 and b2, but there are two, over a2 and b1: split one of the lines there",
        ),
        (
            "line a1 a2\nline a1 b1",
            "line b1 a1 a2\nline a2 b1",
            "expected no leap between a2 and b1, which are adjacent: split the line at a1",
        ),
        (
            "prey 1 at b1",
            "prey 1 at a1",
            "line 7, column 1: expected different start points of hunters and prey, but a1 is used by both",
        ),
        (
            "prey 1 at b1",
            "prey 3",
            "line 7, column 6: expected a number of pieces, 1 to 2, found '3'",
        ),
        (
            "line a1 b1\n",
            "",
            "expected every point on a line, but b1 is on none",
        ),
        (
            "game g",
            "gmae g",
            "line 1, column 1: expected one of game, about",
        ),
        (
            "game g",
            "game G",
            "line 1, column 6: expected a name of at most 40 lowercase letters",
        ),
        ("hunters 1 at a1\n", "", "expected a line with 'hunters'"),
        (
            "game g",
            "game g\ngame h",
            "line 2, column 1: expected 'game' only once, it is also on line 1",
        ),
        (
            "game g",
            "game g\nnames hens hens",
            "line 2, column 12: expected another name than the hunters have, found 'hens'",
        ),
        (
            "game g",
            "game g\nyear old",
            "line 2, column 6: expected a year, 1 to 9999, found 'old'",
        ),
        (
            "row 1 0 1",
            "row nan 0 1",
            "line 2, column 5: expected the y coordinate of the row, found 'nan'",
        ),
        (
            "row 1 0 1",
            "row 1 inf -1",
            "line 2, column 7: expected the x coordinate of a point, found 'inf'",
        ),
        (
            "prey 1 at b1",
            "prey 1 at b1\nleap chains",
            "line 8, column 6: expected single or chain, found 'chains'",
        ),
    ] {
        let errors = BoardSpec::read(&valid.replace(from, to)).expect_err(to);
        assert!(
            errors.to_string().starts_with(expected),
            "{errors}\n{expected}"
        );
        assert_eq!(errors.iter().count(), 1, "{errors}");
    }
}

/// Files with several errors: all errors must be reported, except consequences of other errors.
#[test]
fn all_independent_errors_are_reported() {
    let messages = |text: &str| {
        let errors = BoardSpec::read(text).unwrap_err();
        errors.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let places = |text: &str| {
        let messages = messages(text);
        let place = |error: &String| error.split(": ").next().unwrap_or_default().to_string();
        messages.iter().map(place).collect::<Vec<_>>()
    };
    let text = "game G\nrow 1 0 x 2\nrow 2 0 1\nline a1 a2 a9 a3 a2\nline b1 a7\nhunters 1 at a1 q1\nprey 0\ncaptures 3\nfirst us\n";
    assert_eq!(
        places(text),
        [
            "line 1, column 6",  // G
            "line 2, column 9",  // x
            "line 3, column 5",  // 2 below 1
            "line 4, column 12", // a9
            "line 4, column 18", // a2 twice
            "line 5, column 9",  // a7
            "line 6, column 17", // q1
            "line 7, column 6",  // 0 prey; the three captures are no second error
            "line 9, column 7",  // us
        ]
    );
    // After a misspelled keyword, errors in lines that depend on it are not reported.
    let valid =
        "game g\nrow 1 0 1\nrow 0 0\nline a1 a2\nline a1 b1\nhunters 1 at a1\nprey 1 at b1\n";
    assert_eq!(
        places(&valid.replace("row 0", "rwo 0")),
        ["line 3, column 1"]
    );
    assert_eq!(places(&valid.replace("prey", "pray")), ["line 7, column 1"]);
    assert_eq!(
        messages("about nothing\n"),
        ["game", "row", "line", "hunters", "prey"]
            .map(|keyword| format!("expected a line with '{keyword}'"))
    );
    // After a row without points, lines that contain points are skipped, and all other lines are still checked.
    for rows in [
        "row 1 0 1\nrow 0\n",
        "row 1\nrow 0 0\n",
        "row 1\n",
        "row 1\nrow 0\n",
    ] {
        let text = valid.replace("row 1 0 1\nrow 0 0\n", rows) + "captures 1\nleap over\n";
        let at_rows = rows.lines().zip(2..).filter(|(row, _)| row.len() == 5);
        let mut expected: Vec<String> = at_rows
            .map(|(_, line)| format!("line {line}, column 6"))
            .collect();
        expected.push(format!("line {}, column 6", text.lines().count()));
        assert_eq!(places(&text), expected, "{text}");
    }
    // A one-line message lists only the first errors.
    let many = "lnie a1 a2\n".repeat(9);
    let errors = BoardSpec::read(&many).unwrap_err();
    assert_eq!(errors.iter().count(), 9);
    assert!(errors.to_string().ends_with("; and 4 more errors"));
}

#[test]
fn stacks_and_turning_prey_are_checked() {
    let valid = "game g\nrow 1 0 1 2\nrow 0 0 1 2\nline a1 a2 a3\nline b1 b2 b3\nline a1 b1\nline a2 b2\nline a3 b3\n\
                 hunters 1 at a1\nprey 5 at b1*3 a2\n";
    let spec = BoardSpec::read(valid).unwrap();
    assert_eq!(spec.prey_stacks, [(3, 3)]);
    assert_eq!((spec.prey_on_board(), spec.stacks()), (4, 1 << 3));
    let error = |text: &str| BoardSpec::read(text).unwrap_err().to_string();
    for (rule, expected) in [
        (
            "prey 5 at b1*0",
            "line 10, column 11: expected a point and its number of pieces, 1 to 5, found 'b1*0'",
        ),
        (
            "prey 5 at b1*x",
            "line 10, column 11: expected a point and its number of pieces, 1 to 5, found 'b1*x'",
        ),
        (
            "prey 5 at c9*2",
            "line 10, column 11: expected the name of a point, a1 to b3, found 'c9'",
        ),
        (
            "prey 5 at b1*2 b1*2",
            "line 10, column 16: expected each point once, found 'b1*2'",
        ),
        (
            "prey 2 at b1*3",
            "line 10, column 6: expected at least 3, the number of pieces at the start points, found '2'",
        ),
    ] {
        assert_eq!(error(&with_rule_line(valid, rule)), expected);
    }
    let many = format!("{valid}prey-stacks a1 a2 a3 b2\n");
    assert_eq!(
        error(&many),
        "line 11, column 1: expected at most 4 points for several prey"
    );
    let hunters = valid.replace("hunters 1 at a1", "hunters 1 at a1*2");
    assert_eq!(
        error(&hunters),
        "line 9, column 14: expected the name of a point, a1 to a3 in this row, found 'a1*2'"
    );
    let turning = format!("{valid}prey-turn\n");
    let expected =
        "line 11, column 1: expected 'prey-steps' with a direction, which 'prey-turn' turns round";
    assert_eq!(error(&turning), expected);
    assert!(
        BoardSpec::read(&format!("{turning}prey-steps forward left\n"))
            .unwrap()
            .prey_turn
    );
}

/// Returns `text` with the line of the keyword of `rule` replaced.
fn with_rule_line(text: &str, rule: &str) -> String {
    let keyword = rule.split(' ').next();
    let lines = text.lines().map(|line| {
        if line.split(' ').next() == keyword {
            rule
        } else {
            line
        }
    });
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn sources_and_differences_are_read_in_order() {
    let text = crate::games::hunt::board::text_of("kaooa").unwrap();
    let text = format!("{text}source Another\ndiffers one  thing\ndiffers another # no more\n");
    let spec = BoardSpec::read(&text).unwrap();
    assert_eq!(spec.sources, ["Gupta 1924, p. 167", "Another"]);
    assert_eq!(spec.differences[1..], ["one  thing", "another"]);
    let plain = crate::games::hunt::board::named("kaooa").unwrap();
    assert!(spec.is_same_game(&plain.spec));
}

#[test]
fn built_in_games_name_their_sources() {
    let without = crate::games::hunt::board::ALL
        .iter()
        .filter(|board| board.spec.sources.is_empty());
    let names: Vec<&str> = without.map(|board| board.name.as_str()).collect();
    // Its rules are those of the user, and come from no book.
    assert_eq!(names, ["aadu-puli"]);
}

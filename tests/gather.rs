//! `puli gather`: positions for an evaluation, of any board whose lines can be read.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say so and fail"
)]

use std::process::{Command, Stdio};

fn gathered(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_puli"))
        .arg("gather")
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// The numbers of every position, after its lines have been told: the verdict, the goats in hand and captured, who is to move,
/// and what is on each line.
fn rows(told: &str) -> Vec<Vec<u32>> {
    let is_row = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
    let numbers = |line: &str| line.split(' ').map(|word| word.parse().unwrap()).collect();
    told.lines().filter(is_row).map(numbers).collect()
}

#[test]
fn positions_of_any_board_are_gathered_whether_it_is_solved_or_not() {
    for (arguments, goats) in [
        (&["kaooa", "--games", "30"][..], 7),
        (&["haretavl", "--games", "10"], 3),
        (&["sumi-naga", "--games", "4", "--outcomes"], 20),
    ] {
        let (status, told, complaint) = gathered(arguments);
        assert_eq!(status, Some(0), "{arguments:?}: {complaint}");
        assert_eq!(told.lines().next(), Some(&*format!("goats {goats}")));
        let lines = told.lines().filter(|line| line.starts_with("line "));
        assert!(lines.count() > 0, "{told}");
        let rows = rows(&told);
        assert!(rows.len() > 20, "{arguments:?}: {} positions", rows.len());
        for row in &rows {
            assert!(row[0] <= 2 && row[1] + row[2] <= goats && row[3] <= 1);
            assert_eq!(row.len(), rows[0].len());
        }
        // All of it follows from the seed.
        assert_eq!(gathered(arguments).1, told);
    }
    // All prey of Haretavl win, whatever happens.
    let (_, told, _) = gathered(&["haretavl", "--games", "10"]);
    assert!(rows(&told).iter().all(|row| row[0] == 2));
    let (_, told, _) = gathered(&["kaooa", "--games", "30"]);
    let has = |verdict| rows(&told).iter().any(|row| row[0] == verdict);
    assert!(has(0) && has(1) && has(2));
}

#[test]
fn what_cannot_be_gathered_is_refused_with_the_reason() {
    for (arguments, reason) in [
        (&["chess"][..], "chess"),
        (&["refskak"], "33 points"),
        (&["adugo"], "136 bits"),
        (&["sumi-naga"], "--outcomes takes"),
        (&["kaooa", "--tables", "nowhere"], "kaooa has no tables: "),
        (&["aadu-puli", "--tables", "nowhere"], "nowhere"),
    ] {
        let (status, told, complaint) = gathered(arguments);
        assert_eq!((status, &*told), (Some(1), ""), "{arguments:?}");
        assert!(complaint.contains(reason), "{arguments:?}: {complaint}");
    }
}

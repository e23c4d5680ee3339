//! Replaces one rule in the text of a board file.

/// Returns the text of a board file with the line of `keyword` set to `value`. Adds the line if it is missing.
///
/// A line for a number of pieces keeps at most `value` of its start points after `at`.
pub fn with_rule(text: &str, keyword: &str, value: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut is_found = false;
    for line in text.lines() {
        let code = line.split('#').next().unwrap_or_default();
        let mut words = code.split_whitespace();
        if words.next() != Some(keyword) {
            lines.push(line.into());
            continue;
        }
        is_found = true;
        let points: Vec<&str> = words.skip_while(|&word| word != "at").skip(1).collect();
        let pieces = value.parse().unwrap_or(points.len());
        let kept = &points[..pieces.min(points.len())];
        lines.push(if kept.is_empty() {
            format!("{keyword} {value}")
        } else {
            format!("{keyword} {value} at {}", kept.join(" "))
        });
    }
    if !is_found {
        lines.push(format!("{keyword} {value}"));
    }
    lines.push(String::new());
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_is_replaced_or_appended() {
        let text = "hunters 3 at a1 b2 b4 # three\nprey 15\n";
        assert_eq!(
            with_rule(text, "hunters", "2"),
            "hunters 2 at a1 b2\nprey 15\n"
        );
        assert_eq!(
            with_rule(text, "hunters", "4"),
            "hunters 4 at a1 b2 b4\nprey 15\n"
        );
        let more = with_rule(text, "captures", "none");
        assert_eq!(more, format!("{text}captures none\n"));
        assert_eq!(
            with_rule(&more, "captures", "all"),
            format!("{text}captures all\n")
        );
    }
}

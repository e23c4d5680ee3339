//! A board file with some of its rules changed, as if somebody had written a copy.

/// The text of a board file in which a keyword says something else. Who stood somewhere still does: of those who are named,
/// as many as there are to be, the first ones first.
pub fn with_rule(text: &str, keyword: &str, value: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut is_said = false;
    for line in text.lines() {
        let plain = line.split('#').next().unwrap_or_default();
        let mut words = plain.split_whitespace();
        if words.next() != Some(keyword) {
            lines.push(line.into());
            continue;
        }
        is_said = true;
        let points: Vec<&str> = words.skip_while(|&word| word != "at").skip(1).collect();
        let most = value.parse().unwrap_or(points.len());
        let kept = &points[..most.min(points.len())];
        lines.push(if kept.is_empty() {
            format!("{keyword} {value}")
        } else {
            format!("{keyword} {value} at {}", kept.join(" "))
        });
    }
    if !is_said {
        lines.push(format!("{keyword} {value}"));
    }
    lines.push(String::new());
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_changed_where_it_stands_or_added() {
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

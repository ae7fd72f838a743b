//! A draw for want of progress is seen coming, by who is ahead and by who is not.

use super::*;

/// Rule set, position without its counters, how many plies without progress it comes after, and the one ply that makes
/// progress: for the worse, but nothing else wins any more.
const LAST_CHANCES: [(&str, &str, u32, &str); 3] = [
    ("xiangqi", "4k4/4a4/3n5/9/9/9/9/9/R2R5/4K4 w - -", 119, "d1d7"),
    ("zuyi", "4k4/4a4/3n5/9/9/9/9/9/R2R5/4K4 w - -", 119, "d1d7"),
    ("chess", "8/8/4k3/3n4/8/8/8/R2R2K1 w - -", 99, "d1d5"),
];

/// The same, where to make no progress is what saves the game.
const SAVING: [(&str, &str, u32, &str); 3] = [
    ("xiangqi", "rr1k5/9/9/9/9/9/9/5p3/4A4/4K4 w - -", 117, "e1f2"),
    ("wangqi", "rr1+k5/9/9/9/9/9/9/5p3/4A4/4+K4 w -,- -", 117, "e1f2"),
    ("chess", "7k/8/8/8/7q/8/p7/K7 w - -", 99, "a1a2"),
];

fn choice<G: RuleSet + Thinks>(position: &str, idle: u32) -> (String, i32) {
    let game: G = rules("");
    let state = start(&game, &format!("{position} {idle} 100"));
    let (best, told) = think(&game, &state, &nodes(20_000));
    (best, told.last().expect("more than one ply").score)
}

#[test]
fn who_is_ahead_makes_progress_in_time() {
    for (id, position, idle, progress) in LAST_CHANCES {
        let (best, score) = for_rules!(id, choice(position, idle));
        assert!(best == progress && score > 100, "{id}: {best} {score}");
        let (best, _) = for_rules!(id, choice(position, 0));
        assert_ne!(best, progress, "{id}: there is time");
    }
}

#[test]
fn who_is_behind_waits_for_the_draw() {
    for (id, position, idle, progress) in SAVING {
        let (best, score) = for_rules!(id, choice(position, idle));
        assert!(best != progress && score == 0, "{id}: {best} {score}");
        let (best, score) = for_rules!(id, choice(position, 0));
        assert!(best == progress && score < -300, "{id}: {best} {score}");
    }
}

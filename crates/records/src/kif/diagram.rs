//! Positions as KIF draws them.
//!
//! ```text
//! 後手の持駒：飛　歩二
//!   ９ ８ ７ ６ ５ ４ ３ ２ １
//! +---------------------------+
//! |v香v桂v銀v金v玉v金v銀v桂v香|一
//! …
//! +---------------------------+
//! 先手の持駒：なし
//! 後手番
//! ```

use crate::RecordError;
use std::fmt::Write as _;

/// Pieces as diagrams draw them, with their SFEN; of several drawings the first is written.
const PIECES: [(&str, &str); 17] = [
    ("歩", "P"),
    ("香", "L"),
    ("桂", "N"),
    ("銀", "S"),
    ("金", "G"),
    ("角", "B"),
    ("飛", "R"),
    ("玉", "K"),
    ("王", "K"),
    ("と", "+P"),
    ("杏", "+L"),
    ("圭", "+N"),
    ("全", "+S"),
    ("馬", "+B"),
    ("龍", "+R"),
    ("竜", "+R"),
    ("步", "P"),
];
const NUMBERS: [&str; 19] = [
    "", "", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二", "十三", "十四", "十五",
    "十六", "十七", "十八",
];
const RANKS: [&str; 9] = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];
const RULE: &str = "+---------------------------+";

/// Draws a position given as SFEN.
pub(super) fn write(sfen: &str) -> String {
    let fields: Vec<&str> = sfen.split(' ').collect();
    let field = |n: usize| fields.get(n).copied().unwrap_or_default();
    let mut text = format!("後手の持駒：{}\n", hand(field(2), false));
    let _ = writeln!(text, "  ９ ８ ７ ６ ５ ４ ３ ２ １\n{RULE}");
    for (row, rank) in field(0).split('/').zip(RANKS) {
        text.push('|');
        let mut promoted = "";
        for c in row.chars() {
            match c.to_digit(10) {
                Some(gap) => text.push_str(&" ・".repeat(gap as usize)),
                None if c == '+' => promoted = "+",
                None => {
                    text.push(if c.is_ascii_uppercase() { ' ' } else { 'v' });
                    let letter = format!("{}{}", std::mem::take(&mut promoted), c.to_ascii_uppercase());
                    text.push_str(drawing(&letter));
                }
            }
        }
        let _ = writeln!(text, "|{rank}");
    }
    let _ = writeln!(text, "{RULE}\n先手の持駒：{}", hand(field(2), true));
    if field(1) == "w" {
        text.push_str("後手番\n");
    }
    text
}

fn drawing(letter: &str) -> &'static str {
    PIECES
        .iter()
        .find(|(_, sfen)| *sfen == letter)
        .map_or("", |(name, _)| name)
}

/// One side's hand as text.
fn hand(sfen: &str, sente: bool) -> String {
    let mut held = Vec::new();
    let mut count = 0;
    for c in sfen.chars() {
        match c.to_digit(10) {
            Some(digit) => count = 10 * count + digit as usize,
            None => {
                if c.is_ascii_alphabetic() && c.is_ascii_uppercase() == sente {
                    let letter = c.to_ascii_uppercase().to_string();
                    let number = NUMBERS.get(count).copied().unwrap_or_default();
                    held.push(format!("{}{number}", drawing(&letter)));
                }
                count = 0;
            }
        }
    }
    match held.is_empty() {
        true => "なし".to_owned(),
        false => held.join("　"),
    }
}

/// Reads the lines of a diagram as SFEN.
pub(super) fn read(lines: &[(usize, &str)]) -> Result<String, RecordError> {
    let mut rows = Vec::new();
    let mut hands = [String::new(), String::new()];
    let mut side = "b";
    let mut last = 0;
    for &(n, line) in lines {
        last = n;
        let wrong = |what: String| RecordError(format!("line {n}: {what}"));
        if let Some(row) = line.strip_prefix('|') {
            let row = row.split('|').next().unwrap_or_default();
            rows.push(read_row(row).ok_or_else(|| wrong(format!("{row:?} is no rank of a diagram")))?);
        } else if let Some((owner, held)) = line.split_once(['：', ':']) {
            let gote = owner.starts_with(['後', '上']);
            hands[usize::from(gote)] =
                read_hand(held, gote).ok_or_else(|| wrong(format!("{held:?} are no pieces in hand")))?;
        } else if line.starts_with(['後', '上']) {
            side = "w";
        }
    }
    if rows.len() != 9 {
        return Err(RecordError(format!(
            "line {last}: a diagram of {} ranks, not 9",
            rows.len()
        )));
    }
    let hands = match hands.concat() {
        none if none.is_empty() => "-".to_owned(),
        held => held,
    };
    Ok(format!(
        "{} {side} {hands} {}",
        rows.join("/"),
        1 + usize::from(side == "w")
    ))
}

fn read_row(row: &str) -> Option<String> {
    let mut sfen = String::new();
    let (mut gap, mut squares) = (0, 0);
    let mut chars = row.chars();
    while let Some(owner) = chars.next() {
        let drawn = chars.next()?.to_string();
        squares += 1;
        if matches!(drawn.as_str(), "・" | "　" | " ") {
            gap += 1;
            continue;
        }
        if gap > 0 {
            let _ = write!(sfen, "{gap}");
            gap = 0;
        }
        let (_, letter) = PIECES.iter().find(|(name, _)| *name == drawn)?;
        match owner {
            'v' | 'V' => sfen.push_str(&letter.to_lowercase()),
            ' ' | '^' => sfen.push_str(letter),
            _ => return None,
        }
    }
    if gap > 0 {
        let _ = write!(sfen, "{gap}");
    }
    (squares == 9).then_some(sfen)
}

fn read_hand(text: &str, gote: bool) -> Option<String> {
    let mut sfen = String::new();
    for held in text
        .split([' ', '　'])
        .filter(|held| !held.is_empty() && *held != "なし")
    {
        let (name, letter) = PIECES.iter().find(|(name, _)| held.starts_with(name))?;
        let count = match &held[name.len()..] {
            "" | "一" => 1,
            number => NUMBERS.iter().position(|n| *n == number)?,
        };
        if count > 1 {
            let _ = write!(sfen, "{count}");
        }
        sfen.push_str(&if gote {
            letter.to_lowercase()
        } else {
            (*letter).to_owned()
        });
    }
    Some(sfen)
}

//! A second generator that enumerates the definition of a ply literally, point by point and subset by subset. It
//! shares no code with the rule set, reads positions by itself and is in no hurry.

use std::collections::BTreeMap;

const ORDER: &str = "KRNCBAP";

/// A board of letters: upper case Red's, lower case Black's.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Board {
    points: Vec<Vec<char>>,
    red_moves: bool,
}

/// What makes two plies the same: from, to and the position after.
type Identity = (usize, usize, Vec<Vec<char>>);

/// `(from, to, A, B)`, the members as upper-case letters in member order.
#[derive(Clone, Debug)]
pub(crate) struct Ply {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) go: Vec<char>,
    pub(crate) back: Vec<char>,
}

fn file(point: usize) -> i32 {
    (point % 9) as i32
}

fn rank(point: usize) -> i32 {
    (point / 9) as i32
}

fn point(file: i32, rank: i32) -> usize {
    (rank * 9 + file) as usize
}

fn name(point: usize) -> String {
    format!("{}{}", (b'a' + (point % 9) as u8) as char, point / 9)
}

fn place(kind: char) -> usize {
    ORDER.find(kind).expect("a kind")
}

fn sorted(mut kinds: Vec<char>) -> Vec<char> {
    kinds.sort_by_key(|c| (c.is_lowercase(), place(c.to_ascii_uppercase())));
    kinds
}

/// Every choice out of `all`, nobody and everybody included, each once.
fn choices(all: &[char]) -> Vec<Vec<char>> {
    let mut list: Vec<Vec<char>> = (0..1 << all.len())
        .map(|mask: usize| {
            (0..all.len())
                .filter(|i| mask >> i & 1 == 1)
                .map(|i| all[i])
                .collect()
        })
        .map(sorted)
        .collect();
    list.sort();
    list.dedup();
    list
}

/// `all` without `some`, each taken out once.
fn without(all: &[char], some: &[char]) -> Vec<char> {
    let mut rest = all.to_vec();
    for c in some {
        let at = rest.iter().position(|r| r == c).expect("a member");
        rest.remove(at);
    }
    rest
}

impl Board {
    pub(crate) fn parse(fen: &str) -> Board {
        let mut fields = fen.split(' ');
        let mut points = vec![Vec::new(); 90];
        for (row, text) in fields.next().unwrap().split('/').enumerate() {
            let (mut f, mut inside) = (0, false);
            for c in text.chars() {
                let here = point(f, 9 - row as i32);
                match c {
                    '[' => inside = true,
                    ']' => inside = false,
                    '1'..='9' => f += c as i32 - '0' as i32 - 1,
                    _ => points[here].push(c),
                }
                if !inside {
                    f += 1;
                }
            }
            assert_eq!(f, 9, "{fen}");
        }
        Board {
            points,
            red_moves: fields.next() == Some("w"),
        }
    }

    fn owner(&self, at: usize) -> Option<bool> {
        self.points[at].first().map(|c| c.is_uppercase())
    }

    fn kinds(&self, at: usize) -> Vec<char> {
        self.points[at].iter().map(|c| c.to_ascii_uppercase()).collect()
    }

    /// How many occupied points lie strictly between two points of one line.
    fn between(&self, a: usize, b: usize) -> usize {
        let (df, dr) = ((file(b) - file(a)).signum(), (rank(b) - rank(a)).signum());
        let (mut f, mut r, mut count) = (file(a) + df, rank(a) + dr, 0);
        while point(f, r) != b {
            count += usize::from(!self.points[point(f, r)].is_empty());
            f += df;
            r += dr;
        }
        count
    }

    /// Whether a lone piece of that kind and side could go there as in ordinary xiangqi, were the target as it is.
    fn reaches(&self, kind: char, red: bool, from: usize, to: usize) -> bool {
        let (df, dr) = (file(to) - file(from), rank(to) - rank(from));
        let straight = (df == 0) != (dr == 0);
        let forward = if red { 1 } else { -1 };
        let crossed = if red { rank(from) >= 5 } else { rank(from) <= 4 };
        match kind {
            'K' => df.abs() + dr.abs() == 1 && may_stand('K', red, to),
            'A' => df.abs() == 1 && dr.abs() == 1 && may_stand('A', red, to),
            'B' => {
                let eye = || point(file(from) + df / 2, rank(from) + dr / 2);
                df.abs() == 2 && dr.abs() == 2 && may_stand('B', red, to) && self.points[eye()].is_empty()
            }
            'N' => {
                let leg = || match df.abs() {
                    2 => point(file(from) + df / 2, rank(from)),
                    _ => point(file(from), rank(from) + dr / 2),
                };
                df.abs() * dr.abs() == 2 && self.points[leg()].is_empty()
            }
            'R' => straight && self.between(from, to) == 0,
            'C' => {
                let slides = || self.between(from, to) == 0;
                let hops = || self.between(from, to) == 1;
                straight
                    && match self.owner(to) {
                        None => slides(),
                        Some(owner) if owner == red => slides() || hops(),
                        Some(_) => hops(),
                    }
            }
            'P' => (df == 0 && dr == forward) || (crossed && dr == 0 && df.abs() == 1),
            _ => unreachable!("no kind"),
        }
    }

    /// Rules 1 to 3 for `(from, to, A, B)`; the position after it if they hold.
    fn move_by_definition(
        &self,
        red: bool,
        from: usize,
        to: usize,
        go: &[char],
        back: &[char],
    ) -> Option<Board> {
        let reach = go.iter().any(|&k| self.reaches(k, red, from, to));
        let standing =
            go.iter().all(|&k| may_stand(k, red, to)) && back.iter().all(|&k| may_stand(k, red, from));
        let own = self.owner(to) == Some(red);
        let mut left = without(&self.kinds(from), go);
        left.extend(back);
        let mut there = if own {
            without(&self.kinds(to), back)
        } else {
            Vec::new()
        };
        there.extend(go);
        if !reach || !standing || left.len() > 4 || there.len() > 4 {
            return None;
        }
        let colour = |kinds: Vec<char>| -> Vec<char> {
            let cased = kinds
                .iter()
                .map(|c| if red { *c } else { c.to_ascii_lowercase() });
            sorted(cased.collect())
        };
        let mut after = self.clone();
        after.points[from] = colour(left);
        after.points[to] = colour(there);
        after.red_moves = !red;
        Some(after)
    }

    /// Whether the king of `red` could be captured with the stack it stands in, or faces the other king.
    pub(crate) fn in_danger(&self, red: bool) -> bool {
        let at = |king: char| (0..90).find(|&p| self.points[p].contains(&king)).expect("a king");
        let (mine, other) = if red {
            (at('K'), at('k'))
        } else {
            (at('k'), at('K'))
        };
        let faces = file(mine) == file(other) && self.between(mine, other) == 0;
        faces
            || (0..90).filter(|&p| self.owner(p) == Some(!red)).any(|p| {
                choices(&self.kinds(p))
                    .iter()
                    .any(|go| self.move_by_definition(!red, p, mine, go, &[]).is_some())
            })
    }

    pub(crate) fn in_check(&self) -> bool {
        self.in_danger(self.red_moves)
    }

    /// Every `(A, B)` form of every legal ply, by identity: from, to and the position after.
    pub(crate) fn all_forms(&self) -> Vec<Vec<Ply>> {
        let red = self.red_moves;
        let mut found: BTreeMap<Identity, Vec<Ply>> = BTreeMap::new();
        for from in (0..90).filter(|&p| self.owner(p) == Some(red)) {
            let goers: Vec<_> = choices(&self.kinds(from))
                .into_iter()
                .filter(|a| !a.is_empty())
                .collect();
            for to in (0..90).filter(|&to| to != from) {
                let own = self.owner(to) == Some(red);
                let backs = if own {
                    choices(&self.kinds(to))
                } else {
                    vec![Vec::new()]
                };
                for go in &goers {
                    for back in &backs {
                        let Some(after) = self.move_by_definition(red, from, to, go, back) else {
                            continue;
                        };
                        if after.points == self.points || after.in_danger(red) {
                            continue;
                        }
                        found.entry((from, to, after.points)).or_default().push(Ply {
                            from,
                            to,
                            go: go.clone(),
                            back: back.clone(),
                        });
                    }
                }
            }
        }
        found.into_values().collect()
    }

    /// The text with all of `go` and `back` spelled out.
    pub(crate) fn full_text(ply: &Ply) -> String {
        let members = |list: &[char]| list.iter().collect::<String>();
        let back = match ply.back.is_empty() {
            true => String::new(),
            false => format!("/{}", members(&ply.back)),
        };
        format!("{}{}:{}{back}", name(ply.from), name(ply.to), members(&ply.go))
    }

    /// The canonical text among the forms of one ply.
    pub(crate) fn canonical(&self, forms: &[Ply]) -> String {
        let places = |list: &[char]| list.iter().map(|&c| place(c)).collect::<Vec<_>>();
        let best = forms
            .iter()
            .min_by_key(|p| (p.go.len(), p.back.len(), places(&p.go), places(&p.back)))
            .expect("a form");
        let full = Board::full_text(best);
        match best.go == sorted(self.kinds(best.from)) {
            true => full.replace(&format!(":{}", best.go.iter().collect::<String>()), ""),
            false => full,
        }
    }

    /// The legal plies as text, sorted by bytes.
    pub(crate) fn legal(&self) -> Vec<String> {
        let mut list: Vec<String> = self.all_forms().iter().map(|f| self.canonical(f)).collect();
        list.sort();
        list
    }
}

fn may_stand(kind: char, red: bool, at: usize) -> bool {
    // As Red sees it.
    let (f, r) = if red {
        (file(at), rank(at))
    } else {
        (8 - file(at), 9 - rank(at))
    };
    match kind {
        'K' => (3..=5).contains(&f) && r <= 2,
        'A' => [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)].contains(&(f, r)),
        'B' => [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)].contains(&(f, r)),
        'P' => r >= 5 || ((r == 3 || r == 4) && f % 2 == 0),
        _ => true,
    }
}

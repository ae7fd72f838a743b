//! The rule sets, one folder each.
//!
//! A new game is one folder here and one line in the list below.

mod repetition;
mod tapered;

/// Declares every rule set by folder and type, and `with_rule_sets!`, which hands the list to whoever builds on all
/// of them. `boards` can be the base of a mechanism (they are [`xinqi_kernel::Committable`]), `others` cannot.
macro_rules! rule_sets {
    (($d:tt) boards: [$($folder:ident::$game:ident,)*] others: [$($ofolder:ident::$ogame:ident,)*]) => {
        $(pub mod $folder;)*
        $(pub mod $ofolder;)*

        /// Calls `$then! { boards: [TYPE, …] others: [TYPE, …] }` with the type of every rule set.
        #[macro_export]
        macro_rules! with_rule_sets {
            ($d then:ident) => {
                $d then! { boards: [$($d crate::$folder::$game,)*] others: [$($d crate::$ofolder::$ogame,)*] }
            };
        }
    };
}

rule_sets! { ($)
    boards: [
        chess::Chess,
        qixi::Qixi,
        wangqi::Wangqi,
        go::Go,
        gomoku::Gomoku,
        xiangqi::Xiangqi,
        zuyi::Zuyi,
        shogi::Shogi,
    ]
    others: [
        mafia::Mafia,
    ]
}

//! Legal plies. Moves on the board come from the crate; drops are made here, because the crate tests only one square
//! for uchifuzume, none at all while it answers a check, and takes a promotion of what cannot promote for legal.

use haitaka::{
    BitBoard, Board, Color, Move, Piece, PieceMoves, PromotionStatus, Square, bishop_pseudo_attacks, drop_zone, get_between_rays,
    get_bishop_moves, get_lance_moves, get_rook_moves, gold_attacks, king_attacks, knight_attacks, must_prom_zone, pawn_attacks, prom_zone,
    silver_attacks,
};

/// The pieces that can be held in hand, in the order of SFEN.
pub(super) const HAND: [Piece; 7] = [
    Piece::Rook,
    Piece::Bishop,
    Piece::Gold,
    Piece::Silver,
    Piece::Knight,
    Piece::Lance,
    Piece::Pawn,
];

/// Hands the legal plies to `listener`, by piece, until it says true; whether it did.
pub(super) fn generate(board: &Board, mut listener: impl FnMut(PieceMoves) -> bool) -> bool {
    on_board(board, BitBoard::FULL, &mut listener) || drops(board, &mut listener)
}

/// The moves of pieces on `mask`. A diagram may leave a king to be taken; it never is.
fn on_board(board: &Board, mask: BitBoard, listener: &mut impl FnMut(PieceMoves) -> bool) -> bool {
    let kings = board.pieces(Piece::King);
    board.generate_board_moves_for(mask, |mut moves| {
        if let PieceMoves::BoardMoves { to, .. } = &mut moves {
            *to &= !kings;
        }
        !moves.is_empty() && listener(moves)
    })
}

/// Adds the legal plies to `out`.
pub(super) fn list(board: &Board, out: &mut Vec<Move>) {
    generate(board, |plies| {
        match plies {
            PieceMoves::Drops { piece, to, .. } => {
                out.extend(to.into_iter().map(|to| Move::Drop { piece, to }));
            }
            PieceMoves::BoardMoves { from, .. } => {
                let (promoting, plain) = ways(plies);
                let board_move = |promotion| move |to| Move::BoardMove { from, to, promotion };
                out.extend(promoting.into_iter().map(board_move(true)));
                out.extend(plain.into_iter().map(board_move(false)));
            }
        }
        false
    });
}

/// How many legal plies there are.
pub(super) fn count(board: &Board) -> u32 {
    let mut count = 0;
    generate(board, |plies| {
        let (promoting, plain) = ways(plies);
        count += promoting.len() + plain.len();
        false
    });
    count
}

/// Where the plies of a piece go promoting, and where they go as it is (all drops do).
fn ways(plies: PieceMoves) -> (BitBoard, BitBoard) {
    match plies {
        PieceMoves::Drops { to, .. } => (BitBoard::EMPTY, to),
        PieceMoves::BoardMoves {
            color,
            piece,
            from,
            to,
            prom_status,
        } => {
            let zone = prom_zone(color);
            match prom_status {
                PromotionStatus::CannotPromote => (BitBoard::EMPTY, to),
                PromotionStatus::MustPromote => (to, BitBoard::EMPTY),
                _ if !piece.is_promotable() => (BitBoard::EMPTY, to),
                _ if zone.has(from) => (to, to & !must_prom_zone(color, piece)),
                _ => (to & zone, to & !must_prom_zone(color, piece)),
            }
        }
    }
}

/// Whether there is any legal ply.
pub(super) fn any(board: &Board) -> bool {
    generate(board, |_| true)
}

/// Whether a ply is legal.
pub(super) fn is_legal(board: &Board, mv: Move) -> bool {
    match mv {
        Move::Drop { piece, .. } => {
            board.has_in_hand(board.side_to_move(), piece) && drops(board, &mut |drops| drops.has(mv))
        }
        Move::BoardMove { from, .. } => on_board(board, from.bitboard(), &mut |moves| moves.has(mv)),
    }
}

fn drops(board: &Board, listener: &mut impl FnMut(PieceMoves) -> bool) -> bool {
    let color = board.side_to_move();
    if board.is_hand_empty(color) {
        return false;
    }
    let checkers = board.checkers();
    let empty = !board.occupied();
    let targets = match checkers.len() {
        0 => empty,
        1 => checkers.into_iter().fold(empty, |targets, checker| {
            targets & get_between_rays(checker, board.king(color))
        }),
        _ => return false,
    };
    for piece in HAND {
        if !board.has_in_hand(color, piece) {
            continue;
        }
        let mut to = targets & drop_zone(color, piece);
        if piece == Piece::Pawn {
            to = pawn_drops(board, color, to);
        }
        if !to.is_empty() && listener(PieceMoves::Drops { color, piece, to }) {
            return true;
        }
    }
    false
}

/// Nifu and uchifuzume: no second pawn on a file, no mate by dropping one.
fn pawn_drops(board: &Board, color: Color, mut to: BitBoard) -> BitBoard {
    for pawn in board.colored_pieces(color, Piece::Pawn) {
        to &= !pawn.file().bitboard();
    }
    for king in board.colored_pieces(!color, Piece::King) {
        for front in pawn_attacks(!color, king) & to {
            if mates(board, front) {
                to = to.rm(front);
            }
        }
    }
    to
}

/// Whether a pawn dropped in front of the king mates: it cannot be answered by a drop, only on the board.
fn mates(board: &Board, front: Square) -> bool {
    let mut after = board.clone();
    after.play_unchecked(Move::Drop {
        piece: Piece::Pawn,
        to: front,
    });
    !after.generate_board_moves(|_| true)
}

/// The squares that a piece attacks.
pub(super) fn attacks(piece: Piece, color: Color, square: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => pawn_attacks(color, square),
        Piece::Lance => get_lance_moves(color, square, occupied),
        Piece::Knight => knight_attacks(color, square),
        Piece::Silver => silver_attacks(color, square),
        Piece::Bishop => get_bishop_moves(color, square, occupied),
        Piece::Rook => get_rook_moves(color, square, occupied),
        Piece::King => king_attacks(color, square),
        Piece::PBishop => get_bishop_moves(color, square, occupied) | king_attacks(color, square),
        Piece::PRook => get_rook_moves(color, square, occupied) | king_attacks(color, square),
        Piece::Gold | Piece::Tokin | Piece::PLance | Piece::PKnight | Piece::PSilver => gold_attacks(color, square),
    }
}

/// The pieces of `by` that attack a square: by a step, and by a slide.
pub(super) fn attackers(board: &Board, square: Square, by: Color) -> (BitBoard, BitBoard) {
    let them = board.colors(by);
    let near = !by;
    let pieces = |piece| board.pieces(piece);
    let horses = pieces(Piece::PBishop);
    let dragons = pieces(Piece::PRook);
    let steps = pawn_attacks(near, square) & pieces(Piece::Pawn)
        | knight_attacks(near, square) & pieces(Piece::Knight)
        | silver_attacks(near, square) & pieces(Piece::Silver)
        | gold_attacks(near, square) & (board.pseudo_tokins())
        | king_attacks(near, square)
            & (pieces(Piece::King)
                | horses & !bishop_pseudo_attacks(square)
                | dragons & bishop_pseudo_attacks(square));
    let occupied = board.occupied();
    let slides = get_lance_moves(near, square, occupied) & pieces(Piece::Lance)
        | get_bishop_moves(near, square, occupied) & (pieces(Piece::Bishop) | horses)
        | get_rook_moves(near, square, occupied) & (pieces(Piece::Rook) | dragons);
    (steps & them, slides & them)
}

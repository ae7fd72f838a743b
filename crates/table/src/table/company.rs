//! A table of many seats: what its host orders, who speaks to whom, who may take over.

use super::{Reader, Table};
use crate::entry::{Host, Player};
use crate::room::{Order, Room, said};
use serde_json::json;
use xinqi_kernel::{Code, Pace, Reject, Seat, SeatSet, Viewer, Voice};
use xinqi_registry::Told;

/// The shortest absence of a host after which another seat may take over.
const LEAST_PATIENCE: u64 = 120_000;

impl Table {
    /// Whether all seats have been taken: before that no clock runs, and at a table of many no card is dealt.
    #[must_use]
    pub fn begun(&self) -> bool {
        match &self.room {
            Some(room) => room.begun,
            None => self.players.iter().all(Option::is_some),
        }
    }

    /// Who keeps order, at a table of many seats.
    #[must_use]
    pub fn host(&self) -> Option<&Host> {
        self.room.as_ref().map(|room| &room.host)
    }

    /// How long a host may be away before another seat may take over: a phase, and at least two minutes.
    #[must_use]
    pub fn patience(&self) -> u64 {
        match self.play.pace() {
            Pace::Phase(seconds) => (u64::from(seconds) * 1000).max(LEAST_PATIENCE),
            _ => LEAST_PATIENCE,
        }
    }

    /// The time that was left when the host paused the game.
    #[must_use]
    pub fn paused(&self) -> Option<u64> {
        let at = self.room.as_ref()?.paused_at?;
        Some(self.closes_at().map_or(0, |closes| closes.saturating_sub(at)))
    }

    /// The seats that the host has muted.
    #[must_use]
    pub fn muted(&self) -> SeatSet {
        self.room.as_ref().map_or(SeatSet::EMPTY, |room| room.muted)
    }

    /// Whom the person's words would reach now; `None`: nobody.
    #[must_use]
    pub fn voice(&self, id: &str) -> Option<Voice> {
        let room = self.room.as_ref()?;
        room.voice(id, self.seat_and_voice(id), self.outcome().is_some())
            .ok()
    }

    /// Whether the person asked to hear the dead, and was let in.
    #[must_use]
    pub fn listening(&self, id: &str) -> Option<bool> {
        let room = self.room.as_ref()?;
        room.listeners.iter().find(|l| l.id == id).map(|l| l.admitted)
    }

    /// Those who ask to hear the dead, by the number that the host lets them in by.
    pub fn asking(&self) -> impl Iterator<Item = (usize, &str)> {
        let listeners = self
            .room
            .iter()
            .flat_map(|room| room.listeners.iter().enumerate());
        listeners
            .filter(|(_, l)| !l.admitted)
            .map(|(n, l)| (n, l.name.as_str()))
    }

    /// Whether the word is one of the host's, at this table.
    #[must_use]
    pub fn is_host_word(&self, word: &str) -> bool {
        self.room.is_some() && Order::begins(word)
    }

    pub(super) fn goes_on(&self) -> Result<(), Reject> {
        match &self.room {
            Some(room) if self.outcome().is_none() => room.goes_on(),
            _ => Ok(()),
        }
    }

    fn seat_of(&self, id: &str) -> Option<Seat> {
        let sits = |p: &Option<Player>| matches!(p, Some(Player::Human { id: who, .. }) if who == id);
        (0..)
            .map(Seat)
            .zip(&self.players)
            .find(|(_, p)| sits(p))
            .map(|(seat, _)| seat)
    }

    fn seat_and_voice(&self, id: &str) -> Option<(Seat, Option<Voice>)> {
        self.seat_of(id).map(|seat| (seat, self.play.voice(seat)))
    }

    fn the_room(&mut self) -> Result<&mut Room, Reject> {
        self.room
            .as_mut()
            .ok_or_else(|| Reject::not_available("this table has no host"))
    }

    /// Takes note of a person who came to a game that goes on, and of the beginning.
    pub(super) fn note_joined(&mut self, seat: Seat, at: u64) {
        let name = self.rules().seat_name(seat);
        if let Some(room) = &mut self.room {
            let was_on = room.begun;
            room.muted.remove(seat);
            room.seated(&self.players);
            if was_on {
                self.remark(at, Voice::Open, json!({"kind": "joined", "seat": name}));
            }
        }
    }

    pub(super) fn ordered(&mut self, by: &str, text: &str, at: u64) -> Result<Vec<Told>, Reject> {
        let rules = self.rules();
        let room = self.the_room()?;
        if room.host.id != by {
            return Err(Reject::not_available("only the host orders that"));
        }
        let order = Order::parse(&*rules, text)?;
        if self.outcome().is_some() {
            return Err(Reject::new(Code::GameOver, "the game is over"));
        }
        self.obey(order, at)?;
        let room = self.the_room()?;
        let listener = match order {
            Order::Admit(n) => room.listeners.get(n),
            _ => None,
        };
        let told = order.told(|seat| rules.seat_name(seat), listener);
        self.remark(at, Voice::Open, told);
        self.wind(at);
        Ok(Vec::new())
    }

    /// Does what the host orders, if it can be done.
    fn obey(&mut self, order: Order, at: u64) -> Result<(), Reject> {
        let refused = |why: &str| Err(Reject::not_available(why));
        let closes = self.closes_at();
        let Some(room) = &mut self.room else {
            return refused("this table has no host");
        };
        match order {
            Order::Fill(level) => {
                if self.players.iter().all(Option::is_some) {
                    return refused("no seat is free");
                }
                for place in self.players.iter_mut().filter(|p| p.is_none()) {
                    *place = Some(Player::bot(level));
                }
                room.seated(&self.players);
            }
            Order::Replace(seat, level) => {
                let bot = Player::bot(level);
                if self.players[seat.index()].as_ref() == Some(&bot) {
                    return refused("such a bot sits there");
                }
                self.players[seat.index()] = Some(bot);
                room.muted.remove(seat);
                room.seated(&self.players);
            }
            Order::Free(seat) | Order::Remove(seat) => {
                let place = &mut self.players[seat.index()];
                match (order, &place) {
                    (_, None) => return refused("the seat is free"),
                    (Order::Remove(_), Some(Player::Bot { .. })) => return refused("a bot sits there"),
                    (Order::Remove(_), Some(Player::Human { id, .. })) if *id == room.host.id => {
                        return refused("a host frees the own seat");
                    }
                    (Order::Remove(_), Some(Player::Human { id, .. })) => room.bar(id),
                    _ => {}
                }
                *place = None;
                room.muted.remove(seat);
            }
            Order::Pause => {
                room.goes_on()?;
                room.paused_at = Some(at);
            }
            Order::Resume => {
                let Some(since) = room.paused_at.take() else {
                    return refused("the game is not paused");
                };
                self.aside_since = self.aside_since.map(|s| s + at.saturating_sub(since));
            }
            Order::Extend(_) if closes.is_none() => return refused("nothing is awaited"),
            Order::Extend(seconds) => self.aside_since = self.aside_since.map(|s| s + seconds * 1000),
            Order::Hand(seat) => match &self.players[seat.index()] {
                Some(Player::Human { id, .. }) if *id == room.host.id => return refused("you are the host"),
                Some(Player::Human { id, name }) => {
                    room.host = Host {
                        id: id.clone(),
                        name: name.clone(),
                    };
                }
                _ => return refused("nobody sits there who could be host"),
            },
            Order::Mute(seat) => match &self.players[seat.index()] {
                Some(Player::Human { .. }) if !room.muted.contains(seat) => room.muted.insert(seat),
                Some(Player::Human { .. }) => return refused("the seat is muted"),
                _ => return refused("nobody sits there who could speak"),
            },
            Order::Unmute(seat) if !room.muted.contains(seat) => return refused("the seat is not muted"),
            Order::Unmute(seat) => room.muted.remove(seat),
            Order::Admit(n) => match room.listeners.get_mut(n) {
                Some(listener) if !listener.admitted => listener.admitted = true,
                _ => return refused("nobody asks under this number"),
            },
        }
        Ok(())
    }

    pub(super) fn taken_over(&mut self, by: &str, at: u64) -> Result<Vec<Told>, Reject> {
        let seat = self.seat_of(by);
        let player = seat.and_then(|seat| self.players[seat.index()].clone());
        let (Some(seat), Some(Player::Human { id, name })) = (seat, player) else {
            return Err(Reject::not_available("only who sits at the table takes over"));
        };
        let seat = self.rules().seat_name(seat);
        let room = self.the_room()?;
        if room.host.id == by {
            return Err(Reject::not_available("you are the host"));
        }
        room.host = Host { id, name };
        let event = json!({"kind": "hosted", "order": "take-over", "seat": seat});
        self.remark(at, Voice::Open, event);
        Ok(Vec::new())
    }

    pub(super) fn spoken(&mut self, by: &str, name: &str, text: &str, at: u64) -> Result<Vec<Told>, Reject> {
        let text = said(text)?;
        let (seat, over) = (self.seat_and_voice(by), self.outcome().is_some());
        let number = seat.map(|(seat, _)| self.rules().seat_name(seat));
        let room = self.the_room()?;
        let voice = room.voice(by, seat, over)?;
        let event = json!({
            "kind": "spoke", "seat": number, "name": name, "text": text, "dead": voice == Voice::Dead,
        });
        self.remark(at, voice, event);
        Ok(Vec::new())
    }

    pub(super) fn asked(&mut self, by: &str, name: &str) -> Result<Vec<Told>, Reject> {
        if self.seat_of(by).is_some() {
            return Err(Reject::not_available("who plays hears the dead when dead"));
        }
        self.the_room()?.ask(by, name)?;
        Ok(Vec::new())
    }

    /// What the person may read.
    #[must_use]
    pub fn reader(&self, id: &str, viewer: Viewer) -> Reader {
        Reader {
            viewer,
            listens: self.room.as_ref().is_some_and(|room| room.listens(id)),
        }
    }
}

//! What self-play teaches the weights of an evaluation. What is learnt from it is not decided here.

use crate::judge::{Judge, WON, Watch};
use crate::{Limits, Memory, alpha_beta};
use rand::RngExt;
use xinqi_kernel::{Events, Game, Outcome, Redeal, Seat, Setup, Tunable, Weights, rng};

/// How a game tells of its weights and plays by others: its folder names it as [`crate::Thinks::TUNER`].
pub struct Tuner<G: Game> {
    /// Its own weights.
    pub weights: fn(&G) -> Vec<i32>,
    /// For each of them the name of its line.
    pub names: fn(&G) -> Vec<String>,
    /// Weights as the text in which they are kept.
    pub text: fn(&[i32]) -> String,
    /// What a game of it with itself teaches, all of it being decided by the weights and the plan.
    pub play: fn(&G, &[i32], &SelfPlay) -> Vec<Lesson>,
}

/// How a game for lessons is played.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlay {
    /// Positions that each decision may look at.
    pub nodes: u64,
    /// Random plies that begin it.
    pub opening: u32,
    /// All chance in it.
    pub seed: u64,
}

/// A quiet position of a game, as the weights see it, from the side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Lesson {
    /// Its value in hundredths of a pawn.
    pub value: f32,
    /// By how much each weight more would change that, where it would: the weight's number and the slope.
    pub slopes: Vec<(u16, f32)>,
    /// What search thought it was worth.
    pub searched: f32,
    /// How the game ended: 1 for a win, ½ for a draw.
    pub points: f32,
}

impl<G> Tuner<G>
where
    G: Tunable + Judge + Redeal<Known = <G as Game>::State>,
{
    /// The tuner of a game with weights.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "a constant of each game")]
    pub const fn new() -> Tuner<G> {
        Tuner {
            weights: |game| game.weights().values(),
            names: |game| game.weights().names(),
            text: |values| G::Weights::from_values(values).text(),
            play: |game, values, plan| play(&game.with_weights(G::Weights::from_values(values)), plan),
        }
    }
}

/// So far ahead, in hundredths of a pawn, a side wins.
const DECIDED: i32 = 2000;
/// For so many plies running both sides have to see it.
const AGREED: u32 = 4;
/// A game this long is drawn.
const LONGEST: u32 = 400;
/// By so much each weight is moved both ways to see its slope: enough for whole numbers to show it.
const NUDGE: i32 = 4;

/// A position to learn from.
struct Scene<P> {
    position: P,
    side: Seat,
    searched: i32,
}

fn play<G>(game: &G, plan: &SelfPlay) -> Vec<Lesson>
where
    G: Tunable + Judge + Redeal<Known = <G as Game>::State>,
{
    let mut chance = rng(plan.seed);
    let Ok(mut state) = game.start(&Setup {
        fen: None,
        seed: plan.seed,
    }) else {
        return Vec::new();
    };
    let memories = [Memory::new(1), Memory::new(1)];
    let (mut scenes, mut ahead, mut agreed) = (Vec::new(), Seat::FIRST, 0);
    let mut outcome = None;
    for ply in 0..LONGEST {
        outcome = game.outcome(&state);
        let Some(side) = game.turn(&state).seats().iter().next() else {
            break;
        };
        let action = if ply < plan.opening {
            game.sample(&state, side, &mut chance)
        } else {
            let mut score = None;
            let limits = Limits {
                nodes: plan.nodes,
                memory: Some(memories[side.index()].clone()),
                seed: chance.random(),
                ..Limits::default()
            };
            let action = alpha_beta(game, &state, &limits, &mut |info| score = Some(info.score));
            if let Some(score) = score {
                if score.abs() < DECIDED {
                    agreed = 0;
                    scenes.extend(scene(game, &state, side, score));
                } else {
                    let leader = if score > 0 { side } else { side.other() };
                    agreed = if leader == ahead { agreed + 1 } else { 1 };
                    ahead = leader;
                    if agreed >= AGREED {
                        break;
                    }
                }
            }
            action
        };
        let Some(action) = action else { break };
        game.apply(&mut state, side, &action, &mut Events::ignore());
    }
    let winner = match outcome {
        Some(Outcome::Win(winner, _)) => Some(winner),
        Some(_) => None,
        None => (agreed >= AGREED).then_some(ahead),
    };
    learn(game, &scenes, winner)
}

/// The position of `state`, unless exchanges or a threat decide what it is worth.
fn scene<G: Tunable + Judge>(
    game: &G,
    state: &G::State,
    side: Seat,
    searched: i32,
) -> Option<Scene<G::Position>> {
    let position = game.position(state);
    let still = game.evaluate(&position);
    let mut watch = Watch::new(&Limits::default());
    let quiet = !game.must_answer(&position) && game.value(state, 0, (-WON, WON), &mut watch) == still;
    quiet.then_some(Scene {
        position,
        side,
        searched,
    })
}

fn learn<G: Tunable>(game: &G, scenes: &[Scene<G::Position>], winner: Option<Seat>) -> Vec<Lesson> {
    let lesson = |scene: &Scene<G::Position>| Lesson {
        value: game.evaluate(&scene.position) as f32,
        slopes: Vec::new(),
        searched: scene.searched as f32,
        points: winner.map_or(0.5, |winner| f32::from(u8::from(winner == scene.side))),
    };
    let mut lessons: Vec<Lesson> = scenes.iter().map(lesson).collect();
    let mut values = game.weights().values();
    for weight in 0..values.len() {
        let here = values[weight];
        let [more, less] = [here + NUDGE, here - NUDGE].map(|value| {
            values[weight] = value;
            game.with_weights(G::Weights::from_values(&values))
        });
        values[weight] = here;
        for (scene, lesson) in scenes.iter().zip(&mut lessons) {
            let risen = more.evaluate(&scene.position);
            // Most weights have no say in most positions.
            if risen as f32 != lesson.value {
                let rise = risen - less.evaluate(&scene.position);
                lesson
                    .slopes
                    .push((weight as u16, rise as f32 / (2 * NUDGE) as f32));
            }
        }
    }
    lessons
}

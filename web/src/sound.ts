import { sound } from "./settings";

/** Short wooden sounds, made on the spot; never more than one at once. */
export type SoundName =
  | "ply"
  | "capture"
  | "combine"
  | "exchange"
  | "token"
  | "flip"
  | "check"
  | "sent"
  | "failure"
  | "low"
  | "end"
  | "dawn"
  | "dusk";

interface Knock {
  /** Seconds after the beginning. */
  at: number;
  /** Pitch in hertz, and where it falls to. */
  from: number;
  to: number;
  length: number;
  loud: number;
  /** Share of noise: 0 rings, 1 rustles. */
  noise?: number;
}

const tok = (at: number, pitch = 420, loud = 0.5): Knock => ({
  at,
  from: pitch,
  to: pitch * 0.55,
  length: 0.07,
  loud,
  noise: 0.35,
});

const SOUNDS: Record<SoundName, Knock[]> = {
  ply: [tok(0)],
  capture: [tok(0, 460, 0.55), tok(0.05, 250, 0.5)],
  combine: [tok(0), tok(0.07, 400, 0.25)],
  exchange: [tok(0, 360), tok(0.11, 520)],
  token: [
    { at: 0, from: 1900, to: 1850, length: 0.28, loud: 0.14 },
    { at: 0.03, from: 2860, to: 2800, length: 0.2, loud: 0.08 },
  ],
  flip: [{ at: 0, from: 900, to: 300, length: 0.16, loud: 0.3, noise: 1 }],
  check: [tok(0, 560, 0.5), tok(0.12, 560, 0.5)],
  sent: [tok(0, 700, 0.2), tok(0.08, 760, 0.2), tok(0.16, 820, 0.2)],
  failure: [tok(0, 260, 0.5), tok(0.13, 200, 0.5), tok(0.26, 150, 0.5)],
  low: [{ at: 0, from: 1200, to: 900, length: 0.025, loud: 0.15, noise: 0.5 }],
  dawn: [tok(0, 330, 0.3), tok(0.14, 440, 0.3)],
  dusk: [tok(0, 330, 0.3), tok(0.14, 220, 0.3)],
  end: [tok(0, 330), tok(0.16, 420), tok(0.32, 500, 0.6)],
};

let context: AudioContext | undefined;
let current: GainNode | undefined;

/** Plays a sound if sounds are on. Browsers stay silent until the page was touched. */
export function play(name: SoundName) {
  if (sound.value !== "on" || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  if (context.state === "suspended") {
    void context.resume();
    if (!navigator.userActivation?.hasBeenActive) return;
  }
  current?.disconnect();
  const out = context.createGain();
  out.connect(context.destination);
  current = out;
  for (const knock of SOUNDS[name]) strike(context, out, knock);
}

function strike(audio: AudioContext, out: GainNode, knock: Knock) {
  const start = audio.currentTime + knock.at;
  const end = start + knock.length;
  const envelope = (loud: number) => {
    const gain = audio.createGain();
    gain.gain.setValueAtTime(loud, start);
    gain.gain.exponentialRampToValueAtTime(0.001, end);
    gain.connect(out);
    return gain;
  };
  const noise = knock.noise ?? 0;
  if (noise < 1) {
    const tone = audio.createOscillator();
    tone.type = "triangle";
    tone.frequency.setValueAtTime(knock.from, start);
    tone.frequency.exponentialRampToValueAtTime(knock.to, end);
    tone.connect(envelope(knock.loud * (1 - noise)));
    tone.start(start);
    tone.stop(end);
  }
  if (noise > 0) {
    const samples = audio.createBuffer(1, Math.ceil(audio.sampleRate * knock.length), audio.sampleRate);
    const data = samples.getChannelData(0);
    for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
    const source = audio.createBufferSource();
    source.buffer = samples;
    const filter = audio.createBiquadFilter();
    filter.type = "bandpass";
    filter.frequency.setValueAtTime(knock.from * 3, start);
    source.connect(filter).connect(envelope(knock.loud * noise));
    source.start(start);
  }
}

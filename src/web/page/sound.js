// A knock for a move, off unless a person wants it.

import { page } from "./state.js";

/** @type {AudioContext | null} */
let context = null;
let heard = -1;

/** Sounds when another position is looked at. */
export function render() {
  const { current } = page.game;
  if (current.id === heard) return;
  const first = heard < 0;
  heard = current.id;
  if (!page.sound || first || current.ply === 0) return;
  context ??= new AudioContext();
  const [source, loudness] = [context.createOscillator(), context.createGain()];
  const now = context.currentTime;
  const captured = current.parent?.state?.moves.find((move) => move.move === current.move)?.captures?.length;
  source.frequency.setValueAtTime(captured ? 180 : 420, now);
  source.frequency.exponentialRampToValueAtTime(captured ? 70 : 160, now + 0.09);
  loudness.gain.setValueAtTime(0.2, now);
  loudness.gain.exponentialRampToValueAtTime(0.001, now + 0.12);
  source.connect(loudness).connect(context.destination);
  source.start(now);
  source.stop(now + 0.13);
}

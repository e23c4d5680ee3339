// The optional sound of a move.

import { game, preferences } from "./state.js";

/** @type {AudioContext | null} */
let context = null;
let lastNodeId = -1;

/** Plays a sound if another position is shown, a lower one for a capture. */
export function render() {
  const { current } = game.tree;
  if (current.id === lastNodeId) return;
  const isFirst = lastNodeId < 0;
  lastNodeId = current.id;
  if (!preferences.sound || isFirst || current.ply === 0) return;
  context ??= new AudioContext();
  const [source, volume] = [context.createOscillator(), context.createGain()];
  const now = context.currentTime;
  const isCapture = current.parent?.state?.moves.find((move) => move.move === current.move)?.captures?.length;
  source.frequency.setValueAtTime(isCapture ? 180 : 420, now);
  source.frequency.exponentialRampToValueAtTime(isCapture ? 70 : 160, now + 0.09);
  volume.gain.setValueAtTime(0.2, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.12);
  source.connect(volume).connect(context.destination);
  source.start(now);
  source.stop(now + 0.13);
}

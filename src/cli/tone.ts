import pc from 'picocolors';
import type { Outcome } from '../model.ts';

/** How something stands: well, for a person to decide, badly, at work, or of no concern. */
export type Tone = 'good' | 'waiting' | 'bad' | 'busy' | 'quiet';

/** Puts a text of ours, or one that is `printable` already, into the colour of its tone. */
export function paint(tone: Tone, text: string, color: boolean): string {
  const { green, yellow, red, cyan, dim } = pc.createColors(color);
  return { good: green, waiting: yellow, bad: red, busy: cyan, quiet: dim }[tone](text);
}

/** How a run stands by its outcome; null while it is open. */
export function toneOf(outcome: Outcome | null): Tone {
  return outcome === null ? 'busy' : TONES[outcome];
}

const TONES: Record<Outcome, Tone> = {
  live: 'good',
  partial: 'good',
  unchanged: 'good',
  nothing: 'quiet',
  held: 'waiting',
  rejected: 'bad',
  failed: 'bad',
};

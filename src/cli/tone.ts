import pc from 'picocolors';
import type { Tone } from '../jobs/standing/tone.ts';

/** Puts a text of ours, or one that is `printable` already, into the colour of its tone. */
export function paint(tone: Tone, text: string, color: boolean): string {
  const { green, yellow, red, cyan, dim } = pc.createColors(color);
  return { good: green, waiting: yellow, bad: red, busy: cyan, quiet: dim }[tone](text);
}

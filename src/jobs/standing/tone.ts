import type { IncidentSeverity } from '../../incidents.ts';
import type { Outcome } from '../../model.ts';

/** How something stands: well, for a person to decide, badly, at work, or of no concern. */
export type Tone = 'good' | 'waiting' | 'bad' | 'busy' | 'quiet';

/** A tone as one sign, for those who do not see its colour. */
export const TONE_MARKS: Record<Tone, string> = { good: '✓', waiting: '!', bad: '✗', busy: '…', quiet: '·' };

/** How an incident stands by its severity. Where most went well, nothing has to be decided. */
export const SEVERITY_TONES = { high: 'bad', medium: 'waiting', low: 'good' } as const satisfies Record<
  IncidentSeverity,
  Tone
>;

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

/** All outcomes of runs. */
export const OUTCOMES = Object.keys(TONES) as Outcome[];

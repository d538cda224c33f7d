import type { Estimate } from '../../model.ts';
import type { Language } from '../language/language.ts';

/** A share that a sample says, with its bounds where it has some: `93% (86%–97%)`; a dash where nothing is known. */
export function estimateText(known: Estimate | null, { percent }: Language): string {
  if (known === null) return '—';
  const { share, from, to } = known;
  return from === to ? percent(share) : `${percent(share)} (${percent(from)}–${percent(to)})`;
}

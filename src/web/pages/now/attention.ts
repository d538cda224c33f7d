import { needsSomebody } from '../../../jobs/standing/status.ts';
import type { StatusLine } from '../../../jobs/standing/status-line.ts';

/** What needs attention, in the order in which the first page counts it. */
const KINDS = ['system', 'login', 'failed', 'held', 'late', 'stopped', 'other'] as const;

/** A kind of what needs attention. `late`: a supplier does not deliver; `stopped`: people paused or froze a feed. */
export type AttentionKind = (typeof KINDS)[number];

/** How many lines need attention, by kind; kinds without any are left out. */
export function countAttention(lines: readonly StatusLine[]): { kind: AttentionKind; count: number }[] {
  const byKind = Map.groupBy(lines.filter(needsSomebody), kindOf);
  return KINDS.flatMap((kind) => {
    const count = byKind.get(kind)?.length ?? 0;
    return count === 0 ? [] : [{ kind, count }];
  });
}

function kindOf({ what, tone, action, about }: StatusLine): AttentionKind {
  if (what === 'work' || what === 'mail') return 'system';
  if (what === 'login') return 'login';
  if (about.incidentKind === 'missing-delivery' || about.incidentKind === 'expiry') return 'late';
  if (action === 'resume' || action === 'release') return 'stopped';
  if (about.incidentKind !== undefined) return 'other';
  if (action === 'approve') return 'held';
  return tone === 'bad' ? 'failed' : 'other';
}

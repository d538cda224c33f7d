import type { Context } from '../../context.ts';
import { serviceRecord, type ClosedUpload, type ServiceRecord } from '../../ledger/calls/service-record.ts';

/** What the service did in a month of UTC. */
export type ServiceMonth = {
  /** `2026-11`. */
  month: string;
  /** Uploads that were sent and ended in it, and their lines. */
  uploads: number;
  lines: number;
  /** Milliseconds to process 1,000 lines, and of how many uploads they are; null without one. */
  perThousand: { median: number | null; p95: number | null; uploads: number };
  stalls: number;
  failed: number;
  aborted: number;
  /** Calls with such a status, and those without a reply. */
  status4xx: number;
  status5xx: number;
  noReply: number;
};

/** The figures of the service; times in epoch milliseconds, the newest month first. */
export type ServiceFigures = { from: number; to: number; sandbox: boolean; months: ServiceMonth[] };

/** The figures since a time, epoch milliseconds; what was pruned is not in them. */
export async function serviceFigures(from: number, ctx: Context): Promise<ServiceFigures> {
  const record = await serviceRecord(ctx.ledger.db, from);
  return { from, to: ctx.clock.now(), sandbox: ctx.sandbox, months: byMonth(record) };
}

/** The figures as scripts read them. */
export function figuresAnswer({ from, to, ...figures }: ServiceFigures) {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), ...figures };
}

/**
 * Counts a record by month; months in which nothing was noted are left out.
 * @internal exported for tests
 */
export function byMonth({ uploads, stalls, failures }: ServiceRecord): ServiceMonth[] {
  const uploadsOf = Map.groupBy(uploads, ({ closed_at }) => monthOf(closed_at ?? 0));
  const stallsOf = Map.groupBy(stalls, monthOf);
  const failuresOf = Map.groupBy(failures, ({ at }) => monthOf(at));
  const months = new Set([...uploadsOf.keys(), ...stallsOf.keys(), ...failuresOf.keys()]);
  return [...months]
    .sort()
    .toReversed()
    .map((month) => {
      const closed = uploadsOf.get(month) ?? [];
      const failed = failuresOf.get(month) ?? [];
      const between = (from: number) => failed.filter(({ status }) => Math.floor((status ?? 0) / 100) === from).length;
      return {
        month,
        uploads: closed.length,
        lines: closed.reduce((sum, { lines_processed }) => sum + (lines_processed ?? 0), 0),
        perThousand: perThousand(closed),
        stalls: stallsOf.get(month)?.length ?? 0,
        failed: closed.filter(({ state }) => state === 'failed').length,
        aborted: closed.filter(({ state }) => state === 'aborted').length,
        status4xx: between(4),
        status5xx: between(5),
        noReply: failed.filter(({ status }) => status === null).length,
      };
    });
}

function perThousand(uploads: ClosedUpload[]): ServiceMonth['perThousand'] {
  const times = uploads.flatMap(({ state, adopted, closed_at, taken_at, lines_processed }) => {
    // When an adopted upload was taken is not known: its reply was lost.
    const isTimed = state === 'success' && adopted === 0 && closed_at !== null && taken_at !== null;
    return isTimed && lines_processed ? [((closed_at - taken_at) * 1000) / lines_processed] : [];
  });
  const rounded = (share: number) => {
    const ms = percentile(times, share);
    return ms === null ? null : Math.round(ms);
  };
  return { median: rounded(0.5), p95: rounded(0.95), uploads: times.length };
}

function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

/**
 * The least of some numbers that a share of them does not exceed (nearest rank); null of none. `share`: above 0, at most 1.
 * @internal exported for tests
 */
export function percentile(numbers: readonly number[], share: number): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? null;
}

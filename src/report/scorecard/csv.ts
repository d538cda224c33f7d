import { stringify } from 'csv-stringify/sync';
import type { Measure } from './measure.ts';
import type { ScorecardInput } from './input.ts';

const HEADER = [
  'rank',
  'supplier',
  'feed',
  'from',
  'to',
  'deliveries',
  'overall',
  'trend',
  'on time',
  'complete',
  'clean',
  'stable',
  'median hours to recovery',
  'problems solved',
  'problems open',
  'known to the search',
  'known at least',
  'known at most',
];

/**
 * The scorecard as CSV, a row for each supplier; shares from 0 to 1, times in UTC, nothing where nothing can be said. UTF-8 with BOM, CRLF; a
 * name that a spreadsheet would run as a formula gets an apostrophe in front.
 */
export function scorecardCsv({ from, to, scores }: Pick<ScorecardInput, 'from' | 'to' | 'scores'>): string {
  const rows = scores.map(({ feed, name, deliveries, measures, recovery, known, overall, trend, rank }) => [
    rank,
    name,
    feed,
    new Date(from).toISOString(),
    new Date(to).toISOString(),
    deliveries,
    rounded(overall),
    rounded(trend),
    ...[measures.onTime, measures.complete, measures.clean, measures.stable].map(({ share }: Measure) =>
      rounded(share),
    ),
    recovery.median === null ? null : Math.round(recovery.median / 360_000) / 10,
    recovery.solved,
    recovery.open,
    ...[known?.share, known?.from, known?.to].map((share) => rounded(share ?? null)),
  ]);
  const options = { record_delimiter: 'windows', escape_formulas: true, quoted_match: /[\r\n]/ } as const;
  return `\uFEFF${stringify([HEADER, ...rows], options)}`;
}

function rounded(share: number | null): number | null {
  return share === null ? null : Math.round(share * 10_000) / 10_000;
}

import { wordsOf } from './causes.ts';
import { placeWords } from './files/place.ts';
import type { LocalCounts, MergedTags, RowCounts, RunAnswer } from '../model.ts';

/** A whole number as people read it: `1,250`. Not by `Intl`, whose tables take longer to load than most commands run. */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A count with its noun: `1 row`, `1,250 rows`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** A share as people read it: `12.5%`. */
export function percent(fraction: number): string {
  return `${Math.round(fraction * 1000) / 10}%`;
}

const SPANS = [
  { ms: 86_400_000, unit: 'd', from: 2 },
  { ms: 3_600_000, unit: 'h', from: 1 },
  { ms: 60_000, unit: 'min', from: 1 },
] as const;

/** How long something takes, in the largest unit that says enough: `26 h`, `14 d`, `45 s`. */
export function span(ms: number): string {
  const fitting = SPANS.find(({ ms: one, from }) => ms >= from * one) ?? { ms: 1000, unit: 's' };
  return `${Math.floor(ms / fitting.ms)} ${fitting.unit}`;
}

/** A moment as people and ledgers can both read it, with its time zone: `2026-05-04 06:00:12 Europe/Berlin`. */
export function moment(at: number, timeZone = 'UTC'): string {
  return `${clockTime(at, timeZone)} ${timeZone}`;
}

/** A moment without its time zone: `2026-05-04 06:00:12`. */
export function clockTime(at: number, timeZone = 'UTC'): string {
  let clock = CLOCKS.get(timeZone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    CLOCKS.set(timeZone, clock);
  }
  return clock.format(at);
}

/** By time zone: making one takes longer than a thousand times with it. */
const CLOCKS = new Map<string, Intl.DateTimeFormat>();

/** A time as people at a terminal read it: UTC to the second. */
export function showTime(ms: number | null): string {
  return ms === null ? '' : new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/**
 * The outcome of a run in one sentence, the same on the page, in the subject of a mail and on the terminal:
 * `north: partial — 1,204 of 1,250 rows are live, 40 rejected here, 6 rejected by the service`.
 */
export function outcomeSentence(answer: RunAnswer): string {
  return `${answer.feed}: ${answer.outcome ?? 'running'} — ${happened(answer)}`;
}

/** What happened, without the name of the feed and the outcome; no full stop at its end. */
export function happened(answer: RunAnswer): string {
  const { outcome, cause, reason, receipt, rows, stage } = answer;
  if (outcome === 'live' || outcome === 'partial') {
    return `${rowsInWords(rows)}${receipt?.verified === false ? ', not verified' : ''}`;
  }
  const { headline } = wordsOf(outcome, cause);
  return outcome === null ? `${headline} (${stage})` : (headlineOf(reason) ?? headline);
}

/**
 * How many offers the rows of a file could be: a row with several numbers may be several, which earlier versions did not know. Changes leave
 * other rows as they were, and rows of them that remove parts are no offers.
 */
export function offersRead({
  read,
  expanded = 0,
  leftOut = 0,
  change,
}: Pick<LocalCounts, 'read' | 'change'> & { expanded?: number; leftOut?: number }): number {
  return read + expanded + (change === undefined ? 0 : change.carried - leftOut);
}

/** What was read, as the beginning of an account: `50 read`, `50 read + 50 expanded`. `write`: how its numbers are written. */
export function readInWords(
  { read, expanded, change }: Pick<LocalCounts, 'read' | 'expanded' | 'change'>,
  write: (count: number) => string = grouped,
): string {
  const carried = change === undefined ? '' : ` + ${write(change.carried)} carried over`;
  return `${write(read)} read${expanded === 0 ? '' : ` + ${write(expanded)} expanded`}${carried}`;
}

/** What rules left out, as the end of an account; nothing where they left out nothing. */
export function leftOutInWords(
  { leftOut, change }: Pick<LocalCounts, 'leftOut' | 'change'>,
  write: (count: number) => string = grouped,
): string {
  return leftOut === 0
    ? ''
    : ` + ${write(leftOut)} ${change === undefined ? 'left out by rules' : 'left out or removed'}`;
}

/** What became of the rows of a file: `1,204 of 1,250 rows are live, 40 rejected here`. */
export function rowsInWords(rows: RowCounts): string {
  const losses = [
    rows.rejectedLocally > 0 && `${grouped(rows.rejectedLocally)} rejected here`,
    rows.rejectedRemotely > 0 && `${grouped(rows.rejectedRemotely)} rejected by the service`,
    rows.unexplained > 0 && `${grouped(rows.unexplained)} unexplained`,
    rows.duplicates > 0 && counted(rows.duplicates, 'duplicate'),
    rows.leftOut > 0 && rows.change === undefined && `${grouped(rows.leftOut)} left out by rules`,
    rows.outranked > 0 && `${grouped(rows.outranked)} outranked by another feed`,
  ].filter((loss) => loss !== false);
  return [liveInWords(rows), ...losses].join(', ');
}

function liveInWords({ live, ...rows }: RowCounts): string {
  const read = offersRead(rows);
  if (live !== read) return `${grouped(live)} of ${counted(read, 'row')} ${live === 1 ? 'is' : 'are'} live`;
  return read === 1 ? 'its only row is live' : `all ${grouped(read)} rows are live`;
}

/** What uniting the tags of several feeds came to, in sentences; the second is an issue of the dataset, no file is at fault. */
export function mergedTagsText({ rows, cut, examples }: MergedTags): string[] {
  const united = `${counted(rows, 'row')} got tags from other feeds that offer the same part.`;
  if (cut === 0) return [united];
  const shown = examples.map(
    ({ feed, file, sheet, line, brand, oem, dropped }) =>
      `${brand} ${oem} (${feed} ${placeWords({ file, sheet, line })}) lost ${dropped.join(', ')}`,
  );
  const more = cut > examples.length ? `; and ${grouped(cut - examples.length)} more` : '';
  const rule = 'the winner’s tags are kept first, then those of the other feeds by priority';
  return [
    united,
    `merged-tags-cut: ${counted(cut, 'row')} then had more than 20 tags; ${rule}: ${shown.join('; ')}${more}.`,
  ];
}

/** What a reason says beyond the sentence that `happened` gives; null when there is nothing more. */
export function reasonBeyond({ outcome, reason }: RunAnswer): string | null {
  if (outcome === 'live' || outcome === 'partial') return null;
  return splitReason(reason).rest || null;
}

/** A reason may be several sentences with line breaks; a headline has room for the first. */
export function headlineOf(reason: string | null): string | null {
  const first = splitReason(reason).first.replaceAll(/\s+/g, ' ');
  return first.replace(/[.!]$/, '') || null;
}

function splitReason(reason: string | null): { first: string; rest: string } {
  const text = (reason ?? '').trim();
  const first = /^.*?(?:[.!?](?=\s|$)|(?=\n|$))/s.exec(text)?.[0] ?? '';
  return { first, rest: text.slice(first.length).trim() };
}

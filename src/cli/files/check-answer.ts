import { trippedGuard, trippedSignals } from '../../compose/guards.ts';
import type { Guard } from '../../config/schema/schema.ts';
import pc from 'picocolors';
import { nameFeed } from '../../jobs/feeds/name-feed.ts';
import type { ReadResult } from '../../jobs/read/read-text.ts';
import type { ColumnMapping, Dialect, Issue, LocalCounts, SampleReading, Signals, SkippedRows } from '../../model.ts';
import { guardSentence } from '../../wording/reasons/guard-reasons.ts';
import { mappingLines, unsureColumnsText } from '../../wording/columns/unsure-columns.ts';
import { skippedLines } from '../../wording/account.ts';
import { dialectOf, dialectText } from '../../wording/files/dialect.ts';
import { placeWords } from '../../wording/files/place.ts';
import { seenLines, signalLines } from '../../wording/signal-words.ts';
import { comparisonLines } from '../../wording/files/side-by-side.ts';
import { counted, grouped } from '../../wording/words.ts';
import { printable } from '../../wording/printable.ts';

/** The answer of `check --json`. */
export type CheckAnswer = {
  outcome: 'accepted' | 'rejected';
  reason: string | null;
  /** The name of the text file, inside its archive where there is one. */
  file: string;
  /** Null when there is no text. */
  dialect: Dialect | null;
  /** Which column of the file holds what. */
  mapping: ColumnMapping[];
  /** When the dialect is not sure: what is in question, on the same three rows; else empty. */
  readings: SampleReading[];
  rows: LocalCounts;
  /** Lines that are no offers, by kind. */
  skipped: SkippedRows[];
  /** Number of issues by code. */
  issues: Record<string, number>;
  sample: Issue[];
  /** What was seen of a feed's delivery beside what is uploaded; null when nothing is to be seen and nothing is strange. */
  signals: Signals | null;
  droppedColumns: string[];
  /** Null when no workbook was asked for. */
  marked: MarkedAnswer | null;
};

/** A workbook with marked rows: where it is, or why there is none; `rows` is how many have mistakes. */
export type MarkedAnswer = { file: string | null; rows: number; reason: string | null };

const NO_ROWS: LocalCounts = { read: 0, accepted: 0, rejectedLocally: 0, duplicates: 0, skipped: 0 };

/** The answer for a file that has no usable text in it. */
export function refusalOf(file: string, reason: string): CheckAnswer {
  const nothing = { mapping: [], readings: [], rows: NO_ROWS, skipped: [], issues: {}, sample: [] };
  return {
    outcome: 'rejected',
    reason,
    file,
    dialect: null,
    ...nothing,
    signals: null,
    droppedColumns: [],
    marked: null,
  };
}

/** The answer for a file that was read, or whose dialect or columns are not sure; `feed` is the one whose settings were used. */
export function answerOf({ name, detection, ...read }: ReadResult, feed: string | undefined): CheckAnswer {
  const { mapping, readings } = detection;
  const known = { dialect: dialectOf(detection), mapping };
  if (read.unsure !== null) {
    const why = read.unsure === 'columns' ? `${unsureColumnsText(read.reason, feed)}.` : read.reason;
    const reason = feed === undefined ? `${why} To check with a feed’s settings, use --feed.` : nameFeed(why, feed);
    const { counts: issues, sample } = read.unsure === 'columns' ? read.issues : { counts: {}, sample: [] };
    return { ...refusalOf(name, reason), ...known, readings, issues, sample };
  }
  const { outcome, reason, counts, skipped, issues, sample, droppedColumns } = read.validation;
  const rows = { rows: counts, skipped, issues, sample, signals: null, droppedColumns, marked: null };
  return { outcome, reason, file: name, ...known, readings: [], ...rows };
}

/** The answer for people: the outcome first. */
export function describeAnswer(answer: CheckAnswer, color: boolean): string {
  const { bold, green, red } = pc.createColors(color);
  const { outcome, reason, file, dialect, mapping, rows, droppedColumns } = answer;
  const result =
    outcome === 'accepted'
      ? `${bold(green('accepted'))}: ${grouped(rows.accepted)} of ${counted(rows.read, 'row')} would be uploaded`
      : `${bold(red('rejected'))}: ${printable(reason ?? '')}`;
  const losses = `${grouped(rows.rejectedLocally)} rejected + ${counted(rows.duplicates, 'duplicate')}`;
  const lines = [
    result,
    `file     ${printable(file)}`,
    ...(dialect === null ? [] : [`dialect  ${printable(dialectText(dialect))}`]),
    ...mappingLines(mapping).map(([label, text]) => `${label.padEnd(8)} ${printable(text)}`),
    `rows     ${grouped(rows.read)} read = ${grouped(rows.accepted)} accepted + ${losses}`,
  ];
  lines.push(...skippedLines(answer.skipped).map((text) => `skipped  ${printable(text)}`));
  if (droppedColumns.length > 0)
    lines.push(`dropped  ${counted(droppedColumns.length, 'column')}: ${listed(droppedColumns)}`);
  if (answer.signals !== null)
    lines.push(...seenLines(answer.signals).map(([label, text]) => `${label.padEnd(8)} ${printable(text)}`));
  if (answer.marked?.file != null)
    lines.push(`marked   ${printable(answer.marked.file)}: ${counted(answer.marked.rows, 'row')} with mistakes`);
  return [...lines, ...describeReadings(answer), ...describeSignals(answer), ...describeIssues(answer)].join('\n');
}

function describeReadings({ readings }: CheckAnswer): string[] {
  return readings.length === 0 ? [] : ['', ...comparisonLines(readings).map(printable)];
}

function describeSignals({ signals }: CheckAnswer): string[] {
  return signals === null ? [] : signalLines(signals).flatMap((line, at) => (at === 0 ? ['', line] : [line]));
}

function listed(names: string[]): string {
  const shown = names.slice(0, 10).map(printable).join(', ');
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown;
}

/** Every code with its examples; what the reason says already is not repeated. */
function describeIssues({ issues, sample, reason, mapping }: CheckAnswer): string[] {
  const lines: string[] = [];
  for (const [code, count] of Object.entries(issues).sort((a, b) => b[1] - a[1])) {
    const examples = sample.filter((issue) => issue.code === code);
    const severities = new Set(examples.map(({ severity }) => severity));
    lines.push('', `${printable(code)}: ${counted(count, severities.size === 1 ? [...severities][0]! : 'issue')}`);
    lines.push(
      ...examples
        .filter(({ message }) => reason?.includes(message) !== true)
        .map((issue) => describeIssue(issue, mapping)),
    );
    if (count > examples.length) lines.push(`  … and ${grouped(count - examples.length)} more`);
  }
  return lines;
}

function describeIssue({ sheet, line, column, value, message }: Issue, mapping: ColumnMapping[]): string {
  const position = mapping.find(({ key }) => key === column)?.position ?? null;
  const place = [line === null ? null : placeWords({ sheet, line }, position), column]
    .filter((part) => part !== null)
    .join(', ');
  const shown =
    value === null || value === '' ? '' : ` [${printable(value.length > 80 ? `${value.slice(0, 80)}…` : value)}]`;
  return `  ${place === '' ? '' : `${place}: `}${printable(message)}${shown}`;
}

/** The answer for a file of a feed, which a guard may hold; of what is live only prices and stock are asked for. */
export function withGuard(answer: CheckAnswer, guard: Guard, feed: string): CheckAnswer {
  if (answer.outcome !== 'accepted') return answer;
  const { accepted: rows, read, rejectedLocally: rejected } = answer.rows;
  const numbers = { rows, read, rejected, previousRows: null, rejectedThere: { rows: 0, previousRows: 0 } };
  const tripped = trippedGuard(guard, numbers, { feed }) ?? trippedSignals(guard, answer.signals, { feed });
  if (tripped === null) return answer;
  return wouldBeHeld(answer, guardSentence(tripped));
}

/** The answer for a file that would be held for a reason. */
export function wouldBeHeld(answer: CheckAnswer, reason: string): CheckAnswer {
  return { ...answer, outcome: 'rejected', reason: `${reason}. \`offerline ingest\` would hold it.` };
}

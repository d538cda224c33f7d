import { nameFeed } from '../../jobs/feeds/name-feed.ts';
import { verdictOn, type Verdict } from '../../jobs/read/verdict.ts';
import type { ReadResult } from '../../jobs/read/read-text.ts';
import { leftOutBy } from '../../validate/rules/row-rules.ts';
import type {
  ColumnMapping,
  Dialect,
  FileCounts,
  Issue,
  JoinedFile,
  LeftOutBy,
  LocalCounts,
  RuleNumbers,
  SampleReading,
  Signals,
  SkippedRows,
} from '../../model.ts';
import { nothingRead } from '../../wording/account.ts';
import { unsureCellsText, type UnsureCells } from '../../wording/columns/unsure-cells.ts';
import { unsureColumnsText, type UnsureColumns } from '../../wording/columns/unsure-columns.ts';
import { ruleColumnText, type RuleColumnProblem } from '../../wording/reasons/rule-reasons.ts';
import { dialectOf } from '../../wording/files/dialect.ts';

/** The answer of `check --json`. */
export type CheckAnswer = {
  outcome: 'accepted' | 'rejected';
  /** What `ingest` would make of it; only `uploaded` is accepted here. */
  wouldBe: 'uploaded' | 'held' | 'rejected';
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
  /** What was read of each file of a delivery of several; absent for one file. */
  files?: FileCounts[];
  /** What came of each file that was joined to the list; absent where none was. */
  joined?: JoinedFile[];
  /** Lines that are no offers, by kind. */
  skipped: SkippedRows[];
  /** Rows left out, by rule. */
  leftOut: LeftOutBy[];
  /** What rules compared as numbers. */
  ruleNumbers: RuleNumbers[];
  /** Number of issues by code. */
  issues: Record<string, number>;
  sample: Issue[];
  /** What was seen of a feed's delivery beside what is uploaded; null when nothing is to be seen and nothing is strange. */
  signals: Signals | null;
  droppedColumns: string[];
  /** What of a workbook or page was left out, or is read otherwise than it stands there: plain sentences. */
  notes: string[];
  /** Null when no workbook was asked for. */
  marked: MarkedAnswer | null;
};

/** A workbook with marked rows: where it is, or why there is none; `rows` is how many have mistakes. */
export type MarkedAnswer = { file: string | null; rows: number; reason: string | null };

/** The outcome and what `ingest` would make of a file. */
function outcomeBy({ outcome }: Pick<Verdict, 'outcome'>): Pick<CheckAnswer, 'outcome' | 'wouldBe'> {
  if (outcome === 'accepted') return { outcome, wouldBe: 'uploaded' };
  return { outcome: 'rejected', wouldBe: outcome };
}

/** The answer for a file that has no usable text in it. */
export function refusalOf(file: string, reason: string): CheckAnswer {
  const nothing = {
    mapping: [],
    readings: [],
    rows: nothingRead(),
    skipped: [],
    leftOut: [],
    ruleNumbers: [],
    issues: {},
    sample: [],
  };
  return {
    outcome: 'rejected',
    wouldBe: 'rejected',
    reason,
    file,
    dialect: null,
    ...nothing,
    signals: null,
    droppedColumns: [],
    notes: [],
    marked: null,
  };
}

/** Why a file was not read of which something is not certain. */
type Unsure =
  | { unsure: 'dialect'; reason: string }
  | { unsure: 'columns'; reason: UnsureColumns }
  | { unsure: 'cells'; reason: UnsureCells }
  | { unsure: 'rules'; reason: RuleColumnProblem };

/** The answer for a file that was read, or of which something is not sure; `feed` is the one whose settings were used. */
export function answerOf(
  { name, detection, notes = [], joined, ...read }: ReadResult,
  feed: string | undefined,
): CheckAnswer {
  const verdict = outcomeBy(verdictOn(read));
  const { mapping, readings } = detection;
  const known = { dialect: dialectOf(detection), mapping };
  if (read.unsure !== null) {
    const why = whyUnsure(read, feed);
    const reason = feed === undefined ? `${why} To check with a feed’s settings, use --feed.` : nameFeed(why, feed);
    const { counts: issues, sample } = read.unsure === 'columns' ? read.issues : { counts: {}, sample: [] };
    return { ...refusalOf(name, reason), ...verdict, ...known, readings, issues, sample, notes };
  }
  const { reason, counts, files, skipped, rules, issues, sample, droppedColumns } = read.validation;
  const ruled = { leftOut: leftOutBy(rules), ruleNumbers: rules?.numbers ?? [] };
  const rows = { rows: counts, skipped, ...ruled, issues, sample, signals: null, droppedColumns, notes, marked: null };
  const ofFiles = { ...(files === null ? {} : { files }), ...(joined === undefined ? {} : { joined }) };
  return { ...verdict, reason, file: name, ...known, readings: [], ...rows, ...ofFiles };
}

function whyUnsure(read: Unsure, feed: string | undefined): string {
  if (read.unsure === 'columns') return `${unsureColumnsText(read.reason, feed)}.`;
  if (read.unsure === 'rules') return `${ruleColumnText(read.reason, feed)}.`;
  return read.unsure === 'cells' ? `${unsureCellsText(read.reason, feed)}.` : read.reason;
}

/** The answer for a file that would be held for a reason. */
export function wouldBeHeld(answer: CheckAnswer, reason: string): CheckAnswer {
  return { ...answer, ...outcomeBy({ outcome: 'held' }), reason: `${reason}.` };
}

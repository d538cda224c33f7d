import { HEADINGS } from '../../wording/columns/accepted-column.ts';
import type { Detection, Severity } from '../../model.ts';
import { lineOf } from '../../wording/files/place.ts';
import { printable } from '../../wording/printable.ts';
import type { ReportInput, StoredIssue, StoredRejection } from '../input.ts';
import { LineSet } from '../../io/line-set.ts';
import { columnMeant, kindOfRefusal } from './refusals.ts';
import type { Language, MessageKey } from '../../wording/language/language.ts';

/** A kind of mistake as the supplier is told of it; `column` is the supplier's name for it, `lines` are the first of its rows. */
export type FaultCause = {
  cause: string;
  remedy: string;
  severity: Severity;
  column: string | null;
  rows: number;
  lines: number[];
};

/** A mistake in a row: the line in the text that the file was read as, its cell from 0 or null for the row, and its cause. */
export type Fault = { line: number; column: number | null; cause: number };

/** What is wrong with a file. `faults` rise by line; `cut`: more rows have mistakes than are in `faults`. `rows` counts all that have any, the header left out. */
export type Faults = { causes: FaultCause[]; faults: Fault[]; rows: number; cut: boolean };

/** Rows that are shown. */
const MOST_ROWS_SHOWN = 50_000;
/** Mistakes of a row, and kinds of mistakes; further kinds are one. */
const MOST_IN_ROW = 8;
const MOST_CAUSES = 100;
const EXAMPLES = 3;

/** What a person at the supplier can do nothing about. */
const NOT_FOR_SUPPLIERS = new Set([
  'structure-changed',
  'column-ambiguous',
  'left-out',
  'row-removes',
  'changed-again',
  'rule-changed',
  'brand-spelled',
]);

type FaultsInput = Pick<ReportInput, 'columns' | 'issues' | 'rejections'> & {
  answer: Pick<ReportInput['answer'], 'mapping'>;
};
type Found = {
  key: string;
  cause: string;
  remedy: string;
  severity: Severity;
  column: number | null;
  line: number | null;
};
type Collected = {
  causes: Map<string, { at: number; cause: FaultCause }>;
  rows: Map<number, Fault[]>;
  found: LineSet;
  cut: boolean;
};

/**
 * Collects what is wrong with the rows of a file, here and by the service, by cause. Where there is too much of it, rows that
 * are lost go before those that are only doubtful.
 */
export async function collectFaults(
  input: FaultsInput,
  detection: Detection,
  language: Language,
  most = MOST_ROWS_SHOWN,
): Promise<Faults> {
  const collected: Collected = { causes: new Map(), rows: new Map(), found: new LineSet(), cut: false };
  const add = (found: Found) => addFault(collected, found, { input, detection, language, most });
  for await (const issue of input.issues()) {
    if (issue.severity === 'error') add(ofIssue(issue, input, detection, language));
  }
  for await (const rejection of input.rejections()) {
    if (rejection.match !== 'exact') continue;
    const found = ofRejection(rejection, input, detection, language);
    if (!isOfEarlier(detection, found.line)) add(found);
  }
  for await (const issue of input.issues()) {
    if (issue.severity !== 'error' && !NOT_FOR_SUPPLIERS.has(issue.code))
      add(ofIssue(issue, input, detection, language));
  }
  const faults = [...collected.rows.values()].flat().sort((a, b) => a.line - b.line);
  const causes = [...collected.causes.values()].map(({ cause }) => cause);
  return { causes, faults, rows: collected.found.size, cut: collected.cut };
}

/** Whether a line is of an earlier delivery, upon which this one was put: it is not in the supplier's file. */
function isOfEarlier({ parts }: Detection, line: number | null): boolean {
  return line !== null && parts.findLast((part) => part.line <= line)?.of !== undefined;
}

type Collecting = { input: FaultsInput; detection: Detection; language: Language; most: number };

function addFault(collected: Collected, found: Found, { input, detection, language, most }: Collecting): void {
  const column = nameOf(found.column, detection.columns, input.answer);
  const { at, cause } = causeOf(collected, found, column, language);
  cause.rows += 1;
  const { line } = found;
  if (line === null) return;
  if (cause.lines.length < EXAMPLES) cause.lines.push(line);
  // The header is no row of offers, whatever is wrong with it.
  if (!detection.header || line > detection.headerLine) collected.found.add(line);
  const inRow = collected.rows.get(line) ?? [];
  if (inRow.length === 0 && collected.rows.size === most) {
    collected.cut = true;
    return;
  }
  if (inRow.length < MOST_IN_ROW) inRow.push({ line, column: found.column, cause: at });
  collected.rows.set(line, inRow);
}

function causeOf({ causes }: Collected, found: Found, column: string | null, { say }: Language) {
  const { severity } = found;
  const key = causes.size < MOST_CAUSES || causes.has(found.key) ? found.key : `others ${severity}`;
  const known = causes.get(key);
  if (known !== undefined) return known;
  const said = key === found.key ? found : { cause: say('cause.others'), remedy: say('remedy.others') };
  const cause = { cause: said.cause, remedy: said.remedy, severity, column, rows: 0, lines: [] };
  const entry = { at: causes.size, cause };
  causes.set(key, entry);
  return entry;
}

function ofIssue(
  issue: StoredIssue,
  { columns, answer }: FaultsInput,
  { parts }: Detection,
  { say, knows }: Language,
): Found {
  const { code, severity, line, file, sheet = null, column: name, message } = issue;
  // A file that is joined to the list is on no sheet.
  const isElsewhere = file !== undefined && !parts.some((part) => part.file === file);
  const column = name === null || isElsewhere ? null : placeOf(name, columns.issues, answer);
  const facts = { column: printable(name ?? ''), message: printable(message) };
  const words = (of: 'cause' | 'remedy') => {
    const key = `${of}.${code}`;
    return say(knows(key) ? key : (`${of}.unknown` satisfies MessageKey), facts);
  };
  return {
    key: `issue ${code} ${severity} ${name ?? ''}`,
    cause: words('cause'),
    remedy: words('remedy'),
    severity,
    column,
    line: line === null || isElsewhere ? null : lineOf(parts, { file, sheet, line }),
  };
}

function ofRejection(
  rejection: StoredRejection,
  { columns, answer }: FaultsInput,
  { parts }: Detection,
  { say }: Language,
): Found {
  const { code, message, sheet, line, brand, oem } = rejection;
  // Of a delivery that is one file, places do not name it.
  const file = parts.some((part) => part.file !== undefined) ? (rejection.file ?? undefined) : undefined;
  const kind = kindOfRefusal(rejection);
  const meant = columnMeant(message, { brand, oem }, columns.rejections);
  return {
    key: `refused ${code ?? ''} ${kind}`,
    // A cause is that of many rows: the values of the first would stand beside all of them.
    cause: say('cause.refused', { message: printable(kind) }),
    remedy: say('remedy.refused'),
    severity: 'error',
    column: meant === null ? null : placeOf(meant, columns.issues, answer),
    line: line === null ? null : lineOf(parts, { file, sheet, line }),
  };
}

/** Where a column of ours is in the supplier's file, from 0. */
function placeOf(key: string, names: string[], { mapping }: FaultsInput['answer']): number | null {
  const mapped = mapping.find((one) => one.key === key && one.sure);
  if (mapped !== undefined) return mapped.position === HEADINGS ? null : mapped.position - 1;
  const at = names.indexOf(key);
  return at === -1 ? null : at;
}

function nameOf(column: number | null, header: string[], { mapping }: FaultsInput['answer']): string | null {
  if (column === null) return null;
  const mapped = mapping.find(({ position }) => position === column + 1);
  return printable(header[column] ?? mapped?.column ?? String(column + 1));
}

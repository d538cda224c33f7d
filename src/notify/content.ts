import { accountLines } from '../account.ts';
import { adviceOn } from '../advice.ts';
import type { Rejection, RunAnswer } from '../model.ts';
import { comparedRows, comparisonLines, readingName, type ComparedRow } from '../side-by-side.ts';
import { counted, grouped, moment, outcomeSentence, reasonBeyond } from '../words.ts';
import type { MailInput } from './input.ts';

/** What a mail says, before it is set as text or as HTML, so that both parts say the same. */
export type Content = {
  sandbox: boolean;
  sentence: string;
  reason: string | null;
  meaning: string;
  steps: string[];
  /** The names of the readings in question, and what each makes of the sample rows. */
  readings: { names: string[]; rows: ComparedRow[]; lines: string[] };
  account: [string, string][];
  issues: { head: string; example: string | null }[];
  moreIssues: string | null;
  rejections: { head: string; message: string }[];
  moreRejections: string | null;
  facts: [string, string][];
  note: string | null;
};

/** What the reader of a mail can take in; the CSV and the report have all. */
const KINDS = 8;
const REJECTIONS = 10;
const VALUE_LENGTH = 60;
const MESSAGE_LENGTH = 300;

/** What a mail about a run says. */
export function mailContent(input: MailInput, note: string | null): Content {
  const { answer, issues } = input;
  const { meaning, steps } = adviceOn(answer);
  const rejections = answer.rejections.slice(0, REJECTIONS);
  return {
    sandbox: answer.sandbox,
    sentence: outcomeSentence(answer),
    reason: reasonBeyond(answer),
    meaning,
    steps,
    readings: comparison(answer),
    account: accountOf(input),
    issues: issues.slice(0, KINDS).map(issueLine),
    moreIssues: issues.length > KINDS ? `and ${counted(issues.length - KINDS, 'more kind')} of issues` : null,
    rejections: rejections.map(rejectionLine),
    moreRejections: more(answer.rejectionsTotal - rejections.length),
    facts: factsOf(input),
    note,
  };
}

function comparison({ readings }: RunAnswer): Content['readings'] {
  return { names: readings.map(readingName), rows: comparedRows(readings), lines: comparisonLines(readings) };
}

/** A mail has no room for the sums on the way. */
function accountOf({ answer }: MailInput): [string, string][] {
  const lines = accountLines(answer);
  const shown = lines.filter(({ kind }, at) => kind === 'loss' || at === 0 || at === lines.length - 1);
  return shown.map(({ kind, label, count }) => [`${kind === 'loss' ? '− ' : ''}${label}`, grouped(count)]);
}

function issueLine({ title, severity, count, examples }: MailInput['issues'][number]): Content['issues'][number] {
  const head = `${grouped(count)} × ${title}${severity === 'warning' ? ' (warning)' : ''}`;
  const [first] = examples;
  if (first === undefined) return { head, example: null };
  const place = first.line === null ? '' : `line ${first.line}: `;
  const value = first.value === null || first.value === '' ? '' : `“${short(first.value)}” — `;
  return { head, example: `e.g. ${place}${value}${short(first.message, MESSAGE_LENGTH)}` };
}

function rejectionLine({ line, brand, oem, message, code }: Rejection): Content['rejections'][number] {
  const part = [brand, oem].filter((text) => text !== null).map((text) => short(text));
  const head = [...(line === null ? [] : [`line ${line}`]), ...(part.length > 0 ? [part.join(' ')] : [])].join(': ');
  return {
    head: head === '' ? 'unknown row' : head,
    message: short(code === null ? message : `${code}: ${message}`, MESSAGE_LENGTH),
  };
}

function factsOf({ answer, timeZone }: MailInput): [string, string][] {
  const { run, login, delivery, upload, finishedAt, createdAt } = answer;
  const facts: [string, string][] = [
    ['Run', run],
    ['Login', login],
    ['Time', moment(finishedAt ?? createdAt, timeZone)],
  ];
  if (delivery !== null) facts.push(['Delivery', short(delivery.name)], ['SHA-256', delivery.sha256]);
  if (upload !== null && upload.offerId !== null) facts.push(['Offer id', upload.offerId]);
  return facts;
}

function more(count: number): string | null {
  return count > 0 ? `and ${grouped(count)} more in the CSV` : null;
}

function short(text: string, length = VALUE_LENGTH): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > length ? `${line.slice(0, length).toWellFormed()}…` : line;
}

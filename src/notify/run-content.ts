import { accountLines } from '../wording/account.ts';
import { adviceOn } from '../wording/advice.ts';
import { wordsOf } from '../wording/causes.ts';
import { diffWords } from '../wording/diff-words.ts';
import type { Outcome, Rejection, RunAnswer } from '../model.ts';
import { nowLines } from '../wording/now-words.ts';
import { placeWords } from '../wording/files/place.ts';
import { comparedRows, comparisonLines, readingName } from '../wording/files/side-by-side.ts';
import { findingWords, STRANGE } from '../wording/signal-words.ts';
import { counted, grouped, moment, outcomeSentence, reasonBeyond } from '../wording/words.ts';
import { short, type Content, type ContentList, type Tone } from './content.ts';
import type { MailInput } from './input.ts';

/** What the reader of a mail can take in; the CSV and the report have all. */
const KINDS = 8;
const BRANDS = 8;
const REJECTIONS = 10;
const MESSAGE_LENGTH = 300;

const TONES: Record<Outcome, Tone> = {
  live: 'good',
  partial: 'warning',
  held: 'warning',
  rejected: 'bad',
  failed: 'bad',
  unchanged: 'neutral',
  nothing: 'neutral',
};

/** What a mail about a run says. */
export function runContent(input: MailInput, note: string | null): Content {
  const { answer, issues } = input;
  const { meaning, steps } = adviceOn(answer, 'managers');
  return {
    sandbox: answer.sandbox,
    tone: answer.outcome === null ? 'neutral' : TONES[answer.outcome],
    sentence: outcomeSentence(answer),
    headline: headlineOfCause(answer),
    reason: reasonBeyond(answer),
    meaning,
    standing: nowLines(answer, input.timeZone),
    steps,
    readings: comparison(answer),
    account: accountOf(input),
    lists: [
      signalList(answer),
      diffList(answer),
      issueList(issues),
      rejectionList(answer),
      unreadableList(answer),
    ].filter(({ items }) => items.length > 0),
    facts: factsOf(input),
    note,
  };
}

function headlineOfCause({ feed, outcome, cause }: RunAnswer): string {
  return `${feed}: ${outcome ?? 'running'} — ${wordsOf(outcome, cause).headline}`;
}

function comparison({ readings }: RunAnswer): Content['readings'] {
  return { names: readings.map(readingName), rows: comparedRows(readings), lines: comparisonLines(readings) };
}

/** A mail has no room for the sums on the way. */
function accountOf({ answer }: MailInput): [string, string][] {
  const lines = accountLines(answer);
  const shown = lines.filter(({ kind }, at) => kind === 'loss' || at === 0 || at === lines.length - 1);
  const account = shown.map(({ kind, label, count }): [string, string] => [
    `${kind === 'loss' ? '− ' : ''}${label}`,
    grouped(count),
  ]);
  return lines.length === 0 ? account : [...account, ...skippedRowsOf(answer)];
}

/** Blank lines are not worth a line in a mail. */
function skippedRowsOf({ skipped }: RunAnswer): [string, string][] {
  const rows = skipped.reduce((sum, { kind, rows: count }) => (kind === 'blank' ? sum : sum + count), 0);
  return rows === 0 ? [] : [['Skipped, no offers', grouped(rows)]];
}

/** What is strange about a delivery although it is valid; without items when nothing is. */
function signalList({ signals }: RunAnswer): ContentList {
  const found = signals === null ? [] : findingWords(signals);
  const items = found.map(({ sentence, examples }) => ({
    head: sentence,
    detail: examples.length === 0 ? null : `e.g. ${examples.join('; ')}`,
  }));
  return { heading: STRANGE, items, more: null };
}

/** What a held run would have changed, by brand. */
function diffList({ diff }: RunAnswer): ContentList {
  if (diff === null) return { heading: '', items: [], more: null };
  const { heading, brands, more } = diffWords(diff, BRANDS);
  return { heading, items: brands.map(({ head, examples }) => ({ head, detail: examples.join('; ') })), more };
}

function issueList(issues: MailInput['issues']): ContentList {
  const more = issues.length - KINDS;
  return {
    heading: 'Issues in the supplier’s file',
    items: issues.slice(0, KINDS).map(issueLine),
    more: more > 0 ? `and ${counted(more, 'more kind')} of issues` : null,
  };
}

function rejectionList({ rejections, rejectionsTotal }: RunAnswer): ContentList {
  const shown = rejections.slice(0, REJECTIONS);
  const more = rejectionsTotal - shown.length;
  return {
    heading: 'Rejected by the service',
    items: shown.map(rejectionLine),
    more: more > 0 ? `and ${grouped(more)} more in the CSV` : null,
  };
}

function unreadableList({ unreadable }: RunAnswer): ContentList {
  return { heading: 'Could not be read', items: unreadable.map((head) => ({ head, detail: null })), more: null };
}

function issueLine({ title, severity, count, examples }: MailInput['issues'][number]): ContentList['items'][number] {
  const head = `${grouped(count)} × ${title}${severity === 'warning' ? ' (warning)' : ''}`;
  const [first] = examples;
  if (first === undefined) return { head, detail: null };
  const place = first.line === null ? '' : `${placeWords({ sheet: first.sheet ?? null, line: first.line })}: `;
  const value = first.value === null || first.value === '' ? '' : `“${short(first.value)}” — `;
  return { head, detail: `e.g. ${place}${value}${short(first.message, MESSAGE_LENGTH)}` };
}

function rejectionLine({ sheet, line, brand, oem, message, code }: Rejection): ContentList['items'][number] {
  const part = [brand, oem].filter((text) => text !== null).map((text) => short(text));
  const head = [
    ...(line === null ? [] : [placeWords({ sheet, line })]),
    ...(part.length > 0 ? [part.join(' ')] : []),
  ].join(': ');
  return {
    head: head === '' ? 'unknown row' : head,
    detail: short(code === null ? message : `${code}: ${message}`, MESSAGE_LENGTH),
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

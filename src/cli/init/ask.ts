import { createInterface } from 'node:readline/promises';
import { OfferlineError } from '../../errors.ts';
import { comparisonLines, readingName } from '../../wording/files/side-by-side.ts';
import { printable } from '../../wording/printable.ts';
import type { FoundMarks } from './group-files.ts';
import { foldMark } from '../../config/schema/feed-settings.ts';
import { openColumns, settingFor, type FeedProposal } from './propose-feed.ts';
import { mappingText } from '../../wording/columns/unsure-columns.ts';
import { counted, percent } from '../../wording/words.ts';

/** What a person has chosen for a feed. */
export type Choice = Pick<FeedProposal, 'columns' | 'dialect'>;

/** A person at a terminal; `answer` waits for one line. */
export type Person = { say: (text: string) => void; answer: (question: string) => Promise<string> };

/** Where questions are asked. */
type Streams = { input: NodeJS.ReadableStream; output: NodeJS.WritableStream };

/**
 * Opens the terminal for questions; `close` gives it back. Ctrl-C interrupts the process as it does elsewhere. `answer` throws `interrupted` when
 * the input has ended.
 */
export function openTerminal({ input, output }: Streams, signal: AbortSignal): Person & { close: () => void } {
  const lines = createInterface({ input, output });
  const ended = Promise.withResolvers<never>();
  // It may end while nothing is asked.
  ended.promise.catch(() => undefined);
  lines.once('close', () => {
    const message =
      'The input ended at a question, so no configuration was written. Run it again; with --json nothing is asked.';
    ended.reject(new OfferlineError('interrupted', message));
  });
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  return {
    say: (text) => void output.write(`${text}\n`),
    answer: async (question) => {
      try {
        return await Promise.race([ended.promise, lines.question(question, { signal })]);
      } catch (error) {
        output.write('\n');
        throw error;
      }
    },
    close: () => lines.close(),
  };
}

/** Asks which reading of a file is right, where that is not certain; what is left open stays open. */
export async function askDialect(feed: FeedProposal, person: Person): Promise<FeedProposal['dialect']> {
  const { readings } = feed.detection;
  if (feed.detection.sure || readings.length < 2) return feed.dialect;
  person.say(`\n${feed.name}: it is not certain how ${printable(feed.inner)} is written.`);
  for (const line of comparisonLines(readings)) person.say(`  ${printable(line)}`);
  const names = readings.map((reading, at) => `${at + 1}: ${readingName(reading)}`);
  const picked = await person.answer(`Which looks right? ${names.join(', ')} (Enter: decide later) `);
  const reading = readings[Number(picked.trim()) - 1];
  if (reading === undefined) return feed.dialect;
  return { charset: reading.charset, ...(reading.delimiter === null ? {} : { delimiter: reading.delimiter }) };
}

/** Asks about columns that are proposed, and about required ones that were not found; what is left open stays open. */
export async function askColumns(feed: FeedProposal, person: Person): Promise<FeedProposal['columns']> {
  const chosen = { ...feed.columns };
  const proposed = feed.detection.mapping.filter(({ key, sure }) => !sure && chosen[key] === undefined);
  const open = openColumns(feed);
  if (proposed.length === 0 && open.length === 0) return chosen;
  person.say(`\n${feed.name} (${printable(feed.inner)})`);
  for (const mapping of proposed) {
    const picked = await person.answer(
      `  ${printable(mappingText(mapping))}\n  Right? (y, n, or another column's name) `,
    );
    if (/^y(?:es)?$/iu.test(picked.trim())) chosen[mapping.key] = settingFor(mapping, feed.detection);
    else if (!/^(?:no?)?$/iu.test(picked.trim())) await take(mapping.key, picked, feed, chosen, person);
  }
  for (const key of open.filter((one) => chosen[one] === undefined)) {
    if (proposed.some((mapping) => mapping.key === key)) continue;
    person.say(`  No column looks like ${key}. ${columnList(feed)}`);
    await take(
      key,
      await person.answer(`  Which one is it? (number or name; Enter: decide later) `),
      feed,
      chosen,
      person,
    );
  }
  return chosen;
}

async function take(
  key: string,
  answer: string,
  feed: FeedProposal,
  chosen: FeedProposal['columns'],
  person: Person,
): Promise<void> {
  for (let text = answer.trim(); text !== '';) {
    const column = columnNamed(text, feed);
    const user = column === null ? undefined : userOf(column, key, feed, chosen);
    if (column !== null && user === undefined) {
      chosen[key] = column;
      return;
    }
    const shown = JSON.stringify(printable(text));
    person.say(
      user === undefined
        ? `  There is no column ${shown}. ${columnList(feed)}`
        : `  The column ${shown} is ${user} already. ${columnList(feed)}`,
    );
    text = (await person.answer(`  Which one is ${key}? (number or name; Enter: decide later) `)).trim();
  }
}

/** The other key that a column is used for, by what was chosen or by what is sure. */
function userOf(
  column: string | number,
  key: string,
  { detection }: FeedProposal,
  chosen: FeedProposal['columns'],
): string | undefined {
  const taken = Object.entries(chosen).find(([other, name]) => other !== key && name === column);
  const sure = detection.mapping.find(
    (one) => one.sure && one.key !== key && chosen[one.key] === undefined && (one.column ?? one.position) === column,
  );
  return taken?.[0] ?? sure?.key;
}

/** The header cell of that name or number; a number where there is no header. */
function columnNamed(text: string, { detection }: FeedProposal): string | number | null {
  const { columns, header } = detection;
  const position = /^\d{1,4}$/u.test(text) ? Number(text) : null;
  if (!header) return position;
  const byName = columns.find((name) => name.toLowerCase() === text.toLowerCase());
  return byName ?? (position === null ? null : columns[position - 1] || null);
}

function columnList({ detection }: FeedProposal): string {
  if (!detection.header) return 'The file has no header; columns are counted from 1.';
  const names = detection.columns.flatMap((name, at) => (name === '' ? [] : [`${at + 1} ${printable(name)}`]));
  return `Its columns: ${names.join(', ')}.`;
}

/** Asks whether files are parts of one list that come together. */
export async function askTogether(names: string[], person: Person): Promise<boolean> {
  person.say(`\n${names.map(printable).join(', ')} have the same columns, and no part stands in two of them.`);
  const picked = await person.answer(
    'Are they parts of one list, delivered together? (Enter: yes; n: a feed for each) ',
  );
  return !/^no?$/iu.test(picked.trim());
}

/** Asks whether a file is joined to a list, or to each of several that have its parts together. */
export async function askJoin(file: string, lists: string[], person: Person): Promise<boolean> {
  const names = lists.map(printable).join(', ');
  person.say(`\n${printable(file)} says something about the parts of ${names}, such as stock or prices.`);
  const question =
    lists.length === 1
      ? 'Should it be joined to that list?'
      : 'None of these lists has most of its parts alone. Should it be joined to each of them?';
  const picked = await person.answer(`${question} (Enter: yes; n: a feed of its own) `);
  return !/^no?$/iu.test(picked.trim());
}

/** Asks to which of some lists a file belongs, the likeliest of which is the first; null: to none of them. `share`: how much of it is in the list. */
export async function askList(
  file: string,
  lists: { name: string; share: number }[],
  person: Person,
): Promise<number | null> {
  person.say(`\n${printable(file)} says something about the parts of ${counted(lists.length, 'list')}:`);
  for (const [at, { name, share }] of lists.entries())
    person.say(`  ${at + 1}: ${printable(name)} (${percent(share)} of its parts)`);
  for (;;) {
    const picked = await person.answer('To which should it be joined? (number; Enter: 1; n: to none) ');
    if (/^no?$/iu.test(picked.trim())) return null;
    const at = picked.trim() === '' ? 0 : Number(picked) - 1;
    if (lists[at] !== undefined) return at;
    person.say(`  There is no ${JSON.stringify(printable(picked.trim()))} among them.`);
  }
}

/** Asks which marks of changes remove a part; empty where that stays open. */
export async function askRemoved(file: string, { column, open }: FoundMarks, person: Person): Promise<string[]> {
  const marks = open.map((mark) => JSON.stringify(printable(mark))).join(', ');
  person.say(`\n${printable(file)} marks its rows in ${printable(String(column))}: ${marks}.`);
  for (;;) {
    const picked = await person.answer('Which mark removes a part? (several with commas; Enter: decide later) ');
    const named = picked.split(',').flatMap((mark) => (mark.trim() === '' ? [] : [mark.trim()]));
    const known = named.map((mark) => open.find((one) => foldMark(one) === foldMark(mark)));
    const removed = known.flatMap((mark) => mark ?? []);
    if (removed.length === named.length) return removed;
    const unknown = named[known.indexOf(undefined)]!;
    if (named.length === 1 && /^no?$/iu.test(unknown)) return [];
    person.say(`  There is no ${JSON.stringify(printable(unknown))} among them.`);
  }
}

import type { Outcome } from '../../model.ts';
import { capitalised } from '../language/capitalised.ts';
import { FORMAT_NAMES } from '../files/dialect.ts';
import type { Language, MessageFacts } from '../language/language.ts';
import { outcomeWord } from '../managers/run-words.ts';
import { DECISIONS } from './kept/decisions.ts';
import { ENDS } from './kept/ends.ts';
import { EVENTS } from './kept/events.ts';
import { FILES } from './kept/files.ts';
import { PULLS } from './kept/pulls.ts';
import { PUSHES } from './kept/pushes.ts';
import { READING } from './kept/reading.ts';
import { RECEIPTS } from './kept/receipts.ts';
import { ROWS } from './kept/rows.ts';
import { UPLOADS } from './kept/uploads.ts';
import { WATCH } from './kept/watch.ts';
import type { Said } from './said.ts';

/** A text that is said in the reader's language, and the words of others in it. */
type KeptSaid = Said & { text: string };

const KEPT = [
  ...EVENTS,
  ...ENDS,
  ...RECEIPTS,
  ...READING,
  ...UPLOADS,
  ...WATCH,
  ...ROWS,
  ...PULLS,
  ...PUSHES,
  ...FILES,
  ...DECISIONS,
];

const READ =
  /^(?<rows>\d+) rows? read(?: \((?<expanded>\d+) more offers of several numbers\))?: (?<accepted>\d+) accepted, (?<rejected>\d+) rejected, (?<duplicates>\d+) duplicates(?:, (?<leftOut>\d+) left out (?<by>by rules|or removed))?$/u;

const OUTCOME = /^outcome: (?<outcome>live|partial|unchanged|nothing|held|rejected|failed)(?:: .*)?$/su;

/** Facts that are counted; all others are names, also where they are digits. */
const COUNTED = 'rows bytes count accepted rejected duplicates attempt lines kept cells columns times'.split(' ');
/** Facts that are kept sentences themselves. */
const NESTED = ['because', 'obstacle'];

/** Between phrases, and between sentences. */
const SEPARATOR = /; |(?<=\.) (?=\p{Lu})|, (?=with the same rows|"\\[rn])/gu;
/** A text of more phrases, or a longer one, is left as it is: nobody waits for words of a peer to be taken apart. */
const MOST_SEPARATORS = 12;
const LONGEST = 1000;

/**
 * What the program keeps as sentences, in the reader's language: events of a run, checks of a receipt, how a file was told apart, what an upload
 * waits for, why an incident is over. Null where it has other words. The reason of an outcome is said elsewhere on the page.
 */
export function keptSaid(text: string, language: Language): KeptSaid | null {
  const outcome = OUTCOME.exec(text)?.groups?.['outcome'];
  if (outcome !== undefined)
    return { text: language.say('kept.outcome', { outcome: outcomeWord(outcome as Outcome, language) }), quoted: null };
  if (text.length > LONGEST) return null;
  const separators = [...text.matchAll(SEPARATOR)];
  if (separators.length > MOST_SEPARATORS) return null;
  return saidFrom(0, { text, separators, language, known: new Map() });
}

/** A sentence of ours and what the program kept of it as a sentence, which is quoted where it has no words of the reader's language. */
export function sayWith(text: string | null, kept: string | null, language: Language): Said {
  const said = kept === null ? null : keptSaid(kept, language);
  if (said === null) return { text, quoted: kept };
  const sentence = capitalised(/[.!?]$/u.test(said.text) ? said.text : `${said.text}.`, language);
  return { text: text === null ? sentence : `${text} ${sentence}`, quoted: said.quoted };
}

type Parting = { text: string; separators: RegExpExecArray[]; language: Language; known: Map<number, KeptSaid | null> };

/** The phrases from a place on: of all ways to part them the one with the longest phrases, but for the words of others. */
function saidFrom(from: number, parting: Parting): KeptSaid | null {
  const { text, separators, language, known } = parting;
  const before = known.get(from);
  if (before !== undefined) return before;
  let said: KeptSaid | null = null;
  for (const { index, 0: separator } of separators.toReversed()) {
    if (index <= from) break;
    const phrase = phraseSaid(text.slice(from, index), language);
    const rest = phrase === null ? null : saidFrom(index + separator.length, parting);
    if (phrase === null || rest === null) continue;
    said = { text: `${phrase.text}${separator}${rest.text}`, quoted: together(phrase.quoted, rest.quoted) };
    break;
  }
  said ??= phraseSaid(text.slice(from), language);
  known.set(from, said);
  return said;
}

function phraseSaid(phrase: string, language: Language): KeptSaid | null {
  const { expanded, leftOut, by, ...facts } = READ.exec(phrase)?.groups ?? {};
  if (facts['rows'] !== undefined) {
    const { say } = language;
    const made = expanded === undefined ? [] : [say('kept.expanded', { count: Number(expanded) })];
    const out = by === 'or removed' ? 'kept.leftOutOrRemoved' : 'kept.leftOut';
    const ruled = leftOut === undefined ? [] : [say(out, { count: Number(leftOut) })];
    return { text: [say('kept.read', counted(facts, language)), ...made, ...ruled].join('; '), quoted: null };
  }
  for (const [pattern, key] of KEPT) {
    const found = pattern.exec(phrase);
    if (found === null) continue;
    const { quoted = null, ...named } = found.groups ?? {};
    const nested = NESTED.flatMap((name) =>
      named[name] === undefined ? [] : ([[name, keptSaid(named[name], language)]] as const),
    );
    if (nested.some(([, said]) => said === null)) continue;
    const inner = Object.fromEntries(nested.map(([name, said]) => [name, said!.text]));
    const others = nested.map(([, said]) => said!.quoted);
    const text = language.say(key, { ...counted(named, language), ...inner });
    return { text, quoted: [quoted, ...others].reduce(together, null) };
  }
  return null;
}

function together(one: string | null, other: string | null): string | null {
  return one === null || other === null ? (one ?? other) : `${one}; ${other}`;
}

function counted(facts: Record<string, string | undefined>, { say, moment }: Language): MessageFacts {
  return Object.fromEntries(
    Object.entries(facts).map(([name, fact = '']) => {
      if (COUNTED.includes(name)) return [name, Number(fact.replaceAll(',', ''))];
      if (name === 'format') return [name, say('dialect.format', { format: formatNamed(fact) })];
      const at = name === 'time' ? Date.parse(fact) : NaN;
      return [name, Number.isNaN(at) ? fact : moment(at)];
    }),
  );
}

function formatNamed(name: string): string {
  return Object.entries(FORMAT_NAMES).find(([, known]) => known === name)?.[0] ?? 'text';
}

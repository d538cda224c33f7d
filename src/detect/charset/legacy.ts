import { setImmediate } from 'node:timers/promises';
import { counted } from '../../wording/words.ts';
import { characterOf } from './character.ts';
import { CANDIDATES, type Candidate, type DetectedCharset } from './charsets.ts';
import { foreignWords, plainWords, type ForeignWord } from './foreign-words.ts';
import { isIdeographic } from './ideographic-bytes.ts';
import { plainWordFit } from './language.ts';
import { misreadCharacter } from './misread.ts';
import { mayReach, readWords, type Context, type Reading } from './readings.ts';
import type { HeaderNames } from '../table/header-names.ts';

/** A quick pass over this many words leaves this many candidates for the full one. */
const QUICK_WORDS = 30;
const FINALISTS = 8;
/** A reading this much less likely than the best one is ruled out. */
const FAR = 16;

const SURE = 0.9;

/**
 * The charset of a text that is not Unicode, by how plausible its words are in each charset; where that leaves it open, the one that is likely
 * beforehand. Pure, and yields to the event loop.
 */
export async function legacyCharset(sample: Uint8Array, names: HeaderNames, likely?: string): Promise<DetectedCharset> {
  const words = foreignWords(sample);
  await setImmediate();
  const plain = plainWords(sample);
  await setImmediate();
  const plainFit = plainWordFit(plain);
  await setImmediate();
  const context = { names, plainFit };
  const ranked = judgeTwins(await rankReadings(words, context), words, context);
  const best = preferred(ranked);
  const rival = ranked.find((reading) => !readsAlike(reading, best));
  const margin = rival === undefined ? Infinity : ranked[0]!.score - rival.score;
  const confidence = words.length === 0 ? 0 : confidenceOf(best, margin);
  const sure = confidence >= SURE;
  const evidence = describe(best, rival, words);
  const before = sure ? undefined : ranked.find((reading) => reading.charset === likely);
  if (before !== undefined && ranked[0]!.score - before.score < FAR && isWhole(before)) {
    const { charset } = before;
    const shown = `The deliveries before it are in ${charset}, in which this one can be read without a flaw.`;
    return { charset, bom: false, sure: true, confidence: SURE, evidence: [shown, ...evidence] };
  }
  return {
    charset: best.charset,
    bom: false,
    sure,
    confidence,
    evidence,
    ...(rival === undefined ? {} : { rival: rival.charset }),
  };
}

/** Whether a reading has no character that cannot be right. */
function isWhole(reading: Reading): boolean {
  return brokenShare(reading) === 0 && !isMisread(reading);
}

/** A reading below this fits no known language, however much better it is than the others. */
const WORST_LETTERS = -6.5;
/** Unless it has header names with this many letters beyond ASCII: no wrong reading has. */
const TELLING_LETTERS = 2;
/** Nor does a text with a larger share of control characters; a few damaged bytes in a long file are acceptable. */
const MOST_BROKEN = 0.05;
const WORST_FIT: Record<string, number> = { zh: -9, 'zh-Hant': -10, ja: -7.9, ko: -8.3 };

/** All readings of the words that are worth a look, the most plausible first. */
async function rankReadings(words: ForeignWord[], context: Context): Promise<Reading[]> {
  const step = Math.max(words.length / QUICK_WORDS, 1);
  const quick = Array.from({ length: Math.min(words.length, QUICK_WORDS) }, (_, at) => words[Math.floor(at * step)]!);
  const alphabetic = await rank(
    quick,
    CANDIDATES.filter(({ charset }) => !isIdeographic(charset)),
    context,
  );
  const least = alphabetic[0]!.score - FAR;
  const ideographic = CANDIDATES.filter(({ charset }) => isIdeographic(charset));
  const possible = ideographic.filter((candidate) => mayReach(least, quick, candidate));
  const ranked = [...alphabetic, ...(await rank(quick, possible, context))].sort((a, b) => b.score - a.score);
  if (quick.length === words.length) return ranked;
  const finalists = ranked.slice(0, FINALISTS);
  const isFinalist = ({ charset }: Candidate) => finalists.some((reading) => reading.charset === charset);
  return rank(words, CANDIDATES.filter(isFinalist), context);
}

/** Charsets that read all but this share of the words alike are twins. */
const TWINS = 0.1;
/** A twin that is less likely than this by all words is not the better one by some. */
const TWIN_RANGE = 30;

/**
 * Between near twins only the words decide that they read differently: words that both read alike would count for the one whose
 * languages are more like them. A twin that reads those better comes first.
 */
function judgeTwins(ranked: Reading[], words: ForeignWord[], context: Context): Reading[] {
  const first = ranked[0]!;
  for (const twin of ranked.slice(1)) {
    if (first.score - twin.score > TWIN_RANGE || isIdeographic(first.charset) || isIdeographic(twin.charset)) continue;
    const differing = words.filter((_, at) => first.words[at] !== twin.words[at]);
    if (differing.length === 0 || differing.length > words.length * TWINS) continue;
    const [its, other] = [twin, first].map(({ charset }) => readWords(differing, candidateOf(charset), context).score);
    if (its! > other!)
      return [{ ...twin, score: first.score + its! - other! }, ...ranked.filter((one) => one !== twin)];
  }
  return ranked;
}

function candidateOf(charset: string): Candidate {
  return CANDIDATES.find((candidate) => candidate.charset === charset)!;
}

/** Pauses after each candidate, because all of them together would block the event loop too long. */
async function rank(words: ForeignWord[], candidates: Candidate[], context: Context): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (const candidate of candidates) {
    readings.push(readWords(words, candidate, context));
    await setImmediate();
  }
  return readings.sort((a, b) => b.score - a.score);
}

/** Among readings that do not differ, the charset that is used most. */
function preferred(ranked: Reading[]): Reading {
  return ranked.filter((reading) => readsAlike(reading, ranked[0]!)).sort((a, b) => b.prior - a.prior)[0]!;
}

function readsAlike(a: Reading, b: Reading): boolean {
  return a.words.every((word, at) => word === b.words[at]);
}

function confidenceOf(best: Reading, margin: number): number {
  const enough = 1 / (1 + Math.exp(-(margin - 2) / 2));
  const isKnown =
    beyondAscii(best.known.join('')) >= TELLING_LETTERS || best.fit > (WORST_FIT[best.language] ?? WORST_LETTERS);
  const isLanguage = isKnown && !best.isWordless && !isMisread(best) && brokenShare(best) < MOST_BROKEN;
  const fits = isLanguage ? 1 : 0.5;
  return Math.round(enough * fits * 100) / 100;
}

function isMisread({ charset, words }: Reading): boolean {
  return !isIdeographic(charset) && misreadCharacter(words, candidateOf(charset)) !== undefined;
}

function beyondAscii(text: string): number {
  return Array.from(text).filter((character) => character > '\x7f').length;
}

/** The share of control characters and undefined bytes among the characters beyond ASCII. */
function brokenShare({ words }: Reading): number {
  let broken = 0;
  let foreign = 0;
  for (const character of words.join('')) {
    const { kind } = characterOf(character);
    if (kind !== 'plain' && kind !== 'ascii-letter') foreign += 1;
    if (kind === 'broken') broken += 1;
  }
  return broken / Math.max(foreign, 1);
}

function describe(best: Reading, rival: Reading | undefined, words: ForeignWord[]): string[] {
  const at = rival === undefined ? 0 : best.words.findIndex((word, index) => word !== rival.words[index]);
  const evidence = [
    `The file is not UTF-8; ${best.charset} gives the most plausible reading of its ${counted(words.length, 'word')} with letters beyond ASCII, such as "${best.words[at]}".`,
  ];
  if (rival !== undefined) evidence.push(`${rival.charset} would read that word as "${rival.words[at]}".`);
  if (best.known.length > 0) evidence.push(`Known header names in that reading: ${best.known.slice(0, 5).join(', ')}.`);
  return evidence;
}

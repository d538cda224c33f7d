import { nearest } from '../config/read/nearest.ts';
import { EXPLANATIONS, TEMPLATES, type Explanation } from './explanation.ts';

/** What was found for a code or a message, the likeliest first; what was probably meant where nothing was. */
export type Found = { explanations: Explanation[]; near: string[] };

/** A template with less than this of its own in it fits too much. */
const LEAST_LETTERS = 9;
const MOST_NEAR = 5;
/** Longer texts are no line. */
const LONGEST = 20_000;

/**
 * Finds what explains a code (`held`, `oem-empty`, `3`), a setting (`guard.maxRowDrop`), or a line with a message in it, as people paste it
 * from a terminal, a log or a mail. Pure.
 */
export function explain(asked: string): Found {
  const text = asked.slice(0, LONGEST).replaceAll(/\s+/g, ' ').trim();
  const named = byCode(text);
  if (named.length > 0) return { explanations: named, near: [] };
  const said = textsIn(text).flatMap((line) => byMessage(line) ?? [])[0];
  if (said !== undefined) return { explanations: [said], near: [] };
  return { explanations: [], near: nearTo(text) };
}

function byCode(text: string): Explanation[] {
  const word = text.replaceAll(/^["'`“„]+|["'`”]+$/g, '').toLowerCase();
  const [, status] = /^(?:exit )?(?:status |code )?(\d{1,3})$/.exec(word) ?? [];
  const [, , cause] = /^(\w+)(?:, |: ?)([\w-]+)$/.exec(word) ?? [];
  const words = [word, status, cause].filter((one) => one !== undefined);
  return EXPLANATIONS.filter(({ kind, code }) =>
    words.some((one) => (kind === 'setting' ? isSetting(one, code) : code.toLowerCase() === one)),
  );
}

/** Stands for names that people give. */
const NAME = 'NAME';

/** True for a setting by its path, with or without its beginning, whatever name stands for NAME. */
function isSetting(asked: string, code: string): boolean {
  const given = asked.replaceAll(/\[\d*\]/g, '[]').split('.');
  const parts = code.split('.');
  if (given.length > parts.length || (given.length === 1 && parts.length > 1 && !isTelling(given[0]!))) return false;
  return parts
    .slice(-given.length)
    .every((part, at) => part.toLowerCase() === given[at] || (part === NAME && given.length > 1));
}

/** A last name alone says which setting is meant when no others end with it: `maxRowDrop`, not `type`. */
function isTelling(name: string): boolean {
  const ends = EXPLANATIONS.flatMap(({ kind, code }) =>
    kind === 'setting' && code.toLowerCase().endsWith(`.${name}`) ? code.split('.').slice(-2).join('.') : [],
  );
  return new Set(ends).size === 1;
}

/** The texts that a line may be: itself, and of a line of JSON all that stands in it. */
function textsIn(line: string): string[] {
  if (!line.startsWith('{')) return [line];
  try {
    return textsOf(JSON.parse(line));
  } catch {
    return [line];
  }
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** Messages as they are compared: their own words in pieces, and how many letters these have. */
const MESSAGES = TEMPLATES.map(({ text, explanation }) => {
  const pieces = folded(text).split('…');
  return { text, explanation, pieces, letters: lettersOf(pieces.join('')) };
});

/** The explanation of the message that a line has the most of; the message is its example. */
function byMessage(line: string): Explanation | null {
  const text = folded(line);
  // People paste a part of a message, too, behind the place that it is about.
  const ends = text.split(': ').map((_, at, all) => all.slice(at).join(': '));
  const parts = ends.filter((end) => lettersOf(end) >= LEAST_LETTERS);
  const whole = MESSAGES.filter(({ letters, pieces }) => letters >= LEAST_LETTERS && standIn(text, pieces));
  const found =
    whole.length > 0 ? whole : MESSAGES.filter(({ pieces }) => parts.some((part) => pieces.join('…').includes(part)));
  const [best] = found.toSorted((a, b) => b.letters - a.letters);
  return best === undefined ? null : { ...EXPLANATIONS[best.explanation]!, example: best.text };
}

function folded(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

function lettersOf(text: string): number {
  return text.replaceAll(/[^\p{L}]+/gu, '').length;
}

function standIn(text: string, pieces: string[]): boolean {
  let from = 0;
  for (const piece of pieces) {
    const at = text.indexOf(piece, from);
    if (at === -1) return false;
    from = at + piece.length;
  }
  return true;
}

/** Codes that are written nearly so, then those of which the words are told. */
function nearTo(text: string): string[] {
  const codes = EXPLANATIONS.map(({ code }) => code);
  const ends = new Map(codes.map((code) => [code.split('.').at(-1)!, code]));
  const typed = [nearest(text, codes), ends.get(nearest(text, ends.keys()) ?? '')];
  const words = text
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word.length > 2);
  const speaking = EXPLANATIONS.filter(({ code, meaning }) => {
    const said = `${code} ${meaning}`.toLowerCase();
    return words.length > 0 && words.every((word) => said.includes(word));
  });
  const near = [...typed, ...speaking.map(({ code }) => code)].filter((code) => code !== undefined);
  return [...new Set(near)].slice(0, MOST_NEAR);
}

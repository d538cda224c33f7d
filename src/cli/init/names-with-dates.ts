import { LEAST_DIGITS, literal, WEEK } from './group-files.ts';

const YEAR = String.raw`(?<y>(?:19|20)\d{2})`;
const MONTH = String.raw`(?<m>0[1-9]|1[0-2])`;
const DAY = String.raw`(?<d>0[1-9]|[12]\d|3[01])`;

/** A date in a name, as patterns write it; day and month are told from other numbers by their ranges. */
const DATES = [
  {
    found: new RegExp(String.raw`(?<!\d)${YEAR}(?<mark>[-_. ]?)${MONTH}\k<mark>${DAY}(?!\d)`, 'u'),
    parts: ['yyyy', 'MM', 'dd'],
  },
  {
    found: new RegExp(String.raw`(?<!\d)${DAY}(?<mark>[-_. ]?)${MONTH}\k<mark>${YEAR}(?!\d)`, 'u'),
    parts: ['dd', 'MM', 'yyyy'],
  },
];

/** Reads the date in a name; null where there is none. `format`: as patterns write it. Pure. */
function dateIn(name: string): { date: string; format: string; before: string; behind: string } | null {
  for (const { found, parts } of DATES) {
    const match = found.exec(name);
    if (match === null) continue;
    const { y = '', m = '', d = '', mark = '' } = match.groups ?? {};
    const [before, behind] = [name.slice(0, match.index), name.slice(match.index + match[0].length)];
    return { date: y + m + d, format: parts.join(mark), before, behind };
  }
  return null;
}

/**
 * The date in a name, as digits that grow with time, and a pattern with a star for each other number behind it, and for that of a week before it; null
 * without a date. Pure.
 */
export function datedName(name: string): { date: string; pattern: string } | null {
  const found = dateIn(name);
  if (found === null) return null;
  const before = numbersIn(found.before).map(({ kind, text }, at, all) =>
    kind === 'number' && WEEK.test(all[at - 1]!.text) ? '*' : literal(text),
  );
  const behind = literal(found.behind).replaceAll(/\d+/gu, '*');
  return { date: found.date, pattern: `${before.join('')}{${found.format}}${behind}` };
}

/** A piece of a name; of a date its format. */
type Piece = { kind: 'text' | 'number' | 'date'; text: string };

function piecesOf(name: string): Piece[] {
  const found = dateIn(name);
  if (found === null) return numbersIn(name);
  return [...numbersIn(found.before), { kind: 'date', text: found.format }, ...numbersIn(found.behind)];
}

/** Text and numbers in turn. */
function numbersIn(text: string): Piece[] {
  return text.split(/(\d+)/u).map((part, at) => ({ kind: at % 2 === 0 ? 'text' : 'number', text: part }));
}

/** Names that differ by dates and numbers alone. */
export type Alike = {
  /** With the date as patterns write it, and a star for each number that differs, or that tells a day, an hour or a week. */
  pattern: string;
  /** The numbers of each name, in its order. */
  numbers: string[][];
  /** Which of the numbers differ. */
  differing: number[];
  /** Of each name; null where they have none. */
  dates: (string | null)[];
};

/** Reads names that differ by dates and numbers alone; null for others. Pure. */
export function alike(names: string[]): Alike | null {
  const all = names.map(piecesOf);
  const [first] = all;
  if (first === undefined || all.some((pieces) => !haveSameText(pieces, first))) return null;
  const differs = (at: number) => all.some((pieces) => pieces[at]!.text !== first[at]!.text);
  const pattern = first.map(({ kind, text }, at) => {
    if (kind === 'date') return `{${text}}`;
    if (kind === 'text') return literal(text);
    return differs(at) || isTime(first, at, differs) ? '*' : text;
  });
  const places = first.flatMap(({ kind }, at) => (kind === 'number' ? [at] : []));
  return {
    pattern: pattern.join(''),
    numbers: all.map((pieces) => places.map((at) => pieces[at]!.text)),
    differing: places.flatMap((at, place) => (differs(at) ? [place] : [])),
    dates: names.map((name) => dateIn(name)?.date ?? null),
  };
}

function haveSameText(one: Piece[], other: Piece[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ kind, text }, at) => kind === other[at]!.kind && (kind === 'number' || text === other[at]!.text))
  );
}

const BETWEEN = /^[-_.T ]?$/u;

/** Whether a number is of a week, stands right behind a date, or is as long as one together with those beside it. */
function isTime(pieces: Piece[], at: number, differs: (at: number) => boolean): boolean {
  if (WEEK.test(pieces[at - 1]?.text ?? '')) return true;
  let digits = pieces[at]!.text.length;
  for (const step of [-1, 1]) {
    for (let near = at + step; BETWEEN.test(pieces[near]?.text ?? '-?'); near += 2 * step) {
      const { kind, text } = pieces[near + step] ?? { kind: 'text', text: '' };
      // Behind a date stands a time of day; before it may stand the number of a supplier.
      if (kind === 'date' && step === -1) return true;
      if (kind !== 'number' || differs(near + step)) break;
      digits += text.length;
    }
  }
  return digits >= LEAST_DIGITS;
}

const LONGEST_NUMBER = 3;

/** Whether numbers count the parts of a list: from 0 or 1, each once. Pure. */
export function areRunning(numbers: string[]): boolean {
  const sorted = numbers.map(Number).sort((a, b) => a - b);
  const areShort = numbers.length > 1 && numbers.every((number) => number.length <= LONGEST_NUMBER);
  return areShort && sorted[0]! <= 1 && sorted.every((number, at) => number === sorted[0]! + at);
}

import type { Word } from './words.ts';

/** What a part of a query was understood as. */
export type Term = { optional: boolean } & (
  | { as: 'words'; text: string }
  | { as: 'brand'; key: string }
  /** `details` are the ids of the reference parts that have this number. */
  | { as: 'number'; key: string; details: number[] }
);

/** What can be recognised in a query; a function that is not there recognises nothing. */
export type Recognisers = {
  /** The vehicles of a VIN or Frame that are indexed; empty for one that is not; undefined for what is neither. */
  vehicles?: (key: string) => number[] | undefined;
  brand?: (key: string) => boolean;
  /** Ids of the reference parts of a number, perhaps none; undefined for what is no number of any part. */
  number?: (key: string) => number[] | undefined;
};

/** A query as it is searched for. */
export type Understood = {
  terms: Term[];
  /** Vehicles that the query names; null when it names none that is indexed. */
  vehicles: number[] | null;
};

const LONGEST_NUMBER = 6;
const LONGEST_BRAND = 4;
const LONGEST_IDENT = 3;
const SHORTEST_NUMBER = 3;

/**
 * Recognises vehicles, numbers and brands in a query, the longest run of words first, so that `0 986 424 797` is one number.
 * A VIN that is not indexed restricts nothing: it is an optional word. Everything else is words.
 */
export function understand(words: readonly Word[], recognisers: Recognisers): Understood {
  const terms: Term[] = [];
  const vehicles: number[] = [];
  for (let at = 0; at < words.length;) {
    const found =
      vehicleAt(words, at, recognisers) ?? numberAt(words, at, recognisers) ?? brandAt(words, at, recognisers);
    if (found?.vehicles !== undefined) vehicles.push(...found.vehicles);
    const term = found === undefined ? plain(words[at]!) : found.term;
    if (term !== undefined) terms.push(term);
    at += found?.length ?? 1;
  }
  return { terms, vehicles: vehicles.length > 0 ? vehicles : null };
}

type Found = { length: number; term?: Term; vehicles?: number[] };

function plain({ text, optional }: Word): Term {
  return { as: 'words', text, optional };
}

function vehicleAt(words: readonly Word[], at: number, { vehicles }: Recognisers): Found | undefined {
  return longestRun(words, at, LONGEST_IDENT, ({ key, text, length }) => {
    const found = vehicles?.(key);
    if (found === undefined) return undefined;
    return found.length > 0 ? { length, vehicles: found } : { length, term: { as: 'words', text, optional: true } };
  });
}

function numberAt(words: readonly Word[], at: number, { number }: Recognisers): Found | undefined {
  return longestRun(words, at, LONGEST_NUMBER, ({ key, optional, length }) => {
    const details = key.length >= SHORTEST_NUMBER && /\p{N}/u.test(key) ? number?.(key) : undefined;
    return details === undefined ? undefined : { length, term: { as: 'number', key, details, optional } };
  });
}

function brandAt(words: readonly Word[], at: number, { brand }: Recognisers): Found | undefined {
  return longestRun(words, at, LONGEST_BRAND, ({ key, optional, length }) =>
    brand?.(key) === true ? { length, term: { as: 'brand', key, optional } } : undefined,
  );
}

type Run = { key: string; text: string; optional: boolean; length: number };

/** A mark before the first word of a run makes the whole run optional; a marked word within ends it before. */
function longestRun(
  words: readonly Word[],
  at: number,
  longest: number,
  recognise: (run: Run) => Found | undefined,
): Found | undefined {
  const within = words.slice(at + 1, at + longest).findIndex(({ optional }) => optional);
  const most = Math.min(within === -1 ? longest : within + 1, words.length - at);
  for (let length = most; length > 0; length -= 1) {
    const run = words.slice(at, at + length);
    const key = run.map((word) => word.key).join('');
    const found = recognise({ key, text: run.map(({ text }) => text).join(' '), optional: run[0]!.optional, length });
    if (found !== undefined) return found;
  }
  return undefined;
}

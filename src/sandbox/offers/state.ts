import type { Fate } from '../faults/fate.ts';

/** What is stored of one upload; its state is not: `stateOf` derives it from these facts and the clock. */
export type OfferFacts = {
  /** Order of acceptance; ids alone need not show it. */
  seq: number;
  /** int64 as decimal text. */
  id: string;
  login: string;
  /** Name of the uploaded bytes in the files folder. */
  file: string;
  sourceFile: string | null;
  /** What the name or media type says that the file is; a zip is recognised by its content. */
  kind: 'txt' | 'csv';
  askedDelimiter: string | null;
  askedCharset: 'UTF-8' | 'UTF-16' | null;
  createdAt: number;
  /** When it leaves the queue, and when it is done at the earliest. */
  startsAt: number;
  dueAt: number;
  rowsRead: number;
  /** When `rowsRead` was last written. */
  progressAt: number;
  /** Null while the file has not been read to its end. */
  result: 'success' | 'failed' | 'aborted' | null;
  error: string | null;
  errorRows: number;
  delimiter: string | null;
  charset: string | null;
  /** When the result becomes visible; null as long as there is none. */
  finishedAt: number | null;
  /** What faults make of it; null: nothing. */
  fate: Fate | null;
};

/** What a client sees of an upload at one moment. */
export type OfferState = {
  state: 'queued' | 'processing' | 'success' | 'failed' | 'aborted';
  rowsProcessed: number;
  lastModifiedTime: number;
};

const STEPS = 20;

/** The greatest time that is exact: later than any clock. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** The state of an upload at `now`. A later `now` never shows fewer rows or an earlier change. */
export function stateOf(facts: OfferFacts, now: number): OfferState {
  if (facts.result !== null && facts.finishedAt !== null && now >= facts.finishedAt) {
    return { state: facts.result, rowsProcessed: facts.rowsRead, lastModifiedTime: facts.finishedAt };
  }
  if (now < facts.startsAt) return { state: 'queued', rowsProcessed: 0, lastModifiedTime: facts.createdAt };
  const { share, at } = facts.fate?.stuck === true ? { share: 0.5, at: facts.startsAt } : progress(facts, now);
  return {
    state: 'processing',
    rowsProcessed: Math.floor(facts.rowsRead * share),
    lastModifiedTime: share === 1 ? Math.max(at, facts.progressAt) : at,
  };
}

/** How far processing seems to be, in steps, and when the last step was. */
function progress(facts: OfferFacts, now: number): { share: number; at: number } {
  const length = facts.dueAt - facts.startsAt;
  if (now >= facts.dueAt || length <= 0) return { share: 1, at: facts.dueAt };
  const step = Math.floor(((now - facts.startsAt) * STEPS) / length);
  return { share: step / STEPS, at: facts.startsAt + Math.floor((step * length) / STEPS) };
}

/** Whether the index knows the rows of a successful upload. */
export function isIndexed(facts: OfferFacts, now: number): boolean {
  return stateOf(facts, now).state === 'success' && now >= (facts.finishedAt ?? now) + (facts.fate?.lag ?? 0);
}

/** The file name that the service shows; null: none. */
export function shownName({ fate, sourceFile }: OfferFacts): string | null {
  return fate?.sourceFile === undefined ? sourceFile : fate.sourceFile;
}

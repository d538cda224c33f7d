import * as fc from 'fast-check';
import type { RunOptions } from '../../../src/ledger/schema/json-values.ts';
import type { DatasetRow, IntentRow, RunRow, UploadRow } from '../../../src/ledger/schema/schema.ts';
import type { WatchRow } from '../../../src/ledger/schema/watch-schema.ts';
import type { AcceptedUpload } from '../../../src/ledger/uploads/accepted-uploads.ts';
import type { KnownAttempt } from '../../../src/ledger/uploads/watches.ts';
import type { LaneFacts, UploadFacts } from '../../../src/jobs/lane/lane-facts.ts';
import type { DatasetHeld } from '../../../src/jobs/guards/dataset-guard.ts';
import type { Receipt, TrippedGuard } from '../../../src/model.ts';
import type { Listed } from '../../../src/upload/protocol/attempt.ts';

export const NOW = Date.UTC(2026, 4, 4);
const HOUR = 3_600_000;

/** A login as a few values: what its ledger, its service and its archive say. */
export type Login = {
  denied: boolean;
  /** An intent is open. */
  open: boolean;
  paused: boolean;
  damaged: boolean;
  onForeign: 'alarm' | 'restore';
  isDue: boolean;
  unverified: string | null;
  restores: number;
  /** Uploads that the service called a success, oldest first. */
  successes: AcceptedUpload[];
  /** Attempts that were given up, and their datasets' hashes. */
  givenUp: KnownAttempt[];
  records: Listed[];
  /** What is live was met before: with the same rows as one of ours, and restored since or not. */
  met: { sameRows: boolean; restored: boolean } | null;
  runs: RunRow[];
  due: number;
  deaths: 'none' | 'some' | 'too-many';
  answers: Answers;
};

/** How the service, the archive and the guards answer whenever they are asked. */
export type Answers = {
  look: 'answers' | 'fails' | 'denies';
  recognises: boolean;
  isArchived: boolean;
  hasSameRows: boolean;
  settles: boolean;
  verifiesLate: boolean;
  proof: 'verified' | 'failed' | 'unavailable';
  drives: 'waits' | 'succeeds';
  holds: boolean;
  uncertain: boolean;
};

/** What a guard says that holds a dataset. */
export const SHRANK: DatasetHeld = { tripped: {} as TrippedGuard, reason: 'it shrank', culprits: [] };

const HASHES = ['a', 'b', 'c'];

/** An upload that the service accepted; of its rows, the columns that plans are made from. */
export function accepted(at: number, sha256: string, set: Partial<IntentRow> = {}): AcceptedUpload {
  const time = NOW - HOUR + at;
  const names = { id: `u${at}`, intent: `i${at}`, token: `token${at}x`, offer_id: `o${at}` };
  const upload = { ...names, login: 'main', state: 'success', errors_sha: null, closed_at: time } as UploadRow;
  const decided = { id: `i${at}`, login: 'main', created_at: time, cause: 'composed', result: 'met', receipt: null };
  return { upload, intent: { ...decided, ...set } as IntentRow, dataset: datasetOf(sha256) };
}

function datasetOf(sha256: string): DatasetRow {
  return { id: `d${sha256}`, login: 'main', sha256, index_sha: `index ${sha256}` } as DatasetRow;
}

/** A record of the service's list. */
export function listed(id: string, sourceFile: string | null, state = 'success'): Listed {
  return { id, sourceFile, state, linesProcessed: 1, lastModified: NOW, error: null, errorFileExists: false };
}

function run(at: number, options: RunOptions): RunRow {
  return { id: `r${at}`, feed: `feed${at}`, login: 'main', options } as RunRow;
}

const hash = fc.constantFrom(...HASHES);
/** Mostly not empty. */
const some = <T>(one: fc.Arbitrary<T>, maxLength: number, weight: number) =>
  fc.oneof({ weight, arbitrary: fc.array(one, { minLength: 1, maxLength }) }, fc.constant<T[]>([]));
const rarely = fc.integer({ min: 0, max: 15 }).map((n) => n === 0);
const mostly = fc.integer({ min: 0, max: 3 }).map((n) => n > 0);
const LAGGED: Receipt = { verified: false, checks: [{ check: 'search', result: 'failed', detail: 'not found' }] };
const DISPROVED: Receipt = { verified: false, checks: [{ check: 'source', result: 'failed', detail: 'other rows' }] };

const success = fc.record({
  sha256: hash,
  intent: fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.constant({ cause: 'baseline' as const }),
    fc.constantFrom(LAGGED, DISPROVED).map((receipt) => ({
      result: 'unproved' as const,
      receipt,
    })),
  ),
});

const answers: fc.Arbitrary<Answers> = fc.record({
  look: fc.oneof({ weight: 8, arbitrary: fc.constant('answers' as const) }, fc.constantFrom('fails', 'denies')),
  recognises: fc.boolean(),
  isArchived: mostly,
  hasSameRows: fc.boolean(),
  settles: fc.boolean(),
  verifiesLate: fc.boolean(),
  proof: fc.constantFrom('verified', 'failed', 'unavailable'),
  drives: fc.constantFrom('waits', 'succeeds'),
  holds: fc.boolean(),
  uncertain: fc.boolean(),
});

/** Where a record of the list comes from: an upload of ours, an attempt that was given up, or a foreign one. */
const origin = fc.constantFrom('ours', 'ours', 'given-up', 'foreign', 'unfinished');

/** Any login, however unlikely. */
export const anyLogin: fc.Arbitrary<Login> = fc
  .record({
    denied: rarely,
    open: rarely,
    paused: rarely,
    damaged: rarely,
    onForeign: fc.constantFrom('alarm' as const, 'restore' as const),
    isDue: mostly,
    unverified: fc.constantFrom(null, 'u99'),
    restores: fc.constantFrom(0, 0, 0, 1, 2, 3),
    history: some(success, 3, 4),
    lost: fc.array(hash, { maxLength: 2 }),
    origins: fc.array(origin, { maxLength: 4 }),
    met: fc.option(fc.record({ sameRows: fc.boolean(), restored: fc.boolean() }), { freq: 1 }),
    options: some(fc.constantFrom<RunOptions>({}, { force: true }, { alone: true }), 2, 1),
    due: fc.constantFrom(0, NOW + HOUR),
    deaths: fc.constantFrom('none' as const, 'none' as const, 'some' as const, 'too-many' as const),
    answers,
  })
  .map((drawn): Login => {
    const { history, lost, origins, options, ...login } = drawn;
    const successes = history.map(({ sha256, intent }, at) => accepted(at, sha256, intent));
    const givenUp = lost.map((sha256, at) => attempt(`lost${at}`, sha256));
    const records = origins.map((from, at) => recordFrom(from, at, successes, givenUp));
    // What is paused brings no candidate: `whatToCompose` sees to it.
    const runs = login.paused ? [] : options.map((asked, at) => run(at, asked));
    return Object.assign(login, { successes, givenUp, records, runs });
  });

function attempt(id: string, sha256: string): KnownAttempt {
  return { id, intent: `i${id}`, token: `token${id}x`, state: 'lost', offer_id: null, sha256 };
}

function recordFrom(from: string, at: number, successes: AcceptedUpload[], givenUp: KnownAttempt[]): Listed {
  const ours = successes.at(-1 - (at % 2));
  const lost = givenUp[at % 2];
  if (from === 'ours' && ours !== undefined) return listed(ours.upload.offer_id ?? '', null);
  if (from === 'given-up' && lost !== undefined) return listed(`late${at}`, `offerline-main-${lost.token}.txt`);
  return listed(`foreign${at}`, 'prices.txt', from === 'unfinished' ? 'processing' : 'success');
}

/** What is gathered of a login. */
export function factsOf(login: Login): LaneFacts {
  const { denied, open, runs, due, deaths } = login;
  const refused = { login: 'main', at: NOW, operation: 'offer/list', text: 'no', fingerprint: '', retry: 0 };
  const denial = denied ? refused : null;
  const intent = open && !denied ? accepted(90, 'a', { result: null }).intent : null;
  const facts = { login: 'main', denial, intent, wait: null };
  if (denial !== null || intent !== null) return { ...facts, idle: null };
  const suspicion = { givenUp: deaths === 'too-many' ? runs.slice(0, 1) : [], suspected: deaths !== 'none' };
  const { damaged } = login;
  return {
    ...facts,
    idle: { now: NOW, damaged, next: { states: [], pending: runs, due }, suspicion, watch: watchFactsOf(login) },
  };
}

function watchFactsOf({ isDue, unverified, runs, due, onForeign, paused, restores, ...login }: Login) {
  return {
    login: 'main',
    now: NOW,
    sending: runs.length > 0 && due <= NOW,
    pending: runs,
    watch: { next_at: isDue ? 0 : NOW + HOUR, wait_ms: HOUR, unverified } as WatchRow,
    ...uploadsOf(login),
    onForeign,
    paused,
    restores,
    found: {},
  };
}

/** The newest success of a login, and the newest that was proved. */
export function uploadsOf({ successes }: Pick<Login, 'successes'>) {
  return {
    current: successes.at(-1) ?? null,
    verified: successes.findLast(({ intent }) => intent.result === 'met') ?? null,
  };
}

/** What decides about a dataset of a login that was composed. */
export function uploadFactsOf(login: Login, sha256: string): UploadFacts {
  const blob = { sha256, bytes: 1 };
  const composed = { bytes: 1, rows: 1, parts: [], merged: null, upload: blob, index: blob };
  const made = { login: 'main', pending: login.runs, leaving: [], composed, sha256, index: 'index' };
  return { made, ...uploadsOf(login), uncertain: login.answers.uncertain, held: undefined };
}

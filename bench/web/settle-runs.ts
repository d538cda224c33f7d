import type { Config } from '../../src/config/schema/schema.ts';
import type { RunRow } from '../../src/ledger/schema/schema.ts';
import type { Cause } from '../../src/model.ts';
import { storeReason } from '../../src/wording/reasons/reason.ts';
import { runSentence, type RunReason } from '../../src/wording/reasons/run-reasons.ts';
import type { Draw } from './draw.ts';
import { makeIntent, type MadeIntent, type ToUpload } from './upload-rows.ts';

/** Deliveries of a login within it become one upload. */
const COALESCED = 900_000;

const RESULTS = [
  ['met', 0.94],
  ['unproved', 0.01],
  ['failed', 0.04],
  ['refused', 0.01],
] as const;

type Failure = [cause: Cause, reason: RunReason];

/** `index`: the file of the archive that each dataset names. */
type Uploading = { config: Config; index: string; end: number };

/** Makes the uploads that the runs went into, and tells the runs: those whose upload failed have failed. */
export function settleRuns(runs: RunRow[], { config, index, end }: Uploading, draw: Draw): MadeIntent[] {
  const intents: MadeIntent[] = [];
  const live = new Map(Object.keys(config.logins).map((login) => [login, new Map<string, RunRow>()]));
  const accepted = runs.filter(({ outcome }) => outcome === 'live' || outcome === 'partial');
  for (const group of Map.groupBy(accepted, windowOf).values()) {
    const [first] = group;
    const before = live.get(first!.login)!;
    const after = new Map([...before, ...group.map((run) => [run.feed, run] as const)]);
    const isFirst = before.size === 0;
    const result = isFirst ? 'met' : draw.weighted(RESULTS);
    const at = Math.max(...group.map((run) => run.created_at)) + 1000;
    const state = result === 'failed' || result === 'refused' ? result : 'success';
    const made = makeIntent({ login: first!.login, at, live: after, result, state }, index, config.offer, draw);
    for (const run of group) run.intent = made.intent.id;
    if (result === 'met') live.set(first!.login, after);
    else for (const run of group) failRun(run, result, made);
    intents.push(made);
  }
  return [...intents, ...openIntents(runs, live, { config, index, end }, draw)];
}

function windowOf({ login, created_at }: RunRow): string {
  return `${login} ${Math.floor(created_at / COALESCED)}`;
}

function failRun(run: RunRow, result: ToUpload['result'], { attempts }: MadeIntent): void {
  const upload = attempts.at(-1)?.offer_id ?? null;
  const said = 'Line 17: brand “БОШ” is unknown <b>';
  const failures: { refused: Failure; failed: Failure; unproved: Failure } = {
    refused: ['refused', { code: 'upload-refused', said }],
    failed: ['upload-failed', { code: 'upload-failed', upload, said }],
    unproved: ['unproved', { code: 'unproved', upload, failed: ['tags: 3 of 12'], checks: [] }],
  };
  const [cause, reason] = failures[result === 'refused' || result === 'failed' ? result : 'unproved'];
  Object.assign(run, { outcome: 'failed', options: { cause }, reason: runSentence(reason), ...storeReason(reason) });
  run.account = null;
}

/** Two logins have an upload under way: one that the service works on, and one of which nothing is known. */
function openIntents(
  runs: RunRow[],
  live: Map<string, Map<string, RunRow>>,
  { config, index, end }: Uploading,
  draw: Draw,
): MadeIntent[] {
  const logins = Object.keys(config.logins).slice(1, 3);
  return logins.flatMap((login, at) => {
    const run = runs.findLast((one) => one.login === login && one.counts !== null && one.outcome !== 'held');
    if (run === undefined) return [];
    const rows = new Map([...live.get(login)!, [run.feed, run]]);
    const state = at === 0 ? 'submitted' : 'unknown';
    return [makeIntent({ login, at: end - 600_000, live: rows, result: null, state }, index, config.offer, draw)];
  });
}

import type { OfferConfig } from '../../src/config/schema/schema.ts';
import type { FeedAccount } from '../../src/ledger/schema/json-values.ts';
import type { DatasetPart, DatasetRow, IntentRow, RunRow, UploadRow } from '../../src/ledger/schema/schema.ts';
import type { UploadState } from '../../src/model.ts';
import type { Draw } from './draw.ts';

/** An intent with its dataset and its attempts. */
export type MadeIntent = { dataset: DatasetRow; intent: IntentRow; attempts: UploadRow[] };

/** What is uploaded: the newest rows of each feed. `result`: null while its last attempt is open in that state. */
export type ToUpload = {
  login: string;
  at: number;
  live: ReadonlyMap<string, RunRow>;
  result: 'met' | 'unproved' | 'failed' | 'refused' | null;
  state: UploadState;
};

/** The decision to make the rows of these runs live, and what came of it. */
export function makeIntent(made: ToUpload, index: string, offer: OfferConfig, draw: Draw): MadeIntent {
  const { login, at, live, result } = made;
  const parts = [...live].map(([feed, run]): DatasetPart => {
    return { feed, run: run.id, rows: run.account?.contributed ?? run.counts?.accepted ?? 0, outranked: run.outranked };
  });
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const dataset: DatasetRow = {
    id: draw.id(at),
    login,
    sha256: draw.hex(64),
    bytes: rows * 40,
    rows,
    index_sha: index,
    parts,
    offer,
    merged_tags: null,
    created_at: at,
    pruned_at: null,
  };
  const verified = result === 'met';
  const checks = [{ check: 'tags', result: verified ? 'ok' : 'failed', detail: 'listTags shows 12 of 12' } as const];
  const isAccepted = result === 'met' || result === 'unproved';
  const intent: IntentRow = {
    id: draw.id(at),
    login,
    dataset: dataset.id,
    created_at: at,
    cause: 'composed',
    rollback_to: null,
    known_ids: [offerId(at - 86_400_000), offerId(at - 172_800_000)],
    result,
    closed_at: result === null ? null : at + 300_000,
    receipt: isAccepted ? { verified, checks } : null,
    rejected_rows: 0,
    accounts: isAccepted ? accountsOf(live) : null,
  };
  // A lost attempt before, now and then.
  const lost = draw.chance(0.08) ? [attemptOf(made, intent, { attempt: 1, state: 'lost', rows }, draw)] : [];
  const attempt = lost.length + 1;
  return { dataset, intent, attempts: [...lost, attemptOf(made, intent, { attempt, state: made.state, rows }, draw)] };
}

function accountsOf(live: ReadonlyMap<string, RunRow>): Record<string, FeedAccount> {
  const accounts = [...live].map(([feed, run]): [string, FeedAccount] => [feed, { ...run.account!, rejections: null }]);
  return Object.fromEntries(accounts);
}

function offerId(at: number): string {
  return String(9_007_199_254_740_993n + BigInt(at));
}

type Attempt = { attempt: number; state: UploadState; rows: number };

const OPEN: readonly UploadState[] = ['intended', 'sending', 'unknown', 'submitted'];

function attemptOf(
  { login, at }: ToUpload,
  intent: IntentRow,
  { attempt, state, rows }: Attempt,
  draw: Draw,
): UploadRow {
  const began = at + (attempt - 1) * 60_000;
  const isOpen = OPEN.includes(state);
  const isListed = ['submitted', 'success', 'failed', 'aborted'].includes(state);
  const said = state === 'success' ? null : 'Line 17: brand “БОШ” is unknown <b>';
  const done = isOpen ? Math.floor(rows / 3) : rows;
  const record = {
    state: state === 'submitted' ? 'processing' : state,
    linesProcessed: done,
    lastModified: began,
    error: said,
    errorFileExists: false,
  };
  return {
    id: draw.id(began),
    intent: intent.id,
    login,
    attempt,
    token: draw.hex(12),
    state,
    offer_id: isListed ? offerId(began) : null,
    adopted: draw.chance(0.03) ? 1 : 0,
    looks: draw.below(6),
    watched_ms: 0,
    marks: null,
    refusal: null,
    waits: 0,
    next_at: 0,
    wait_ms: 0,
    note: isOpen ? `the service has processed ${done} of ${rows} lines` : null,
    service_state: isListed ? record.state : null,
    error: isListed ? said : null,
    lines_processed: isListed ? done : null,
    progress_at: began,
    silent_since: null,
    record: isListed ? record : null,
    errors_sha: null,
    created_at: began,
    sent_at: began + 1000,
    closed_at: isOpen ? null : began + 120_000,
  };
}

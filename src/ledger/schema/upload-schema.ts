import type { OfferConfig } from '../../config/schema/schema.ts';
import type { MergedTags, Receipt, UploadState } from '../../model.ts';
import type { DatasetPart, FeedAccount, Marks, Refusal, ServiceState } from './json-values.ts';

/** What is uploaded: the composed rows of a login's feeds. */
export type DatasetRow = {
  id: string;
  login: string;
  /** Hash of the text file as uploaded (before zipping). */
  sha256: string;
  bytes: number;
  rows: number;
  /** Hash of the row index: feed, supplier line and cells of each row, in upload order. */
  index_sha: string;
  parts: DatasetPart[];
  /** The `offer` settings that it was composed with: its bytes stay readable when they change. */
  offer: OfferConfig;
  /** Null when the tags are the winner's. */
  merged_tags: MergedTags | null;
  created_at: number;
  /** When its bytes were pruned. */
  pruned_at: number | null;
};

/** The decision to make one dataset live. */
export type IntentRow = {
  id: string;
  login: string;
  dataset: string;
  created_at: number;
  /** `restore`: the last good dataset is sent again. `baseline`: taken over from the service, never sent by us. */
  cause: 'composed' | 'rollback' | 'restore' | 'baseline';
  /** The earlier upload whose dataset is made live again; null when it was composed. */
  rollback_to: string | null;
  /** The offer ids listed at the first look; never advanced. */
  known_ids: readonly string[] | null;
  /** Null while open. `met`: accepted once and proved live. `unproved`: a success whose receipt failed. */
  result: 'met' | 'unproved' | 'failed' | 'refused' | null;
  closed_at: number | null;
  receipt: Receipt | null;
  /** Rows of the dataset that the service rejected, of all feeds. */
  rejected_rows: number;
  /** What became of each feed's part. Null before a success, and of what was taken over. */
  accounts: Record<string, FeedAccount> | null;
};

/** One attempt at an intent. */
export type UploadRow = {
  id: string;
  intent: string;
  login: string;
  attempt: number;
  token: string;
  state: UploadState;
  offer_id: string | null;
  adopted: number;
  /** Successful looks at the list since the outcome became unknown. */
  looks: number;
  /** Milliseconds in which it was watched since then, or since the record last moved. */
  watched_ms: number;
  /** What each clock that watches showed at its last probe. */
  marks: Marks | null;
  /** A definite no, not yet distinguished from a refusal of concurrency. */
  refusal: Refusal | null;
  /** Consecutive waits of the same kind; drives the backoff. */
  waits: number;
  /** When it is due, and how long the wait until then was when it was planned. */
  next_at: number;
  wait_ms: number;
  /** Why the upload waits, for people. */
  note: string | null;
  service_state: string | null;
  error: string | null;
  lines_processed: number | null;
  progress_at: number | null;
  /** Since when the service gives no usable answer; null while it does. */
  silent_since: number | null;
  /** What the service last said. */
  record: ServiceState | null;
  errors_sha: string | null;
  created_at: number;
  sent_at: number | null;
  closed_at: number | null;
};

/** The states in which an upload is unfinished: the partial unique index allows one such row per login. */
export const OPEN_STATES = ['intended', 'sending', 'unknown', 'submitted'] as const satisfies UploadState[];

/** What stops a login's lane until it works again. */
export type LaneFaultRow = {
  login: string;
  /** How often in a row, and since when. */
  times: number;
  first_at: number;
  /** Nobody tries it before. */
  next_at: number;
  text: string;
};

/** The accounts of an upload's feeds, by feed; null where none was drawn. */
export function accountsIn({ accounts }: Pick<IntentRow, 'accounts'>): Map<string, FeedAccount> | null {
  return accounts === null ? null : new Map(Object.entries(accounts));
}

/** The `offer` settings that a dataset was composed with. */
export function offerOf(dataset: DatasetRow): OfferConfig {
  return dataset.offer;
}

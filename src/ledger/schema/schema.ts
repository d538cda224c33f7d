import type { OfferConfig } from '../../config/schema/schema.ts';
import type { IncidentKind } from '../../incidents.ts';
import type { Outcome, RowCounts, Stage, UploadState } from '../../model.ts';
import type { DenialRow, ForeignUploadRow, WatchRow } from './watch-schema.ts';

/**
 * The ledger's tables. Times are epoch milliseconds by the database's clock; JSON is stored as text so that the same
 * schema fits SQLite and Postgres; hashes name blobs of the archive.
 */
export type Database = {
  meta: { key: string; value: string };
  runs: RunRow;
  feeds: FeedRow;
  datasets: DatasetRow;
  intents: IntentRow;
  uploads: UploadRow;
  leases: LeaseRow;
  events: { run: string; seq: number; at: number; stage: Stage; message: string };
  audit: AuditRow;
  pauses: PauseRow;
  freezes: FreezeRow;
  departures: DepartureRow;
  incidents: IncidentRow;
  watches: WatchRow;
  strangers: ForeignUploadRow;
  denials: DenialRow;
  mails: MailRow;
  starts: StartRow;
  lane_faults: LaneFaultRow;
};

/** Who works on something, and for how long. */
type LeaseRow = {
  name: string;
  owner: string;
  /** How often it was taken, and renewed since. */
  epoch: number;
  renewals: number;
  /** Milliseconds from each renewal to its end. */
  duration: number;
  /** Its end, in milliseconds of the monotonic clock of that name. */
  clock: string | null;
  ends: number;
  /** Its end by the database's clock, for people; 0: it was given up. */
  until: number;
};

/** One pass of one feed from pull to report. */
export type RunRow = {
  id: string;
  feed: string;
  login: string;
  /** Who asked for it: the schedule, a person, or a re-run of an earlier run. */
  cause: 'schedule' | 'manual' | 'rerun';
  /** JSON of RunOptions. */
  options: string;
  stage: Stage;
  outcome: Outcome | null;
  /** The outcome that this one took the place of, when the run had been answered before it was known. */
  amended: Outcome | null;
  /** The sentence as it was worded when the run was decided; what is shown is worded from code and facts. */
  reason: string | null;
  /** Code and JSON facts of the reason; null without a reason, and in runs of earlier versions. */
  reason_code: string | null;
  reason_facts: string | null;
  created_at: number;
  finished_at: number | null;
  /** Failed tries of the stage it stands at; reset when the stage is passed. */
  tries: number;
  delivery_sha: string | null;
  delivery_name: string | null;
  delivery_bytes: number | null;
  /** JSON; becomes the feed's checkpoint when the contribution is live. */
  checkpoint: string | null;
  /** Hash of the settings that reading depends on: a change makes the same bytes worth reading again. */
  settings_hash: string | null;
  /** JSON of Detection. */
  detection: string | null;
  /** Name of the text file inside the delivery. */
  entry: string | null;
  /** JSON of LocalCounts. */
  counts: string | null;
  /** JSON: number of issues by code. */
  issues: string | null;
  issues_sha: string | null;
  rows_sha: string | null;
  /** JSON array: the keys of the cells in the rows file. */
  columns: string | null;
  /** JSON array: the names of the cells that issues carry, in the supplier's order. */
  cell_names: string | null;
  /** The intent that this run's candidate went into. */
  intent: string | null;
  outranked: number;
  /** JSON of RowCounts, once the upload is settled. */
  account: string | null;
  rejections_sha: string | null;
  rejections_total: number;
  /** JSON of HeldDiff: what it would have changed when a guard held it. */
  diff: string | null;
  /** When the supplier last changed the delivered file, as far as that is known. */
  modified_at: number | null;
  /** JSON of {html, csv, json}. */
  reports: string | null;
  /** When its delivery and accepted rows were pruned, and when its reports, issues and rejections were. */
  bytes_pruned_at: number | null;
  reports_pruned_at: number | null;
  sandbox: number;
};

/** Work of a run that was begun and has not ended; one whose process is gone is a death in that work. */
export type StartRow = { id: string; run: string; stage: Stage; owner: string; at: number };

/** What stops a login's lane until it works again. */
export type LaneFaultRow = {
  login: string;
  /** How often in a row, since when, and when last. */
  times: number;
  first_at: number;
  last_at: number;
  /** Nobody tries it before. */
  next_at: number;
  text: string;
};

/** Something that a person decided; rows are only ever added. */
export type AuditRow = {
  id: string;
  at: number;
  /** The operating system's user. */
  who: string;
  action: 'approve' | 'reject' | 'pause' | 'resume' | 'resolve' | 'rollback' | 'release';
  /** What it was done to: a run, a feed, a login or an upload. */
  subject: string;
  reason: string;
};

/** A feed or login whose schedules and uploads stand still. */
export type PauseRow = { kind: 'feed' | 'login'; name: string; at: number; who: string; reason: string };

/** A feed whose contribution stays as it is: what is delivered meanwhile is held. */
export type FreezeRow = { feed: string; login: string; at: number; who: string; reason: string };

/** Something that is wrong with a feed or a login until it is right again. */
export type IncidentRow = {
  id: string;
  kind: IncidentKind;
  /** `feed NAME` or `login NAME`: the partial unique index allows one open incident of a kind and subject. */
  subject: string;
  login: string;
  feed: string | null;
  run: string | null;
  cause: string;
  /** What is wrong, as it was worded when it was raised last; what is shown is worded from code and facts. */
  text: string;
  /** Code and JSON facts of what is wrong; null in rows of earlier versions. */
  reason_code: string | null;
  reason_facts: string | null;
  /** JSON: facts for people and scripts. */
  numbers: string;
  /** How often it was raised, and when last. */
  times: number;
  opened_at: number;
  seen_at: number;
  /** When it was told last: the problem, then a reminder a day. Null: nobody was told yet. */
  told_at: number | null;
  recovered_at: number | null;
  recovery: string | null;
  recovered_run: string | null;
  /** When its recovery was told, or it was clear that there is nobody to tell. */
  settled_at: number | null;
};

/** A mail to one person, from the decision to send it until it was sent or given up. */
export type MailRow = {
  id: string;
  recipient: string;
  /** The run that it tells of; null when it tells of incidents or of a day. */
  run: string | null;
  /** JSON of MailSubject: what it is made from when it is sent. */
  about: string;
  at: number;
  tries: number;
  /** Nobody tries it before: a worker is at it, or its server was away. */
  next_at: number;
  /** Where it went. */
  sent_to: string | null;
  /** Why it could not be sent. */
  error: string | null;
  /** When it was clear that it will not be sent. */
  given_up_at: number | null;
};

/**
 * A feed that is in the live dataset of a login and no longer in its configuration, and that a guard keeps there; released,
 * it leaves at the next composition whatever the guards say.
 */
export type DepartureRow = { login: string; feed: string; at: number; reason: string; released_at: number | null };

/** What the ledger remembers of a feed between runs. */
export type FeedRow = {
  feed: string;
  login: string;
  /** The run whose accepted rows are the candidate; null when all accepted rows are live. */
  candidate: string | null;
  candidate_at: number | null;
  /** The run whose rows were last proved live. */
  contribution: string | null;
  /** Hash of the last proved delivery and of the settings it was read with. */
  live_sha: string | null;
  live_settings: string | null;
  /** JSON: where the source stands after the last proved delivery. */
  checkpoint: string | null;
  /** The schedule that `next_due` was reckoned by. */
  schedule: string | null;
  next_due: number | null;
  /** What the source says of the last delivery, to tell it from the next, and when it came. */
  delivered: string | null;
  delivered_at: number | null;
  /** Since when a delivery is waited for that never came. */
  expected_from: number | null;
  /** When it was first said that its rows expire. */
  warned_at: number | null;
};

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
  /** JSON of DatasetPart[]. */
  parts: string;
  /** JSON of the `offer` settings that it was composed with: its bytes stay readable when they change. */
  offer: string;
  /** JSON of MergedTags; null when the tags are the winner's. */
  merged_tags: string | null;
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
  /** JSON array: the offer ids listed at the first look; never advanced. */
  known_ids: string | null;
  /** Null while open. `met`: accepted once and proved live. `unproved`: a success whose receipt failed. */
  result: 'met' | 'unproved' | 'failed' | 'refused' | null;
  closed_at: number | null;
  /** JSON of Receipt. */
  receipt: string | null;
  /** Rows of the dataset that the service rejected, of all feeds. */
  rejected_rows: number;
  /** JSON of FeedAccount by feed: what became of each feed's part. Null before a success, and of what was taken over. */
  accounts: string | null;
};

/**
 * What became of one feed's part in an upload. `rejections`: hash and number of its traced rejections, null when there is none;
 * absent where an earlier version drew the account, which kept those of delivered files only.
 */
export type FeedAccount = RowCounts & { rejections?: { sha256: string; total: number } | null };

/** The accounts of an upload's feeds, by feed; null where none was drawn. */
export function accountsIn({ accounts }: Pick<IntentRow, 'accounts'>): Map<string, FeedAccount> | null {
  return accounts === null ? null : new Map(Object.entries(JSON.parse(accounts) as Record<string, FeedAccount>));
}

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
  /** JSON of Marks: what each clock that watches showed at its last look. */
  marks: string | null;
  /** JSON of {status, text}: a definite no, still to be told apart from a refusal of concurrency. */
  refusal: string | null;
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
  /** JSON of ServiceState: what the service last said. */
  record: string | null;
  errors_sha: string | null;
  created_at: number;
  sent_at: number | null;
  closed_at: number | null;
};

/** The `offer` settings that a dataset was composed with. */
export function offerOf(dataset: DatasetRow): OfferConfig {
  return JSON.parse(dataset.offer) as OfferConfig;
}

/** One feed's part of a dataset. */
export type DatasetPart = { feed: string; run: string; rows: number; outranked: number };

/** The states in which an upload is unfinished: the partial unique index allows one such row per login. */
export const OPEN_STATES = ['intended', 'sending', 'unknown', 'submitted'] as const satisfies UploadState[];

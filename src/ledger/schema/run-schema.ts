import type {
  AcceptedColumn,
  Detection,
  HeldDiff,
  LiveChange,
  Outcome,
  RowCounts,
  RunAnswer,
  Signals,
  Stage,
} from '../../model.ts';
import type { Checkpoint, KeptCounts, ListedFile, RunOptions } from './json-values.ts';

/** One pass of one feed from pull to report. */
export type RunRow = {
  id: string;
  feed: string;
  login: string;
  /** Who asked for it: the schedule, a person, a re-run of an earlier run, or a file that was pushed. */
  cause: 'schedule' | 'manual' | 'rerun' | 'push';
  options: RunOptions;
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
  /** The first span of its trace, in the form of W3C's header; null where nobody traces. */
  traceparent: string | null;
  /** Failed tries of the stage it stands at; reset when the stage is passed. */
  tries: number;
  /** When its file was taken, later than the files of all runs of its feed before; null until then, and in runs of earlier versions. */
  taken_at: number | null;
  delivery_sha: string | null;
  delivery_name: string | null;
  delivery_bytes: number | null;
  /** Becomes the feed's checkpoint when the contribution is live. */
  checkpoint: Checkpoint | null;
  /** Hash of the settings that reading depends on: a change makes the same bytes worth reading again. */
  settings_hash: string | null;
  detection: Detection | null;
  /** Name of the text file inside the delivery. */
  entry: string | null;
  counts: KeptCounts | null;
  /** Number of issues by code. */
  issues: Record<string, number> | null;
  issues_sha: string | null;
  rows_sha: string | null;
  /** Of changes: the run whose rows they were put upon; null of a full list, and where there were none. */
  base: string | null;
  /** The keys of the cells in the rows file. */
  columns: string[] | null;
  /** The names of the cells that issues carry, in the supplier's order. */
  cell_names: string[] | null;
  /** The intent that this run's candidate went into. */
  intent: string | null;
  outranked: number;
  account: RowCounts | null;
  rejections_sha: string | null;
  rejections_total: number;
  /** What it would have changed when a guard held it; once it is live what it changed, with `tags`. */
  diff: HeldDiff | (HeldDiff & LiveChange) | null;
  /** What was seen of its rows beside what is uploaded; null in runs of earlier versions. The sample of them has a file of its own. */
  signals: Signals | null;
  sample_sha: string | null;
  /** When the supplier last changed the delivered file, as far as that is known. */
  modified_at: number | null;
  reports: RunAnswer['reports'];
  /** When its delivery and accepted rows were pruned, and when its reports, issues and rejections were. */
  bytes_pruned_at: number | null;
  reports_pruned_at: number | null;
  sandbox: number;
};

/** Work of a run that was begun and has not ended; one whose process is gone is a death in that work. */
export type StartRow = { id: string; run: string; stage: Stage; owner: string; at: number };

/** What the ledger remembers of a feed between runs. */
export type FeedRow = {
  feed: string;
  login: string;
  /** The run whose accepted rows are the candidate; null when all accepted rows are live. */
  candidate: string | null;
  candidate_at: number | null;
  /** The run whose rows the next changes are put upon, whatever became of its upload; null: the candidate, else the contribution. */
  head: string | null;
  /** The run whose rows were last proved live. */
  contribution: string | null;
  /** Hash of the last proved delivery and of the settings it was read with. */
  live_sha: string | null;
  live_settings: string | null;
  /** Where the source stands after the last proved delivery. */
  checkpoint: Checkpoint | null;
  /** The schedule that `next_due` was computed from. */
  schedule: string | null;
  next_due: number | null;
  /** What the source says of the last delivery, to distinguish it from the next, and when it came. */
  delivered: string | null;
  delivered_at: number | null;
  /** Since when a delivery is waited for that never came. */
  expected_from: number | null;
  /** When it was first said that its rows expire. */
  warned_at: number | null;
};

/** A feed or login whose schedules and uploads stand still. */
export type PauseRow = { kind: 'feed' | 'login'; name: string; at: number; who: string; reason: string };

/** Days on which a supplier said that it delivers nothing, as `2026-12-24`, both included; one that was taken back stays for ever and does not count. */
export type AbsenceRow = {
  id: string;
  feed: string;
  first_day: string;
  last_day: string;
  at: number;
  who: string;
  reason: string;
  revoked_at: number | null;
};

/** A feed whose contribution stays as it is: what is delivered meanwhile is held. */
export type FreezeRow = { feed: string; login: string; at: number; who: string; reason: string };

/**
 * A feed that is in the live dataset of a login and no longer in its configuration, and that a guard keeps there; released,
 * it leaves at the next composition whatever the guards say.
 */
export type DepartureRow = { login: string; feed: string; at: number; reason: string; released_at: number | null };

/** Columns that a person accepted for a feed's files with one header. The rows stay for ever; a revoked one does not count. */
export type AcceptedColumnsRow = {
  id: string;
  feed: string;
  fingerprint: string;
  accepted: AcceptedColumn[];
  /** The header as it was seen; empty where there was none. */
  header_cells: string[];
  width: number;
  /** The run that it was accepted with. */
  run: string;
  who: string;
  reason: string;
  at: number;
  revoked_at: number | null;
  revoked_by: string | null;
  revoked_reason: string | null;
};

/**
 * A file that a feed's place held when a run took it, or passed it over for that one. `origin`: which place; `identity`: name,
 * size, time and version of the file as one text, since the same name may come again with other content.
 */
export type TakenFileRow = {
  feed: string;
  origin: string;
  identity: string;
  /** `result`: it is no delivery, but what offerline put there. */
  state: 'taken' | 'superseded' | 'result';
  listed: ListedFile;
  /** What was taken; null of a file that was not. */
  sha256: string | null;
  run: string;
  at: number;
  /**
   * What became of it there, where it was to be moved or deleted: `open` until it is done; `changed` and `gone` when it was no
   * longer the file that was taken. Null when it stays.
   */
  acknowledged: 'open' | 'done' | 'changed' | 'gone' | null;
  /** Failed tries to move or delete it. */
  tries: number;
};

/** A workbook of ours that belongs beside the files of a feed's place: that of the newest delivery whose result is called so. */
export type ResultRow = {
  feed: string;
  origin: string;
  /** Where it belongs, from the place on. */
  path: string;
  run: string;
  /** When the file of the run was taken. */
  taken_at: number;
  /** `given-up`: it cannot be made any more. */
  state: 'open' | 'done' | 'given-up';
  /** Failed tries to put it there. */
  tries: number;
  /** Where the last one was put, which has a number where somebody else's file had the name; null before the first. */
  placed: string | null;
  /** The hash of what was put there last. */
  content: string | null;
};

/** A file that was pushed to a feed, from the moment on at which the archive had its bytes. */
export type PushedRow = {
  id: string;
  feed: string;
  login: string;
  /** Made safe to show and to keep. */
  name: string;
  sha256: string;
  bytes: number;
  /** Later than that of all files that were pushed to the feed before. */
  at: number;
  /** The token or user that pushed it. */
  who: string;
  /** The run that takes it, or one that began after it. */
  run: string;
};

/** What a sender calls a push of a delivery, so that the same one is not taken twice. */
export type PushKeyRow = { feed: string; sender: string; key: string; pushed: string };

/** A source that refused a feed's credentials: since when, when last, how often. */
export type SourceDenialRow = {
  feed: string;
  /** Which credentials, as a keyed hash. */
  fingerprint: string;
  since: number;
  at: number;
  tries: number;
};

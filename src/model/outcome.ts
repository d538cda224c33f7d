/** The outcome of a run; docs/outcomes.md says what each means. */
export type Outcome = 'live' | 'partial' | 'unchanged' | 'nothing' | 'held' | 'rejected' | 'failed';

/**
 * Why a run ended as it did, by its outcome, and why it has none yet (`open`). It is decided where it happens and kept with the
 * run; src/wording says of each what it means and what to do.
 */
export type Causes = {
  open: 'at-work' | 'approved';
  live: 'uploaded';
  partial: 'uploaded';
  unchanged: 'same-file' | 'same-dataset';
  nothing: 'no-file' | 'superseded';
  held: 'guard' | 'older-file' | 'order' | 'correction' | 'unsure' | 'columns' | 'cells' | 'rules' | 'frozen';
  rejected: 'file-unusable' | 'turned-down';
  failed:
    | 'source-unreachable'
    | 'source-refused'
    | 'source-credentials'
    | 'disk-full'
    | 'fault'
    | 'compose-failed'
    | 'damaged-archive'
    | 'unsent'
    | 'credentials'
    | 'outcome-unknown'
    | 'refused'
    | 'upload-failed'
    | 'upload-aborted'
    | 'failed-together'
    | 'unproved';
};

/** Any of the causes. */
export type Cause = Causes[keyof Causes];

/** Where a run stands while it has no outcome. */
export type Stage = 'pull' | 'read' | 'compose' | 'upload' | 'report' | 'done';

/** The state of one upload attempt in the ledger; docs/ARCHITECTURE.md draws the transitions. */
export type UploadState =
  'intended' | 'sending' | 'unknown' | 'submitted' | 'success' | 'failed' | 'aborted' | 'refused' | 'lost';

import type { RunEvent } from '../../model.ts';
import type { SessionRow, SignInRow, SupplierLinkRow, TokenRow, UserRow } from './access-schema.ts';
import type { AuditRow, IncidentRow, MailRow, RequestRow } from './alert-schema.ts';
import type { HookCountRow, HookEventRow, HookFailureRow, HookMessageRow } from './hook-schema.ts';
import type { CallRow, UploadStepRow } from './call-schema.ts';
import type {
  AbsenceRow,
  AcceptedColumnsRow,
  DepartureRow,
  FeedRow,
  FreezeRow,
  PauseRow,
  PushedRow,
  PushKeyRow,
  ResultRow,
  RunRow,
  SourceDenialRow,
  StartRow,
  TakenFileRow,
} from './run-schema.ts';
import type { DatasetRow, IntentRow, LaneFaultRow, UploadRow } from './upload-schema.ts';
import type { DenialRow, FindabilityRow, ForeignUploadRow, WatchRow } from './watch-schema.ts';
import type { LookRow, WorkerRow } from './worker-schema.ts';

export type * from './access-schema.ts';
export type * from './alert-schema.ts';
export type * from './hook-schema.ts';
export type * from './call-schema.ts';
export type { DatasetPart, FeedAccount } from './json-values.ts';
export type * from './run-schema.ts';
export * from './upload-schema.ts';
export type * from './worker-schema.ts';

/**
 * The ledger's tables. Times are epoch milliseconds by the database's clock; values that are
 * not scalar are stored as JSON text, so that the same schema fits SQLite and Postgres; hashes name files of the archive.
 */
export type Database = {
  meta: { key: string; value: string };
  runs: RunRow;
  feeds: FeedRow;
  datasets: DatasetRow;
  intents: IntentRow;
  uploads: UploadRow;
  leases: LeaseRow;
  events: RunEvent & { run: string; seq: number };
  audit: AuditRow;
  pauses: PauseRow;
  absences: AbsenceRow;
  freezes: FreezeRow;
  departures: DepartureRow;
  incidents: IncidentRow;
  requests: RequestRow;
  watches: WatchRow;
  strangers: ForeignUploadRow;
  denials: DenialRow;
  findability: FindabilityRow;
  mails: MailRow;
  starts: StartRow;
  lane_faults: LaneFaultRow;
  accepted_columns: AcceptedColumnsRow;
  taken_files: TakenFileRow;
  results: ResultRow;
  pushed: PushedRow;
  push_keys: PushKeyRow;
  source_denials: SourceDenialRow;
  users: UserRow;
  sessions: SessionRow;
  tokens: TokenRow;
  sign_ins: SignInRow;
  supplier_links: SupplierLinkRow;
  archived_objects: ArchivedObjectRow;
  workers: WorkerRow;
  looks: LookRow;
  hook_events: HookEventRow;
  hook_messages: HookMessageRow;
  hook_failures: HookFailureRow;
  hook_counts: HookCountRow;
  calls: CallRow;
  upload_steps: UploadStepRow;
};

/** A file of an archive on a store of objects: under which key it is, and when it was brought in last. */
type ArchivedObjectRow = {
  sha256: string;
  generation: number;
  bytes: number;
  at: number;
  /** When it was given up; null while it is kept. */
  given_up_at: number | null;
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

import type { IncidentKind } from '../../incidents.ts';
import type { PersonKind, QuietUntil, RequestAction, RequestEnd } from '../../model.ts';
import type { IncidentNumbers, MailSubject } from './json-values.ts';

/** Something that a person decided, or was refused; rows are only ever added, and refusals are pruned. */
export type AuditRow = {
  id: string;
  at: number;
  /** The operating system's user, a user of the console, a token, or nobody who is known; `offerline` where a day ended something. */
  who: string;
  action:
    | 'approve'
    | 'ask-approve'
    | 'ask-rollback'
    | 'decline'
    | 'withdraw'
    | 'end-request'
    | 'accept-columns'
    | 'revoke-columns'
    | 'take-reading'
    | 'take-proposal'
    | 'silence-proposal'
    | 'reject'
    | 'pause'
    | 'resume'
    | 'away'
    | 'revoke-away'
    | 'resolve'
    | 'rollback'
    | 'release'
    | 'rerun'
    | 'ingest'
    | 'take-incident'
    | 'give-incident'
    | 'note-incident'
    | 'quiet-incident'
    | 'release-incident'
    | 'push'
    | 'test-hook'
    | 'replay-hook'
    | 'add-user'
    | 'change-user'
    | 'add-token'
    | 'rotate-token'
    | 'revoke-token'
    | 'make-link'
    | 'end-links'
    | 'refuse';
  /** What it was done to: a run, a feed, a login, an upload, an incident, a user, a token or a hook; of a refusal, what was asked for. */
  subject: string;
  reason: string;
  /** By which way; null in rows of earlier versions. */
  via: Way | null;
  /** From which machine or address, where that is known. */
  origin: string | null;
};

/** The ways by which decisions reach the ledger. */
export type Way = 'cli' | 'console' | 'api';

/** What a person asked for and a second one has to agree to. */
export type RequestRow = {
  id: string;
  action: RequestAction;
  /** `feed NAME` or `login NAME`: the partial unique index allows one that waits of each. */
  scope: string;
  login: string;
  /** Null when it concerns the login as a whole. */
  feed: string | null;
  /** The run that is to be approved. */
  run: string | null;
  /** The upload that is to be gone back to. */
  upload: string | null;
  /** What was live when it was asked for: the upload of the login, or the run of the feed whose rows were. */
  live: string | null;
  /** The rows of the run when it was asked for. */
  rows_sha: string | null;
  /** Who asked, as the audit names them, and as others know them. */
  who: string;
  known_as: string;
  /** The id of the token by which it was asked for, and who made it; null without one. */
  token: string | null;
  owner: string | null;
  reason: string;
  via: Way;
  origin: string | null;
  at: number;
  /** From then on nobody can agree any more. */
  ends_at: number;
  ended_at: number | null;
  ended_how: RequestEnd | null;
  /** Who agreed, declined or withdrew it, as others know them; null when it ended by itself. */
  ended_by: string | null;
  /** Why; of one that ended by itself, the whole sentence. */
  ended_reason: string | null;
};

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
  /** Facts for people and scripts. */
  numbers: IncidentNumbers;
  /** How often it was raised, and when last. */
  times: number;
  opened_at: number;
  seen_at: number;
  /** When people were last notified: of the problem, then by a reminder a day. Null: not yet. */
  told_at: number | null;
  /** When managers were told of what is the business of ops, because it affects what is live; null: they were not. */
  managers_told_at: number | null;
  recovered_at: number | null;
  recovery: string | null;
  recovered_run: string | null;
  /** When people were notified of its recovery, or it was clear that there is no one to notify. */
  settled_at: number | null;
  /** Who works on it, as which kind of person, and since when; null: nobody. */
  taken_by: string | null;
  taken_as: PersonKind | null;
  taken_at: number | null;
  /** When the one who works on it was reminded last, without the others. */
  holder_told_at: number | null;
  /** When somebody did something about it last; it grows with each such change. */
  worked_at: number | null;
  /** What ends that nobody is reminded of it; null: it was never quiet. */
  quiet_until: QuietUntil | null;
  /** When it ends, where a time was named. */
  quiet_ends_at: number | null;
  quiet_at: number | null;
  quiet_by: string | null;
  /** When it ended before its time. */
  quiet_ended_at: number | null;
  /** How much was wrong when it became quiet, where that can be counted. */
  quiet_extent: number | null;
};

/** A mail to one person, from the decision to send it until it was sent or given up. */
export type MailRow = {
  id: string;
  recipient: string;
  /** The run that it is about; null when it is about incidents or a day. */
  run: string | null;
  /** What it is made from when it is sent. */
  about: MailSubject;
  at: number;
  tries: number;
  /** Nobody tries it before: a worker is at it, or its server was away. */
  next_at: number;
  /** Where it went. */
  sent_to: string | null;
  /** The message as it was written to an outbox, in the archive; null of one that a mail server took, and of earlier versions. */
  message_sha: string | null;
  /** Why it could not be sent. */
  error: string | null;
  /** When it was clear that it will not be sent. */
  given_up_at: number | null;
};

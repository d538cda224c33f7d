import type { HookEvent } from '../../config/schema/hooks/hook-schema.ts';
import type { IncidentFacts } from '../../incidents.ts';
import type { Cause, Outcome } from '../../model.ts';
import type { AuditRow } from './alert-schema.ts';
import type { IncidentNumbers } from './json-values.ts';

/** An incident as it was when hooks were to be told of it. */
export type IncidentThen = IncidentFacts & {
  id: string;
  openedAt: number;
  recoveredAt: number | null;
  recovery: string | null;
  times: number;
  numbers: IncidentNumbers;
  /** Who works on it, and since when. */
  taken: { by: string; at: number } | null;
};

/** Why an incident counts as changed: it has another reason, it lasts and people are reminded of it, or somebody works on it. */
export type IncidentChange = 'reason' | 'reminder' | 'work';

/** What happened. Of runs and datasets the ledger has the rest, which does not change any more. */
export type HookFacts =
  | { of: 'run'; run: string; outcome: Outcome; before: Outcome | null; cause: Cause; reason: string | null }
  | { of: 'incident'; incident: IncidentThen; change: IncidentChange | null }
  | { of: 'dataset'; login: string; intent: string; upload: string | null }
  | { of: 'decision'; decision: Omit<AuditRow, 'origin'> };

/** Something that hooks are to be told of; it stays until it was handed out as messages. */
export type HookEventRow = {
  id: string;
  event: HookEvent;
  /** What it is about: messages about the same are sent in the order of `seq`. */
  subject: string;
  seq: number;
  at: number;
  facts: HookFacts;
};

/** An event as one hook is told of it. */
export type HookMessageRow = Omit<HookEventRow, 'facts'> & {
  hook: string;
  /** What is sent, the same with each try. */
  body: string;
  /** `skipped`: what it was about had changed before it could be sent, and another message says so. `refused`: given up alone. */
  state: 'open' | 'sent' | 'skipped' | 'refused' | 'given-up';
  /** Tries that failed. */
  tries: number;
  /** Nobody tries it before: the hook refuses this message and may take others. */
  next_at: number;
  error: string | null;
  /** When it was sent or given up. */
  ended_at: number | null;
};

/** A hook that has taken nothing since it failed. */
export type HookFailureRow = {
  hook: string;
  /** The settings that it failed with, as a keyed hash: others are tried at once. */
  fingerprint: string;
  since: number;
  times: number;
  /** Nobody tries it before. */
  next_at: number;
  error: string;
  /** It answered that it is gone: nothing is sent before its settings change or somebody tests it. */
  gone: number;
  /** How many messages were given up since then. */
  lost: number;
};

/** The greatest number of an event about something that was told in a message which is forgotten. */
export type HookCountRow = { subject: string; seq: number };

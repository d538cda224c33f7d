import type { Audience } from '../../incidents.ts';
import type { Estimate, IncidentWork, Outcome } from '../../model.ts';
import type { Language } from '../../wording/language/language.ts';
import type { ToldIncident } from '../../wording/managers/incident-words.ts';

/** How often a digest comes. */
export type DigestEvery = 'daily' | 'weekly';

/** How one supplier stands. */
export type DigestSupplier = {
  feed: string;
  name: string;
  /** Parts online; null when that is not certain. */
  live: number | null;
  /** What was online a day and a week before; null where nothing is known of then. */
  liveDayBefore: number | null;
  liveWeekBefore: number | null;
  /** The account of what is online: rows of the file, those that we or the service rejected, and those that rules left out; null when there is none. */
  file: { read: number; rejected: number; leftOut: number } | null;
  /** Which share of what is online the parts search knows, by the last look; null where that cannot be told. */
  known: Estimate | null;
  /** How many changes of settings are proposed; 0 in daily digests, which do not look for them. */
  proposals: number;
  /** When a file was delivered last; null when none ever was. */
  deliveredAt: number | null;
  /** How often one is expected, in milliseconds. */
  expectEvery: number | null;
  /** When the next one is due by the clock, which may be past; null where it is expected at no certain time. */
  dueAt: number | null;
  isLate: boolean;
  /** Since when people stopped its deliveries or uploads, for a while; nothing is late then. */
  pausedAt: number | null;
  /** The gravest of the open incidents that concern the supplier. */
  incident: ToldIncident | null;
};

/** An open incident as a digest names it; `supplier` is null when it is about a login as a whole. */
export type DigestIncident = ToldIncident & {
  openedAt: number;
  supplier: string | null;
  work: IncidentWork;
  /** For ops: the feed or login, and what the program says of it. */
  technical: [string, string];
};

/** What a digest is made from: how things stand at one moment. */
export type DigestInput = {
  every: DigestEvery;
  /** `2026-05-04`: which day's digest it is. */
  day: string;
  asOf: number;
  /** The suppliers and incidents that the reader watches, in any order. */
  suppliers: DigestSupplier[];
  incidents: DigestIncident[];
  /** How the runs ended that began after `since`; null: they have not ended yet. */
  since: number;
  runs: { outcome: Outcome | null; runs: number }[];
  sandbox: boolean;
  audience: Audience;
  /** Where the console is that readers can open; null where there is none. */
  console: string | null;
  language: Language;
};

import type { FeedAccount } from '../../ledger/schema/schema.ts';
import type { IncidentReason } from '../../wording/reasons/incident-reasons.ts';
import { counted, grouped } from '../../wording/words.ts';

/** What an open `lost-rows` incident remembers. */
export type LostBefore = {
  /** The intent that was live before the loss; its rows are what is to come back. */
  before: string;
  /** The upload that lost the first of them, and how many rows were live before it. */
  offerId: string | null;
  wasLive: number;
  lost: number;
  /** The upload in which they became more, which is reported again. */
  grewIn: string | null;
};

/** What a proved upload means for one feed of its login: facts, nothing decided. */
export type FeedChange = {
  feed: string;
  /** The run that its rows come from, or came from until now. */
  run: string;
  /** It brought rows of its own into this upload. */
  delivered: boolean;
  /** Its account in the upload that was proved before, and in this one; null: it has no part in it. */
  before: FeedAccount | null;
  after: FeedAccount | null;
  /** The intent that was proved before. */
  beforeIntent: string | null;
  /** Rows that were live and are rejected now, also counted from before an open loss; null where it is unknown which they are. */
  lost: number | null;
  open: LostBefore | null;
  /** `alarm.maxRemoteRejected`, as a fraction. */
  allowed: number;
};

/** What follows for the feed. `lostRows: null` leaves its incident as it is, open or not. */
export type ChangeDecision = {
  /** For the timeline of the run; null where its own delivery says it, and where nothing changed. */
  line: string | null;
  lostRows: { raise: IncidentReason; numbers: LostBefore & { live: number } } | { recover: string } | null;
  unexplained: { count: number; contributed: number } | null;
  /** Why it has no rejected rows any more, when it has none. */
  noneRejected: string | null;
};

/** Decides what is reported of a feed after an upload was proved: a line on its timeline, an incident for lost rows or its end. */
export function decideChange(change: FeedChange, offerId: string | null): ChangeDecision {
  const { delivered, after } = change;
  return {
    line: delivered || sameRows(change) ? null : lineOf(change, offerId),
    lostRows: decideLoss(change, offerId),
    // A delivery is reported with its own account.
    unexplained: delivered || after === null ? null : { count: after.unexplained, contributed: after.contributed },
    noneRejected: delivered || !isWhole(after) ? null : `all that it contributes is live in upload ${offerId}`,
  };
}

function isWhole(account: FeedAccount | null): boolean {
  return account !== null && account.rejectedLocally + account.rejectedRemotely + account.unexplained === 0;
}

function decideLoss(change: FeedChange, offerId: string | null): ChangeDecision['lostRows'] {
  const { before, after, beforeIntent, open, delivered, allowed } = change;
  const live = after?.live ?? 0;
  const found = after === null ? 0 : (change.lost ?? atLeastLost(change));
  if (open !== null) {
    // Whether unexplained rows are still rejected is unknown.
    if (found === 0 && after !== null && after.unexplained > 0) return null;
    if (found === 0) return { recover: recoveryText(change, open, offerId) };
    const most = Math.max(open.wasLive, before?.live ?? 0, found);
    const numbers = { ...open, wasLive: most, lost: found, live, grewIn: found > open.lost ? offerId : open.grewIn };
    return { raise: lossReason(numbers), numbers };
  }
  const wasLive = before?.live ?? 0;
  // Rows that were unexplained before are found too, and they were never reported as live.
  const lost = Math.min(found, wasLive);
  if (lost === 0 || beforeIntent === null) return null;
  if (delivered && lost / wasLive <= allowed) return null;
  const numbers = { before: beforeIntent, offerId, wasLive, lost, live, grewIn: offerId };
  return { raise: lossReason(numbers), numbers };
}

/** Where the rejections of one side are not known row by row, so many more than before must be new. */
function atLeastLost({ before, after, open }: FeedChange): number {
  const wasLive = before?.live ?? 0;
  const more = (after?.rejectedRemotely ?? 0) - (before?.rejectedRemotely ?? 0);
  // How many of those that were lost before have come back is then unknown too.
  const stillLost = open === null ? 0 : Math.min(open.lost, after?.rejectedRemotely ?? 0);
  return Math.max(stillLost, Math.min(wasLive, more), 0);
}

function lossReason({ offerId, wasLive, lost, live }: LostBefore & { live: number }) {
  return { code: 'rows-lost', offerId, wasLive, lost, live } as const;
}

function recoveryText({ after }: FeedChange, { lost }: LostBefore, offerId: string | null): string {
  if (after === null) return `it has no rows in upload ${offerId}, which is live now`;
  const none =
    lost === 1 ? 'the row that was lost is no longer rejected' : `none of the ${lost} lost rows is rejected any more`;
  return `${none}; ${counted(after.live, 'row')} ${after.live === 1 ? 'is' : 'are'} live in upload ${offerId}`;
}

const COUNTED = ['live', 'rejectedRemotely', 'outranked', 'unexplained'] as const;

function sameRows({ before, after }: FeedChange): boolean {
  return COUNTED.every((count) => (before?.[count] ?? 0) === (after?.[count] ?? 0));
}

function lineOf({ before, after }: FeedChange, offerId: string | null): string {
  const was = `(${grouped(before?.live ?? 0)} before)`;
  if (after === null) return `upload ${offerId}, in which it has no part: no row of it is live ${was}`;
  const rest = [
    after.rejectedRemotely > 0 ? `, ${grouped(after.rejectedRemotely)} rejected by the service` : '',
    after.outranked > 0 ? `, ${grouped(after.outranked)} outranked by another feed` : '',
    after.unexplained > 0 ? `, ${grouped(after.unexplained)} unexplained` : '',
  ];
  const are = after.live === 1 ? 'is' : 'are';
  return `upload ${offerId}, without a delivery of its own: ${counted(after.live, 'row')} ${are} live ${was}${rest.join('')}`;
}

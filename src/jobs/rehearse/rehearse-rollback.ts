import { listFeeds } from '../../ledger/runs/feeds.ts';
import { listFreezes } from '../../ledger/runs/freezes.ts';
import type { Db } from '../../ledger/ledger.ts';
import { lastVerified } from '../../ledger/uploads/accepted-uploads.ts';
import type { RehearsedEffect } from '../../model.ts';
import type { Decision } from '../decisions/review.ts';
import { assertNoneOpen, rollback } from '../decisions/rollback.ts';
import { assertUsable, chosenTarget } from '../decisions/rollback-targets.ts';
import { answerOfIntent, type IntentAnswer } from '../queries/answer-of-intent.ts';
import { effectOf } from './effect.ts';
import { askReal, inRehearsal, intentClosed, type RehearsalFacts, type Rehearsing } from './in-rehearsal.ts';

/** What a rollback would do. `target`: the upload that it would go back to, as the real ledger knows it. */
export type RehearsedRollback = IntentAnswer &
  RehearsalFacts & {
    target: { upload: string; offerId: string | null; at: number | null; rows: number };
    effect: RehearsedEffect;
  };

/** What would happen if an earlier dataset of a login was made live again. Fails as the rollback itself does. */
export async function rehearseRollback(
  login: string,
  { to, ...decision }: Decision & { to: string | undefined },
  following: Rehearsing,
): Promise<RehearsedRollback> {
  const { target, feeds } = await askReal(following.loaded, async (db) => {
    await assertNoneOpen(db, login);
    return { target: await chosenTarget(login, to, db), feeds: await listFeeds(db, login) };
  });
  const { upload, dataset } = target;
  const subject = { login, feed: null, upload: upload.id };
  const { made, ...facts } = await inRehearsal(subject, following, async (ctx) => {
    await assertUsable(target, ctx);
    const { db } = ctx.ledger;
    const before = await lastVerified(db, login);
    const frozen = await frozenFeeds(db, login);
    const { intent } = await rollback(login, upload.id, decision, ctx);
    await intentClosed(intent, ctx, following);
    const freezes = (await frozenFeeds(db, login)).filter((feed) => !frozen.includes(feed));
    const answer = await answerOfIntent(intent.id, ctx);
    const ended = { outcome: null, reason: answer.reason ?? answer.result };
    const effect = await effectOf({ before, intent: intent.id, ended, lifts: null, freezes }, ctx, following.signal);
    return { ...answer, effect };
  });
  const held = feeds.filter(({ candidate }) => candidate !== null).map(heldNote);
  for (const text of held) following.note(text);
  const offer = { upload: upload.id, offerId: upload.offer_id, at: upload.closed_at, rows: dataset.rows };
  return { ...made, ...facts, notes: [...facts.notes, ...held], target: offer };
}

async function frozenFeeds(db: Db, login: string): Promise<string[]> {
  const freezes = await listFreezes(db);
  return freezes.filter((freeze) => freeze.login === login).map(({ feed }) => feed);
}

function heldNote({ feed, candidate }: { feed: string; candidate: string | null }): string {
  return `Run ${candidate} of ${feed} waits to be uploaded; the rollback would hold it.`;
}

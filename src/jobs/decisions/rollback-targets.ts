import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { dictionary } from '../../io/dictionary.ts';
import type { Db } from '../../ledger/ledger.ts';
import { countVerified, verifiedUploads, type AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { findUpload } from '../../ledger/uploads/uploads.ts';
import { moment } from '../../wording/words.ts';
import { usable } from '../archive/usable.ts';

/**
 * What a rollback could do with a dataset: `next` is what it goes back to when it is not told, `good` what it can be told to go back
 * to. `missing` is tried to be made again, `pruned` and `empty` are no targets.
 */
type TargetState = 'live' | 'next' | 'good' | 'missing' | 'pruned' | 'empty';

/** A dataset of a login that was proved live. */
export type RollbackTarget = {
  upload: string;
  offerId: string | null;
  /** When the service made it live, in ms. */
  at: number | null;
  rows: number;
  /** Rows more than those of what is live; fewer when negative. */
  difference: number;
  /** Rows of each feed. */
  feeds: Record<string, number>;
  /** The upload whose bytes a rollback sent again with this one. */
  rollbackTo: string | null;
  state: TargetState;
};

/** The datasets of a login that were proved live, newest first. It looks whether files are there; only a rollback verifies them. */
export async function rollbackTargets(login: string, ctx: Context): Promise<RollbackTarget[]> {
  const good = await verifiedUploads(ctx.ledger.db, login);
  return targetsAmong(good, good, ctx);
}

/** A page of these datasets, counted from 1, and how many there are in all. `next` is looked for among those of the first page. */
export async function rollbackPage(
  login: string,
  { page, size }: { page: number; size: number },
  ctx: Context,
): Promise<{ targets: RollbackTarget[]; total: number }> {
  const { db } = ctx.ledger;
  const total = await countVerified(db, login);
  const newest = await verifiedUploads(db, login, { offset: 0, limit: size });
  const asked = page === 1 ? newest : await verifiedUploads(db, login, { offset: (page - 1) * size, limit: size });
  return { targets: await targetsAmong(asked, newest, ctx), total };
}

async function targetsAmong(asked: AcceptedUpload[], good: AcceptedUpload[], ctx: Context): Promise<RollbackTarget[]> {
  const [live] = good;
  if (live === undefined) return [];
  const next = olderThan(live, good);
  const one = async (each: AcceptedUpload): Promise<RollbackTarget> => ({
    upload: each.upload.id,
    offerId: each.upload.offer_id,
    at: each.upload.closed_at,
    rows: each.dataset.rows,
    difference: each.dataset.rows - live.dataset.rows,
    feeds: dictionary(each.dataset.parts.map(({ feed, rows }) => [feed, rows])),
    rollbackTo: each.intent.rollback_to,
    state: each === live ? 'live' : await stateOf(each, each === next, ctx),
  });
  return Promise.all(asked.map(one));
}

async function stateOf({ dataset }: AcceptedUpload, next: boolean, { archive }: Context): Promise<TargetState> {
  if (dataset.rows === 0) return 'empty';
  if (dataset.pruned_at !== null) return 'pruned';
  if (!(await archive.has(dataset.sha256)) || !(await archive.has(dataset.index_sha))) return 'missing';
  return next ? 'next' : 'good';
}

/**
 * The upload to go back to: the one that `to` names, else one further back than what is live. Fails with `conflict` when there is
 * none: an empty dataset and one that is live already are no targets, and neither is one whose bytes are lost.
 */
export async function targetOf(login: string, to: string | undefined, ctx: Context): Promise<AcceptedUpload> {
  const target = await chosenTarget(login, to, ctx.ledger.db);
  await assertUsable(target, ctx);
  return target;
}

/** The same without a look at the archive. */
export async function chosenTarget(login: string, to: string | undefined, db: Db): Promise<AcceptedUpload> {
  const good = await verifiedUploads(db, login);
  const [live] = good;
  if (live === undefined)
    throw new OfferlineError(
      'conflict',
      `No upload of ${login} has been verified as live, so there is nothing to roll back to.`,
    );
  const target = to === undefined ? olderThan(live, good) : await named(to, login, good, db);
  if (target === undefined) {
    throw new OfferlineError(
      'conflict',
      `There is no good dataset of ${login} older than the live one (upload ${live.upload.offer_id}).`,
    );
  }
  return target;
}

/** Fails with `conflict` when the bytes of an upload are lost. */
export async function assertUsable({ upload, dataset }: AcceptedUpload, ctx: Context): Promise<void> {
  const { sha256, index_sha, pruned_at: prunedAt } = dataset;
  if ((await usable(sha256, ctx)) && (await usable(index_sha, ctx))) return;
  const pruned = prunedAt === null ? '' : `: they were pruned on ${moment(prunedAt)} (keep.datasets)`;
  const others = `\`offerline rollback ${upload.login} --list\` shows the others`;
  throw new OfferlineError(
    'conflict',
    `The bytes of upload ${upload.offer_id} are no longer in the archive${pruned}; ${others}.`,
  );
}

/** Goes on from where an earlier rollback came to, past rollbacks and past the same bytes. */
function olderThan(live: AcceptedUpload, good: AcceptedUpload[]): AcceptedUpload | undefined {
  const at = good.findIndex(({ upload }) => upload.id === (live.intent.rollback_to ?? live.upload.id));
  return good
    .slice(at + 1)
    .find(
      ({ intent, dataset }) =>
        intent.rollback_to === null && dataset.rows > 0 && dataset.sha256 !== live.dataset.sha256,
    );
}

async function named(to: string, login: string, good: AcceptedUpload[], db: Db): Promise<AcceptedUpload> {
  const { id } = await findUpload(db, to);
  const found = good.find(({ upload }) => upload.id === id);
  if (found !== undefined && found.dataset.rows > 0) return found;
  const why = found === undefined ? 'was verified as live' : 'has rows';
  throw new OfferlineError(
    'conflict',
    `The login ${login} has no upload ${to} that ${why}; \`offerline rollback ${login} --list\` shows what there is.`,
  );
}

import type { Config, FeedConfig } from '../../config/schema/schema.ts';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { own } from '../../io/dictionary.ts';
import { recordDecision } from '../../ledger/alerts/audit.ts';
import type { Db } from '../../ledger/ledger.ts';
import { storeReason } from '../../wording/reasons/reason.ts';
import { knownFeed } from '../../ledger/runs/feeds.ts';
import { addEvent, createRun, decideRun, getRun, lockRun, updateRun } from '../../ledger/runs/runs.ts';
import type { AuditRow, RunRow, Way } from '../../ledger/schema/schema.ts';
import type { RunOptions } from '../../ledger/schema/json-values.ts';
import { readAgain } from './read-again.ts';
import { endUnsentRun } from './reject-open.ts';
import { baseOf, leaveHead } from '../feeds/base.ts';
import { makeCandidate, newerThan } from '../feeds/candidate.ts';
import { noteApproved, noteRejected } from '../alerts/run-incidents.ts';
import { assertColumnsStand } from '../read/revoked-columns.ts';

/** Who decided and why, by which way and from where; all are kept for ever. */
export type Decision = Pick<AuditRow, 'who' | 'reason'> & { via: Way; origin: string | null };

/** What is recorded together with a decision, in its transaction, before anything else of it. */
export type Also = (trx: Db) => Promise<void>;

/** Who decides, by which way and from where. */
export type Decider = Omit<Decision, 'reason'>;

/**
 * Releases a held run: its rows become the candidate, and no guard looks at them again; changes whose base has changed since are put upon
 * the newest rows first. Fails with `conflict` when the run
 * is not held, when nothing of its file was read or its columns were taken back since, when its feed has moved to another login, or
 * when a newer delivery of the feed is live or waiting; with `config` when the feed is no longer configured.
 */
export async function approveRun(id: string, decision: Decision, ctx: Context, also?: Also): Promise<void> {
  await ctx.ledger.transaction(async (trx) => {
    await lockRun(trx, id);
    await also?.(trx);
    const run = await approvableRun(trx, id, ctx.config);
    const options: RunOptions = {
      ...run.options,
      approved: true,
      wait: true,
      approvedAt: ctx.clock.now(),
    };
    await updateRun(trx, id, {
      outcome: null,
      amended: 'held',
      reason: null,
      ...storeReason(null),
      options,
    });
    await record(trx, run, 'approve', decision, ctx);
    await noteApproved(trx, run, decision, ctx.clock.now());
    if (await standsUpon(trx, run)) await makeCandidate(trx, run, ctx);
    else await readAgain(trx, run, { ...options, putAgain: true });
  });
}

/** Whether the rows that the changes of a held run were put upon are still the newest; true of a full list. */
async function standsUpon(trx: Db, run: RunRow): Promise<boolean> {
  return run.counts?.change === undefined || run.base === ((await baseOf(trx, run))?.id ?? null);
}

/** A run that can be approved; fails as `approveRun` does when it cannot. */
export async function approvableRun(db: Db, id: string, config: Config): Promise<RunRow> {
  const run = await heldRun(db, id);
  if (run.rows_sha === null) {
    const why = run.reason?.replace(/\.$/, '');
    throw new OfferlineError('conflict', `Run ${id} has no rows to upload: ${why}. ${wayToRows(run)}`);
  }
  assertUnmoved(run, config);
  await assertNewest(db, run);
  await assertColumnsStand(db, run);
  return run;
}

/** The settings of a run's feed; fails with `config` when it has none any more. */
export function assertConfigured({ id, feed }: RunRow, { feeds }: Config): FeedConfig {
  const settings = own(feeds, feed);
  if (settings !== undefined) return settings;
  throw new OfferlineError('config', `The feed ${feed} of run ${id} is no longer in the configuration.`);
}

/** Fails with `conflict` when the feed of a run belongs to another login since, and with `config` when it is not configured. */
export function assertUnmoved(run: RunRow, config: Config): void {
  const { id, feed, login } = run;
  const settings = assertConfigured(run, config);
  if (settings.login === login) return;
  const moved = `The feed ${feed} has moved from the login ${login} to ${settings.login} since run ${id}`;
  throw new OfferlineError('conflict', `${moved}; run \`offerline rerun ${id} --from validate\`.`);
}

/**
 * Drops a held run for good, or one that is open and of which nothing was sent; the feed's contribution stays live. Fails with
 * `conflict` when the run has ended otherwise, and when something of it was sent.
 */
export async function rejectRun(id: string, decision: Decision, ctx: Context): Promise<void> {
  const end = async (trx: Db, run: RunRow) => {
    await record(trx, run, 'reject', decision, ctx);
    const { who, reason: why } = decision;
    const reason = { code: 'rejected', who, reason: why } as const;
    const now = ctx.clock.now();
    await decideRun(trx, id, { outcome: 'rejected', cause: 'turned-down', reason, now });
    await noteRejected(trx, run, reason, now);
    await bringBack(trx, run, ctx);
  };
  const known = await getRun(ctx.ledger.db, id);
  if (known.outcome !== 'held') return endUnsentRun(known, end, ctx);
  await ctx.ledger.transaction(async (trx) => {
    await lockRun(trx, id);
    const run = await heldRun(trx, id);
    await leaveHead(trx, run);
    await end(trx, run);
  });
}

/** Rows that the rejected changes had been put upon, and that are not live yet, are uploaded without them. */
async function bringBack(trx: Db, { base, feed, login }: RunRow, ctx: Context): Promise<void> {
  if (base === null) return;
  const { candidate, contribution, head } = await knownFeed(trx, feed, login);
  if (candidate !== null || head !== base || contribution === base) return;
  if ((await getRun(trx, base)).options.cause !== 'superseded') return;
  const options = { of: base, from: 'upload', force: true } as const;
  const now = ctx.clock.now();
  await createRun(trx, { feed, login, cause: 'rerun', options, sandbox: ctx.sandbox, now });
}

/** A run that is held; fails with `conflict` when it is not. */
export async function heldRun(trx: Db, id: string): Promise<RunRow> {
  const run = await getRun(trx, id);
  if (run.outcome === 'held') return run;
  const now = run.outcome === null ? `has no outcome yet (it is at the stage ${run.stage})` : `is ${run.outcome}`;
  throw new OfferlineError(
    'conflict',
    `Run ${id} is not held: it ${now}. \`offerline runs --outcome held\` lists those that are.`,
  );
}

/** Fails with `conflict` when a newer delivery of the run's feed is live or waiting. */
export async function assertNewest(trx: Db, run: RunRow): Promise<void> {
  const newer = await newerThan(trx, run);
  if (newer === null) return;
  const where = newer.isLive ? 'is live' : 'waits to be uploaded';
  throw new OfferlineError(
    'conflict',
    `Run ${run.id} is older than run ${newer.run.id} of ${run.feed}, which ${where}.`,
  );
}

/** What makes rows of a file that nothing was read of. */
function wayToRows(run: RunRow): string {
  const { id, feed, options, detection } = run;
  const again = `\`offerline rerun ${id} --from validate\``;
  if (options.cause === 'unsure') return wayToReading(run);
  if (options.cause === 'cells')
    return `\`offerline show ${id}\` names the setting that says what its cells mean; set it under feeds.${feed}, then run ${again}.`;
  if (options.cause === 'rules')
    return `\`offerline show ${id}\` names the rule and the columns of the file; correct feeds.${feed}.rules, then run ${again}.`;
  const columns = (detection?.mapping ?? []).some(({ sure }) => !sure)
    ? `\`offerline approve ${id} --columns --reason TEXT\` takes the columns as proposed`
    : `\`offerline approve ${id} --columns KEY=COLUMN,… --reason TEXT\` says which column is which`;
  return `${columns} and reads the file again; or set feeds.${feed}.columns, then run ${again}.`;
}

/** What tells how a file is written that can be read in several ways. */
function wayToReading({ id, feed, detection }: RunRow): string {
  const file = detection?.partner === undefined ? '' : `.join.partners.${detection.partner}`;
  const again = `Set feeds.${feed}${file}.dialect, then run \`offerline rerun ${id} --from validate\``;
  if ((detection?.readings ?? []).length < 2)
    return file === ''
      ? `${again}.`
      : `\`offerline show ${id}\` says what is not certain and what to do; then run \`offerline rerun ${id} --from validate\`.`;
  return `\`offerline approve ${id} --reading N --reason TEXT\` takes a reading for this file. ${again}, for all files of the feed.`;
}

async function record(
  trx: Db,
  run: RunRow,
  action: 'approve' | 'reject',
  decision: Decision,
  ctx: Context,
): Promise<void> {
  const at = ctx.clock.now();
  await recordDecision(trx, { at, action, subject: run.id, ...decision });
  const did = action === 'approve' ? 'approved' : 'rejected';
  await addEvent(trx, run.id, { at, stage: 'compose', message: `${did} by ${decision.who}: ${decision.reason}` });
}

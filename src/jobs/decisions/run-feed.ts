import { hostname } from 'node:os';
import { stat } from 'node:fs/promises';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { own } from '../../io/dictionary.ts';
import { recordDecision } from '../../ledger/alerts/audit.ts';
import type { Db } from '../../ledger/ledger.ts';
import { lockFeed } from '../../ledger/runs/feeds.ts';
import { openRunOf } from '../../ledger/runs/reruns.ts';
import type { RunOptions } from '../../ledger/schema/json-values.ts';
import { createRun } from '../../ledger/runs/runs.ts';
import { assertNotPaused } from './pause.ts';
import type { Decider } from './review.ts';

/**
 * `file`: an absolute path, read instead of the feed's source. `force`: also when the same bytes are live. `by`: who asks for it, for the
 * audit. `once`: not while the feed is at work, also of people who ask at the same moment.
 */
type Asked = { file?: string | undefined; force?: boolean; wait?: boolean; by: Decider; once?: true };

/**
 * Records a run of a feed that somebody asks for now, and gives its id. Fails with `not-found` for a feed that is not in the
 * configuration, and with `conflict` while it or its login is paused, and with `once` while it is at work.
 */
export async function runFeed(feed: string, asked: Asked, ctx: Context): Promise<string> {
  const login = own(ctx.config.feeds, feed)?.login;
  if (login === undefined) throw new OfferlineError('not-found', `There is no feed ${feed} in the configuration.`);
  await assertNotPaused(feed, login, ctx);
  const { file, force = false, wait = false, by, once } = asked;
  const options = {
    ...(force ? { force: true as const } : {}),
    ...(file === undefined ? {} : { file, ...(await givenHere(file)) }),
    ...(wait ? { wait: true as const } : {}),
  };
  const { sandbox, clock } = ctx;
  return ctx.ledger.transaction(async (trx) => {
    if (once === true) await assertAtRest(trx, feed, login);
    const now = clock.now();
    const run = await createRun(trx, { feed, login, cause: 'manual', options, sandbox, now });
    const reason = [`as run ${run}`, file !== undefined && `of the file ${file}`, force && 'forced'];
    await recordDecision(trx, {
      at: now,
      action: 'ingest',
      subject: `feed ${feed}`,
      reason: reason.filter((part) => part !== false).join(', '),
      ...by,
    });
    return run;
  });
}

/** What a file is that was named on this machine: another may have one of the same path. */
async function givenHere(file: string): Promise<Pick<RunOptions, 'given'>> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return {};
  return { given: { host: hostname(), bytes: found.size, modifiedAt: Math.floor(found.mtimeMs) } };
}

/** Fails with `conflict` while a feed has an open run; nobody else begins one until the transaction ends. */
async function assertAtRest(trx: Db, feed: string, login: string): Promise<void> {
  await lockFeed(trx, feed, login);
  const open = await openRunOf(trx, feed);
  if (open === undefined) return;
  throw new OfferlineError('conflict', `The feed ${feed} is already running, as run ${open}. Wait for its outcome.`);
}

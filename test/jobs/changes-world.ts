import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../../src/context.ts';
import { pullDelivery } from '../../src/jobs/run/pull-stage.ts';
import { feedState, updateFeed } from '../../src/ledger/runs/feeds.ts';
import { createRun, decideRun, getRun, updateRun } from '../../src/ledger/runs/runs.ts';
import type { RunRow } from '../../src/ledger/schema/schema.ts';
import type { RunOptions } from '../../src/ledger/schema/json-values.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { contextFor } from '../upload/upload-world.ts';

const SIGNAL = new AbortController().signal;

/** A feed whose supplier delivers full lists and changes into a folder, and its runs as far as the choice of files goes. */
export async function changesWorld(changes: { feed?: object; source?: object } = {}) {
  const inbox = tempFolder();
  const source = { type: 'directory', path: inbox, pattern: '*.csv', settle: '0s', ...changes.source };
  const delivery = { full: { pattern: 'full_*.csv' }, changes: { pattern: 'delta_{sequence}.csv' } };
  const north = { login: 'main', source, delivery, ...changes.feed };
  const ctx: Context = await contextFor('http://127.0.0.1:1', { feeds: { north } });
  const { db } = ctx.ledger;
  let login = 'main';
  const create = async (cause: RunRow['cause'], options: RunOptions = {}) =>
    createRun(db, { feed: 'north', login, cause, options, sandbox: false, now: ctx.clock.now() });
  const pull = async (id: string) => {
    const waits = await pullDelivery(await getRun(db, id), ctx, SIGNAL);
    return { waits: waits !== undefined, ...(await getRun(db, id)) };
  };
  const baseFor = async (id: string) => {
    const { delivery_name } = await getRun(db, id);
    const { head } = await feedState(db, 'north', login);
    return delivery_name?.startsWith('full') === true || head === id ? null : head;
  };
  return {
    ctx,
    db,
    inbox,
    /** Puts a file there that was changed at a second. */
    publish: (name: string, second: number, text = `brand;oem\nATE;${name}\n`) => {
      writeFileSync(join(inbox, name), text);
      utimesSync(join(inbox, name), 1_700_000_000 + second, 1_700_000_000 + second);
    },
    create,
    pull,
    /** Gives the feed to another login. */
    move: (to: string) => {
      login = to;
      Object.assign(ctx.config.feeds['north']!, { login });
    },
    /** What a run of its own comes to at the place. */
    take: async (cause: RunRow['cause'] = 'schedule', options: RunOptions = {}) => pull(await create(cause, options)),
    /** The rows of a run become those of the feed, as if they had been read and uploaded. */
    accept: async (id: string) => {
      await updateRun(db, id, { stage: 'done', outcome: 'live', base: await baseFor(id) });
      await updateFeed(db, 'north', { contribution: id, candidate: null, head: id });
    },
    wait: async (id: string) => {
      await updateRun(db, id, { stage: 'compose', base: await baseFor(id) });
      await updateFeed(db, 'north', { candidate: id, head: id });
    },
    hold: async (id: string, cause: 'order' | 'guard' | 'frozen' = 'guard') => {
      await decideRun(db, id, {
        outcome: 'held',
        cause,
        reason: { code: 'found', text: 'it is odd' },
        now: ctx.clock.now(),
      });
      await updateRun(db, id, { stage: 'done' });
    },
    reject: async (id: string) => {
      const reason = { code: 'rejected', who: 'ann', reason: 'wrong' } as const;
      await decideRun(db, id, { outcome: 'rejected', cause: 'turned-down', reason, now: ctx.clock.now() });
      await updateRun(db, id, { stage: 'done' });
    },
  };
}

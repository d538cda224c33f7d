import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load.ts';
import type { Context } from '../../src/context.ts';
import { acquireLease, withFencedTransaction, type Lease } from '../../src/ledger/lease.ts';
import type { DatasetRow, IntentRow } from '../../src/ledger/schema/schema.ts';
import { createIntent, getDataset } from '../../src/ledger/uploads/intents.ts';
import { createAttempt } from '../../src/ledger/uploads/uploads.ts';
import { openContext } from '../../src/app/open-context.ts';
import { memoryLog } from '../support/memory-log.ts';
import { atEnd } from '../support/at-end.ts';
import { tempFolder } from '../support/temp-folder.ts';

const COLUMNS = ['brand', 'oem', 'name', 'tags'];

type Written = Partial<
  Record<
    | 'service'
    | 'offer'
    | 'logins'
    | 'worker'
    | 'feeds'
    | 'mail'
    | 'keep'
    | 'limits'
    | 'backup'
    | 'hooks'
    | 'web'
    | 'decisions',
    object
  >
> & {
  managers?: object[];
};

/** A context with a real ledger and archive, and `main` as its login, for a service at `url`. */
export async function contextFor(url: string, written: Written = {}): Promise<Context> {
  const folder = tempFolder();
  const file = join(folder, 'offerline.yaml');
  const poll = { initial: '5ms', max: '20ms', settle: '40ms', index: '40ms' };
  const config = {
    logins: { main: {} },
    feeds: { north: { login: 'main', source: { type: 'directory', path: '.' } } },
    ...written,
    service: { baseUrl: url, poll, ...written.service },
  };
  writeFileSync(file, JSON.stringify(config));
  const loaded = await loadConfig({ file, home: join(folder, 'home'), env: {} });
  const { ctx, close } = await openContext(loaded, memoryLog().log);
  atEnd(close);
  return ctx;
}

/** The lease of the login `main`. */
export async function leaseOf(ctx: Context, duration = 30_000): Promise<Lease> {
  const taken = await acquireLease(ctx.ledger, 'login-main', ctx.owner, duration);
  if ('heldFor' in taken) throw new Error('the lease is held');
  return taken.lease;
}

/** Archives rows as a dataset of the feed `north` and decides to upload it. */
export async function intend(
  ctx: Context,
  lease: Lease,
  rows: string[][],
): Promise<{ intent: IntentRow; dataset: DatasetRow; token: string }> {
  const upload = [COLUMNS, ...rows].map((cells) => `${cells.join('\t')}\n`).join('');
  const index = rows.map((cells, at) => `north\t${at + 2}\t${cells.join('\t')}\n`).join('');
  const bytes = async function* (text: string) {
    yield Buffer.from(text);
  };
  const sent = await ctx.archive.put(bytes(upload));
  const indexed = await ctx.archive.put(bytes(index));
  return withFencedTransaction(ctx.ledger, lease, async (trx) => {
    const parts = [{ feed: 'north', run: 'run', rows: rows.length, outranked: 0 }];
    const facts = { login: 'main', sha256: sent.sha256, bytes: sent.bytes, rows: rows.length, parts };
    const offer = ctx.config.offer;
    const intent = await createIntent(trx, { ...facts, offer, index_sha: indexed.sha256 }, ctx.clock.now());
    const { token } = await createAttempt(trx, intent, 1, ctx.clock.now());
    return { intent, dataset: await getDataset(trx, intent.dataset), token };
  });
}

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { alone } from '../../src/app/backup/alone.ts';
import { openLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { acquireLease } from '../../src/ledger/lease.ts';
import { memoryLog } from '../support/memory-log.ts';
import { tempFolder } from '../support/temp-folder.ts';

const silence = { longest: 1500, renewals: 200 };
const signal = new AbortController().signal;

async function ledgers(): Promise<[Ledger, Ledger, string]> {
  const file = join(tempFolder(), 'ledger.sqlite');
  return [await openLedger({ file }), await openLedger({ file }), file];
}

test('a backup that was killed is waited for, which is said, and then the next one goes on', async () => {
  const [killed, next] = await ledgers();
  expect(await acquireLease(killed, 'backup', 'killed', silence.longest)).toHaveProperty('lease');
  const { log, entries } = memoryLog();
  const begun = performance.now();
  expect(await alone(next, () => Promise.resolve('made'), { log, signal, silence })).toBe('made');
  expect(performance.now() - begun).toBeGreaterThan(1000);
  expect(entries).toMatchObject([{ atMostSeconds: 2, msg: 'waits for the backup of another process' }]);
});

test('a backup that is at work refuses another one once it has said so, and goes on', async () => {
  const [one, other] = await ledgers();
  const { log } = memoryLog();
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  const work = () => {
    begun.resolve();
    return end.promise;
  };
  const first = alone(one, work, { log, signal, silence });
  await begun.promise;
  const second = alone(other, () => Promise.resolve('second'), { log, signal, silence });
  await expect(second).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('Another process makes a backup') as string,
  });
  end.resolve('first');
  expect(await first).toBe('first');
  expect(await alone(other, () => Promise.resolve('second'), { log, signal, silence })).toBe('second');
});

test('who waits can be stopped', async () => {
  const [killed, next] = await ledgers();
  await acquireLease(killed, 'backup', 'killed', 60_000);
  const stop = new AbortController();
  const waiting = alone(next, () => Promise.resolve(), { log: memoryLog().log, signal: stop.signal });
  setTimeout(() => stop.abort(), 50);
  await expect(waiting).rejects.toMatchObject({ code: 'interrupted' });
});

test('a backup whose process was silent for too long is not made: another one may count on other files', async () => {
  const [ledger] = await ledgers();
  const made = alone(
    ledger,
    async (assertAlone) => {
      await ledger.db.updateTable('leases').set({ epoch: 7 }).execute();
      await assertAlone();
    },
    { log: memoryLog().log, signal: new AbortController().signal },
  );
  await expect(made).rejects.toMatchObject({ code: 'lease-lost' });
});

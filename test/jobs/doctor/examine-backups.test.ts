import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LoadedConfig } from '../../../src/config/load.ts';
import { examineBackups } from '../../../src/jobs/doctor/examine-backups.ts';
import { makeBackup } from '../../../src/backup/make-backup.ts';
import { homeWith, placeAt } from '../../backup/home.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { contextFor } from '../../upload/upload-world.ts';

const START = Date.UTC(2026, 4, 4, 12);
const HOUR = 3_600_000;

/** What doctor says at a time, so many hours from noon, of backups at two every night that were made at others. */
async function world() {
  const folder = join(tempFolder(), 'place');
  const ctx = await contextFor('http://127.0.0.1:9', { backup: { to: folder, cron: '0 2 * * *' } });
  const of = await homeWith(1);
  return {
    folder,
    made: async (hours: number) => {
      const watching = { meter: new SharedArrayBuffer(16), signal: new AbortController().signal };
      await makeBackup(of, await placeAt(folder), { now: START + hours * HOUR, keep: null, ...watching });
    },
    said: (hours: number) => {
      const loaded = { env: {}, home: ctx.home } as LoadedConfig;
      const clock = { ...ctx.clock, now: () => START + hours * HOUR };
      return examineBackups(ctx.config.backup!, loaded, { ledger: ctx.ledger, clock });
    },
  };
}

test('before the first backup it says what makes it, whether or not there is a folder', async () => {
  const { folder, said } = await world();
  await expect(said(0)).rejects.toThrow(
    `There is no folder ${folder}, and no backup has been made there yet. A running \`offerline up\` makes both at once.`,
  );
  mkdirSync(folder);
  await expect(said(0)).rejects.toThrow('There is no backup in');
});

test('a backup in time is well, also one of a clock that is a little ahead', async () => {
  const { made, said } = await world();
  await made(0);
  expect(await said(1)).toMatch(
    /has 1 backup, the newest of 2026-05-04 12:00:00; the next one is due 2026-05-05 02:00/u,
  );
  expect(await said(-0.9)).toContain('has 1 backup');
  expect(await said(15.9)).toContain('has 1 backup');
});

test('a late one is a failure', async () => {
  const { made, said } = await world();
  await made(0);
  await expect(said(16.1)).rejects.toThrow(/the one that was due 2026-05-05 02:00:00 is late by 2 h/u);
});

test('one of the future is a failure until there is a newer one of a clock that is right, whatever its time', async () => {
  const { made, said } = await world();
  await made(24 * 365);
  await expect(said(1)).rejects.toThrow(
    /is of 2027-05-04 12:00:00, and the clock here shows 2026-05-04 13:00:00: one of the two clocks was wrong\. Set the clocks/u,
  );
  await made(1);
  expect(await said(1)).toMatch(/has 2 backups, the newest of 2026-05-04 13:00:00/u);
});

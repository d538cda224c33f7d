import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLive } from '../../src/ledger/maintenance/copy-live.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { conformance } from './conformance/all.ts';
import type { Engine } from './conformance/engine.ts';

const engine: Engine = {
  name: 'sqlite',
  place: () => Promise.resolve({ file: join(tempFolder(), 'state', 'ledger.sqlite') }),
};

conformance(engine);

test('a ledger that is not there is not made by reading it; one of another version is not touched', async () => {
  const folder = tempFolder();
  const file = join(folder, 'ledger.sqlite');
  expect(await readLive({ file }, 'main')).toBeNull();
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(file, '');
  await expect(readLive({ file }, 'main')).rejects.toMatchObject({
    code: 'ledger',
    message:
      'The ledger cannot be read: no such table: feeds. If an older version wrote it, any other command migrates it to this one.',
  });
  expect(statSync(file).size).toBe(0);
});

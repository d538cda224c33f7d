import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listRepeated } from '../../../../src/jobs/read/changes/list-repeated.ts';
import { readFile } from '../../../../src/jobs/read/read.ts';
import { plainSettings } from '../../../support/read-settings.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const HEAD = 'brand;oem;name;note\n';
const LONG = 'x'.repeat(960_000);

test('all rows that do not count are listed, however long they are', async () => {
  const folder = tempFolder();
  const path = join(folder, 'delivery');
  const settings = plainSettings({ charset: 'utf-8', delimiter: ';', header: true });
  const delivery = { path, name: 'delta.csv', folder, settings };
  writeFileSync(path, `${HEAD}BOSCH;1;Pads;x\n`);
  const { detection, name: entry } = await readFile(delivery);
  const count = 106;
  writeFileSync(path, HEAD + `BOSCH;1;Pads;${LONG}\n`.repeat(count) + 'BOSCH;1;Pads;\n');
  const lines = Uint32Array.from({ length: count }, (_, at) => at + 2);
  const { counts } = await listRepeated({
    ...delivery,
    entry,
    detection,
    repeated: { lines, last: lines.map(() => count + 2), numbers: null },
    issues: { path: join(folder, 'issues'), layout: null },
    names: ['brand', 'oem', 'name', 'note'],
  });
  expect(counts).toEqual({ 'changed-again': count });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { liveShop } from '../support/bad-input.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('a delivery whose numbers lost the zeros of the live one says so and is uploaded; repairs are a setting', async () => {
  const { shop } = await liveShop({ feeds: { north: { repair: ['lookalikes', 'mojibake'] } } });
  shop.deliver('north', '2-zeros.csv', 'brand;oem;name\nBOSCH;0986424797;Pads\nATE;24;Disc\n');
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', issues: {} });
  const lost = shop.deliver('north', '3-lost.csv', 'brand;oem;name\nBOSCH;986424797;BremsbelÃ¤ge\nATE;24А;Disc\n');
  const out = join(tempFolder(), 'rows.txt');
  const check = await shop.offerline('check', lost, '--feed', 'north', '--out', out, '--json');
  expect(JSON.parse(check.stdout)).toMatchObject({ outcome: 'accepted', issues: { 'leading-zero-lost': 1 } });
  expect(readFileSync(out, 'utf8')).toContain('BOSCH\t986424797\tBremsbeläge');
  expect(await shop.ingest('north')).toMatchObject({
    outcome: 'live',
    issues: { 'leading-zero-lost': 1, mojibake: 1, 'lookalike-letters': 1 },
  });
});

import { expect, test } from 'vitest';
import { liveShop } from '../support/bad-input.ts';

test('a delivery whose numbers lost the zeros of the live one says so and is uploaded; repairs are a setting', async () => {
  const { shop } = await liveShop({ feeds: { north: { repair: ['lookalikes', 'mojibake'] } } });
  shop.deliver('north', '2-zeros.csv', 'brand;oem;name\nBOSCH;0986424797;Pads\nATE;24;Disc\n');
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', issues: {} });
  shop.deliver('north', '3-lost.csv', 'brand;oem;name\nBOSCH;986424797;BremsbelÃ¤ge\nATE;24А;Disc\n');
  expect(await shop.ingest('north')).toMatchObject({
    outcome: 'live',
    issues: { 'leading-zero-lost': 1, mojibake: 1, 'lookalike-letters': 1 },
  });
});

import { expect, test } from 'vitest';
import { install } from '../../support/installation.ts';

const LIST = ['brand,oem,name', ...Array.from({ length: 40 }, (_, at) => `BOSCH,${1000 + at},Pads`), ''].join('\n');

/** A feed whose newest changes were taken out of what is live by a rollback; it is frozen since. */
async function rolledBack() {
  const shop = install({
    feeds: {
      north: {
        source: { type: 'directory', path: 'inbox/north', pattern: '*.csv', settle: '0s' },
        delivery: { full: { pattern: 'list*.csv' }, changes: { pattern: 'delta*.csv' } },
      },
    },
  });
  shop.deliver('north', 'list.csv', LIST);
  await shop.ingest('north');
  shop.deliver('north', 'delta-1.csv', 'brand,oem,name\nATE,7,Hose\n');
  const taken = await shop.ingest('north');
  await shop.offerline('rollback', 'main', '--reason', 'wrong prices', '--wait');
  return { shop, run: taken.run };
}

function release(shop: ReturnType<typeof install>, ...options: string[]) {
  return shop.offerline('release', 'main', '--reason', 'mended', '--wait', ...options);
}

test('a release that nothing follows is said once', async () => {
  const { shop } = await rolledBack();
  await shop.offerline('pause', 'north', '--reason', 'moving');
  const { stdout, stderr } = await release(shop);
  expect(`${stderr}${stdout}`.match(/Released/g)).toEqual(['Released']);
  expect(stdout).toMatch(/^Released: north\.\nnorth: changes wait behind delta-1\.csv \(run \S+\)/);
});

test('who waits for a release learns what the changes still wait for, also as JSON', async () => {
  const { shop, run } = await rolledBack();
  const json = JSON.parse((await release(shop, '--json')).stdout) as unknown;
  expect(json).toMatchObject({
    released: ['north'],
    runs: [{ feed: 'north' }],
    stillStopped: [{ feed: 'north', file: 'delta-1.csv', run, waitsFor: 'file' }],
  });
});

test('the runs that follow a release come first, then what the changes still wait for', async () => {
  const { shop, run } = await rolledBack();
  const { stdout, stderr } = await release(shop);
  expect(`${stderr}${stdout}`.match(/Released/g)).toEqual(['Released']);
  expect(stdout).toMatch(new RegExp(`\nnorth: changes wait behind delta-1\\.csv \\(run ${run}\\)`));
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

test('the report of a run says what show says of what is live now, also after a newer file of the same feed', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url }, feeds: { north: {} } });
  shop.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\nBOSCH;2\nBOSCH;3\n');
  const { run } = await shop.ingest('north');
  shop.deliver('north', 'b.csv', 'brand;oem\nBOSCH;1\nBOSCH;2\n');
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });

  const json = async (...args: string[]) => JSON.parse((await shop.offerline(...args)).stdout) as RunAnswer;
  const shown = await json('show', run, '--json');
  expect(shown.now).toMatchObject({ live: 2, doubt: null });
  expect((await json('report', run, '--format', 'json', '--out', '-')).now).toEqual(shown.now);
  const page = readFileSync((await shop.offerline('report', run)).stdout.trim(), 'utf8');
  expect(page.replaceAll(/<[^>]*>/g, '')).toMatch(/Live now: 2 rows/);

  // Nothing has changed since: what was written is given as it is.
  const before = readFileSync((await shop.offerline('report', run)).stdout.trim(), 'utf8');
  expect(before).toBe(page);
});

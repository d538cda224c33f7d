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
  expect(sectionOf(page, 'live')).toMatch(/\b2\b/);

  // Nothing has changed since: what was written is given as it is.
  const before = readFileSync((await shop.offerline('report', run)).stdout.trim(), 'utf8');
  expect(before).toBe(page);
});

test('the page of a live run says what it changed, without the parts that the service rejected', async () => {
  const service = await sandboxForTest();
  const config = { service: { baseUrl: service.url }, feeds: { north: { supplier: { name: 'Nord Teile' } } } };
  const shop = install(config);
  const file = (...rows: string[]) => `brand;oem;tags\n${rows.map((row) => `${row}\n`).join('')}`;
  shop.deliver('north', 'a.csv', file('BOSCH;1;new', 'BOSCH;2;', 'ATE;3;', 'NONSUCH;4;'));
  const first = await shop.ingest('north');
  expect(first).toMatchObject({ outcome: 'partial', rows: { rejectedRemotely: 1, live: 3 } });
  expect(sectionOf(readFileSync(first.reports?.html ?? '', 'utf8'), 'change')).toContain('no earlier delivery');
  shop.deliver('north', 'b.csv', file('BOSCH;1;sale', 'BOSCH;2;', 'NONSUCH;4;', 'NONSUCH;5;', 'ATE;6;', 'ATE;7;'));
  const second = await shop.ingest('north');
  expect(second).toMatchObject({ outcome: 'partial', diff: null, rows: { live: 4 } });

  const page = readFileSync(second.reports?.html ?? '', 'utf8');
  expect(page).toContain('<title>');
  const changed = sectionOf(page, 'change');
  expect(changed).toContain('Unchanged 1 Changed 1 Gone 1 New 2');
  expect(changed).toContain('ATE 1 2 2 1 0');
  expect(changed).not.toContain('NONSUCH');
  expect(changed).toContain('1 added, 1 removed');
  expect(sectionOf(page, 'live')).toContain('The last 2 deliveries');
  expect(sectionOf(page, 'causes')).toMatch(/2 rows .*NONSUCH 2/);

  const asked = async (...args: string[]) => shop.offerline('report', second.run, ...args);
  const german = readFileSync((await asked('--language', 'de')).stdout.trim(), 'utf8');
  expect(german).toContain('<html lang="de">');
  expect(sectionOf(german, 'change')).toContain('Unverändert 1 Geändert 1 Weggefallen 1 Neu 2');
  expect((await asked()).stdout.trim()).toBe(second.reports?.html);
  shop.configure({ ...config, mail: { language: 'ru' } });
  expect(readFileSync((await asked()).stdout.trim(), 'utf8')).toContain('<html lang="ru">');
  expect(await asked('--language', 'fr')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('Unknown language fr: write one of de, en, pl, ru.') as string,
  });
  expect(await asked('--language', 'de', '--format', 'csv')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--language is for the html report') as string,
  });
});

/** What a reader sees in a section of a page, spaces folded. */
function sectionOf(page: string, id: string): string {
  const found = new RegExp(`<section aria-labelledby="${id}">.*?</section>`, 's').exec(page)?.[0] ?? '';
  return found.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readInWorker } from '../../src/jobs/read/read-within.ts';
import { openConsole, type Client } from '../support/console.ts';
import { install } from '../support/installation.ts';
import { plainSettings } from '../support/read-settings.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { madeOds, row, table, text } from '../tables/ods/made-ods.ts';
import { measuredCheck } from './measured-check.ts';

/* Files that take long or much: they end, and nobody else waits for them. */

const LIST = 'brand;oem;name\nBOSCH;1;Pad\nATE;2;Disc\n';

/** A workbook of a kilobyte with a million rows, which takes some seconds. */
const SLOW = madeOds({
  tables: table(
    row(...['brand', 'oem', 'name', 'a', 'b', 'c', 'd', 'e', 'f'].map((name) => text(name))) +
      row(...Array.from({ length: 9 }, (_, at) => text(`value ${at}`))).replace(
        '<table:table-row>',
        '<table:table-row table:number-rows-repeated="1000000">',
      ),
  ),
});

test('a check ends after its time, and says so', async () => {
  const { answer, seconds } = await measuredCheck('north.ods', SLOW, '--read-time', '500ms');
  expect(answer).toMatchObject({ outcome: 'rejected', wouldBe: 'rejected', file: 'north.ods' });
  expect(answer.reason).toBe(
    'north.ods takes longer than 0.5 s to read (limits.readTime). Send the list alone, in fewer rows and columns.',
  );
  expect(seconds).toBeLessThan(30);
});

test('a delivery that takes too long is rejected, and the next one goes live', async () => {
  const feeds = { north: {}, south: { login: 'other' } };
  const logins = { main: {}, other: {} };
  const shop = install({ logins, feeds, limits: { readTime: '1ms' } });
  shop.deliver('north', 'north.csv', LIST);
  const late = await shop.ingest('north');
  expect(late).toMatchObject({ outcome: 'rejected', status: 3 });
  expect(late.reason).toContain('north.csv takes longer than 0.001 s to read (limits.readTime).');
  shop.configure({ logins, feeds });
  shop.deliver('south', 'south.csv', LIST);
  expect(await shop.ingest('south')).toMatchObject({ outcome: 'live' });
  expect(await shop.ingest('north', '--force')).toMatchObject({ outcome: 'live' });
});

test('a file that takes too much memory is refused with the limit, and others are read meanwhile', async () => {
  const rows = `${'a;'.repeat(50e6)}\n`;
  const read = (name: string, content: string, limits = {}) => {
    const folder = tempFolder();
    const path = join(folder, name);
    writeFileSync(path, content);
    const settings = plainSettings();
    return readInWorker({ path, name, folder, settings: { ...settings, limits: { ...settings.limits, ...limits } } });
  };
  const [large, small] = await Promise.allSettled([
    // Who allows rows of any length gets them into memory.
    read('large.csv', `${LIST}${rows}${LIST}`, { rowLength: 1e9, cellLength: 1e9 }),
    read('small.csv', LIST),
  ]);
  expect(small).toMatchObject({ value: { validation: { counts: { accepted: 2 } } } });
  expect(large).toMatchObject({
    reason: {
      code: 'file-rejected',
      details: { code: 'reading-too-large' },
      message: expect.stringMatching(
        /^large\.csv takes more than \d+ MB of memory to read, the most that a file may take\./,
      ),
    },
  });
});

test('two large files of a viewer keep nobody else waiting', async () => {
  const served = await openConsole({ feeds: { north: {} } });
  const [viewer, admin] = [await served.signIn('viewer'), await served.signIn('admin')];
  const ended: string[] = [];
  const sent = ['first', 'second'].map((name) =>
    send(served.url, viewer, SLOW, `${name}.ods`).then(({ status }) => ended.push(`${name} ${status}`)),
  );
  expect((await send(served.url, admin, Buffer.from(LIST), 'list.csv')).status).toBe(200);
  expect((await admin.post('/system/doctor', {})).status).toBe(200);
  expect(ended).not.toContain('second 200');
  await Promise.all(sent);
  expect(ended.sort()).toEqual(['first 200', 'second 200']);
});

function send(url: string, client: Client, content: Buffer, name: string): Promise<Response> {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(content)], name));
  return fetch(`${url}/check`, { method: 'POST', body: form, headers: { cookie: client.cookie(), origin: url } });
}

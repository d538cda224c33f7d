import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../../support/http-server.ts';
import { runCli } from '../../support/run-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** An installation whose feeds pull from a folder and from an address. */
function installation(url = 'http://127.0.0.1:9/prices.csv'): string {
  const folder = tempFolder();
  const feeds = `feeds:
  north: { login: main, source: { type: directory, path: ., pattern: 'price_{yyyy-MM-dd}.csv' } }
  web: { login: main, source: { type: http, url: '${url}' } }
`;
  writeFileSync(join(folder, 'offerline.yaml'), `logins: { main: {} }\n${feeds}`);
  for (const [at, day] of ['2026-11-21', '2026-11-20'].entries()) {
    const file = join(folder, `price_${day}.csv`);
    writeFileSync(file, 'brand;oem\n');
    utimesSync(file, 1_700_000_000 + at, 1_700_000_000 + at);
  }
  return folder;
}

test('pull --list names what would be taken and what is superseded, and takes nothing', async () => {
  const folder = installation();
  const { stdout, status } = await runCli(['pull', 'north', '--list', '--json'], folder, {
    OFFERLINE_CONFIG: join(folder, 'offerline.yaml'),
  });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    feed: 'north',
    place: folder,
    files: [
      expect.objectContaining({ name: 'price_2026-11-21.csv', size: 10, decision: 'take' }),
      expect.objectContaining({ name: 'price_2026-11-20.csv', decision: 'superseded' }),
    ],
  });
});

test('pull --list of an address shows the file as its server describes it', async () => {
  const { url } = await serve((_request, response) => {
    response.setHeader('last-modified', 'Sat, 21 Nov 2026 06:00:00 GMT');
    response.end('brand;oem\n');
  });
  const folder = installation(`${url}/prices.csv`);
  const env = { OFFERLINE_CONFIG: join(folder, 'offerline.yaml') };
  const { stdout, status } = await runCli(['pull', 'web', '--list', '--json'], folder, env);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    files: [{ name: 'prices.csv', size: 10, modifiedAt: Date.UTC(2026, 10, 21, 6), decision: 'take' }],
  });
});

test('pull --list of an address that is gone says so, with what to do', async () => {
  const folder = installation();
  const env = { OFFERLINE_CONFIG: join(folder, 'offerline.yaml') };
  const { stderr, status } = await runCli(['pull', 'web', '--list'], folder, env);
  expect(status).toBe(4);
  expect(stderr).toContain('refused the connection');
});

test('pull --list shows the first 50 of many files, and all of them where that is asked for', async () => {
  const folder = installation();
  for (let day = 0; day < 59; day++) {
    const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
    writeFileSync(join(folder, `price_${date}.csv`), 'brand;oem\n');
  }
  const env = { OFFERLINE_CONFIG: join(folder, 'offerline.yaml') };
  const first = await runCli(['pull', 'north', '--list'], folder, env);
  expect(first.stdout).toContain('… and 11 more (--all shows 61 files)');
  expect(first.stdout.match(/ superseded /g)).toHaveLength(49);
  expect(first.stdout).toMatch(/price_2026-11-21\.csv +10 +2023-11-14 22:13:20 +\d+ d +take/);
  const all = await runCli(['pull', 'north', '--list', '--all'], folder, env);
  expect(all.stdout.match(/ superseded /g)).toHaveLength(60);
  expect(all.stdout).not.toContain('… and');
});

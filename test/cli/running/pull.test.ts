import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../support/run-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** An installation whose feeds pull from a folder and from an address. */
function installation(): string {
  const folder = tempFolder();
  const feeds = `feeds:
  north: { login: main, source: { type: directory, path: ., pattern: 'price_{yyyy-MM-dd}.csv' } }
  web: { login: main, source: { type: http, url: 'http://127.0.0.1:9/prices.csv' } }
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

test('pull --list of an address that does not answer says so', async () => {
  const folder = installation();
  const { stderr, status } = await runCli(['pull', 'web', '--list'], folder, {
    OFFERLINE_CONFIG: join(folder, 'offerline.yaml'),
  });
  expect(status).toBe(4);
  expect(stderr).toContain('http://127.0.0.1:9/prices.csv refused the connection');
});

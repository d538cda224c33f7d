import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A folder with files that came to rest long ago. */
function folderWith(files: Record<string, string | Buffer>): string {
  const folder = tempFolder();
  mkdirSync(join(folder, 'in'));
  for (const [name, bytes] of Object.entries(files)) {
    writeFileSync(join(folder, 'in', name), bytes);
    utimesSync(join(folder, 'in', name), 1000, 1000);
  }
  return folder;
}

const FIVE = {
  'north_2026-11-21.csv': 'brand;oem;name\r\nBOSCH;0986424797;Pads\r\nATE;13046013812;Disc\r\n',
  'rhein.txt': iconv.encode(
    'Hersteller\tArtikelnummer\tBezeichnung\nSACHS\t311 398\tDämpfer für hinten\n',
    'windows-1252',
  ),
  'volga.csv': iconv.encode(
    'Бренд;Артикул;Наименование\nЛУКОЙЛ;1674;Масло моторное\nКАМА;205;Шина летняя\n',
    'windows-1251',
  ),
  'lyon.csv.gz': gzipSync('marque,référence,désignation\nVALEO,826317,"Kit d\'embrayage, complet"\n'),
  'tagged.csv': 'brand|oem|tags\nTRW|GDB1330|"front,axle"\n',
};

test("five suppliers' files become a rehearsed installation in one command", { timeout: 120_000 }, async () => {
  const folder = folderWith(FIVE);
  const { status, stdout } = await runCli(['init', 'in', '--json'], folder);
  const answer = JSON.parse(stdout) as {
    config: string;
    feeds: { feed: string; reason: string | null }[];
    leftOut: unknown[];
    rehearsal: { answers: { feed: string; outcome: string; rows: { live: number } }[] };
  };
  expect(answer.feeds.map(({ feed, reason }) => [feed, reason])).toEqual(
    ['lyon', 'north', 'rhein', 'tagged', 'volga'].map((feed) => [feed, null]),
  );
  expect(answer.rehearsal.answers.map(({ feed, outcome, rows }) => [feed, outcome, rows.live])).toEqual([
    ['lyon', 'live', 1],
    ['north', 'live', 2],
    ['rhein', 'live', 1],
    ['tagged', 'live', 1],
    ['volga', 'live', 2],
  ]);
  expect(status).toBe(0);
  expect(answer.config).toBe(join(folder, 'config/offerline.yaml'));
  const checked = await runCli(['config', 'check', '--json'], folder);
  expect(JSON.parse(checked.stdout)).toMatchObject({ valid: true, warnings: [] });
});

describe('a configuration', () => {
  test('that exists is not overwritten', async () => {
    const folder = folderWith({ 'north.csv': FIVE['north_2026-11-21.csv'] });
    writeFileSync(join(folder, 'mine.yaml'), 'feeds: {}\n');
    const { status, stderr } = await runCli(['init', 'in', '--config', 'mine.yaml'], folder);
    expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining('init overwrites nothing') });
    expect(readFileSync(join(folder, 'mine.yaml'), 'utf8')).toBe('feeds: {}\n');
  });

  test('marks what is missing, and the exit status says so', async () => {
    const folder = folderWith({ 'odd.csv': 'qwx;zzy\n1;2\n3;4\n', 'north.csv': FIVE['north_2026-11-21.csv'] });
    const { status, stdout } = await runCli(['init', 'in', '--no-rehearse'], folder);
    expect(status).toBe(3);
    expect(stdout).toMatch(/north +not rehearsed +2 +2 +north\.csv\nodd +to be settled/);
    expect(readFileSync(join(folder, 'config/offerline.yaml'), 'utf8')).toContain('# Missing: brand. Write columns:');
  });
});

test('without a file that can be read no configuration is written', async () => {
  const folder = folderWith({ 'picture.csv': Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 0]) });
  const { status, stderr } = await runCli(['init', 'in'], folder);
  expect(status).toBe(3);
  expect(stderr).toContain('No configuration was written: no file can be read. picture.csv:');
  expect(existsSync(join(folder, 'config'))).toBe(false);
});

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import { install, type Installation } from '../support/installation.ts';

/** The one archived file whose text is looked for. */
function archived({ home }: Installation, isIt: (text: string) => boolean): string {
  const archive = join(home, 'archive');
  const files = readdirSync(archive, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /[0-9a-f]{64}$/.test(name),
  );
  const found = files.filter((name) => isIt(readFileSync(join(archive, name), 'utf8')));
  expect(found).toHaveLength(1);
  return join(archive, found[0]!);
}

/** Rows of which every hundredth has no brand, with numbers of which some had a zero in front in the file before. */
function largeFile(zero: string): string {
  const rows = Array.from({ length: 12_000 }, (_, at) => {
    const number = `${at % 500 === 7 ? zero : ''}${at + 100_000}`;
    return `${at % 100 === 3 ? '' : 'BOSCH'};${number};${'Brake pads of the front axle. '.repeat(14)};\n`;
  });
  return `brand;oem;name;tags\n${rows.join('')}`;
}

test('all issues of a large file are there when numbers have lost their zeros', async () => {
  const shop = install();
  shop.deliver('north', 'first.csv', largeFile('0'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'partial', issues: { 'brand-empty': 120 } });
  shop.deliver('north', 'second.csv', largeFile(''));
  const second = await shop.ingest('north');
  expect(second.issues).toEqual({ 'brand-empty': 120, 'leading-zero-lost': 24 });

  const report = await shop.offerline('report', second.run, '--format', 'csv');
  expect(report).toMatchObject({ status: 0 });
  const csv = readFileSync(second.reports!.csv, 'utf8');
  expect(csv.match(/^issue,brand-empty/gm)).toHaveLength(120);
  expect(csv.match(/^issue,leading-zero-lost/gm)).toHaveLength(24);
  expect(await shop.offerline('trace', 'BOSCH', '100008')).toMatchObject({ status: 0 });
});

const LIST = 'brand;oem;name\nATE;1;a\n;2;b\n;3;c\n;4;d\nBOSCH;5;e\n';

/** A run of three issues, the second of which is damaged in the archive. */
async function damaged() {
  const shop = install();
  shop.deliver('north', 'north.csv', LIST);
  const { run } = await shop.ingest('north');
  const file = archived(shop, (text) => text.startsWith('{"code":"brand-empty"'));
  const lines = readFileSync(file, 'utf8').split('\n');
  lines[1] = lines[1]!.replaceAll('"', '\u0000');
  writeFileSync(file, lines.join('\n'));
  rmSync(join(shop.home, 'reports'), { recursive: true });
  return { shop, run };
}

async function reportsOf({ shop, run }: Awaited<ReturnType<typeof damaged>>) {
  const report = await shop.offerline('report', run);
  expect(report).toMatchObject({ status: 0, stderr: expect.not.stringContaining('at ') });
  const { reports } = JSON.parse((await shop.offerline('show', run, '--json')).stdout) as RunAnswer;
  return reports!;
}

test('damaged issues are made again from the delivery', async () => {
  const csv = readFileSync((await reportsOf(await damaged())).csv, 'utf8');
  expect(csv.match(/^issue,brand-empty/gm)).toHaveLength(3);
});

test('damaged issues whose delivery is lost, too, are said wherever they would be shown', async () => {
  const { shop, run } = await damaged();
  rmSync(archived(shop, (text) => text === LIST));
  const reports = await reportsOf({ shop, run });
  const said = /The archive file \S+ is missing/;
  expect(readFileSync(reports.csv, 'utf8')).toMatch(said);
  expect(readFileSync(reports.html, 'utf8')).toMatch(said);
  expect((JSON.parse(readFileSync(reports.json, 'utf8')) as RunAnswer).unreadable.join()).toMatch(said);

  const shown = await shop.offerline('show', run);
  expect(shown).toMatchObject({ status: 0 });
  expect(shown.stdout).toMatch(said);
  const traced = await shop.offerline('trace', 'ATE', '1');
  expect(traced).toMatchObject({ status: 0 });
  expect(traced.stdout).toMatch(said);
  expect(await shop.offerline('rerun', run, '--from', 'report', '--wait')).toMatchObject({ status: 3 });
});

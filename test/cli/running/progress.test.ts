import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { atEnd } from '../../support/at-end.ts';
import { install, type Installation } from '../../support/installation.ts';
import { lacks } from '../../support/programs.ts';
import { until } from '../../support/until.ts';

const CLEAR = '\r\u001B[K';
const PROGRAM = fileURLToPath(new URL('../../../bin/offerline', import.meta.url));

function manyRows(count: number): string {
  return `brand;oem\n${Array.from({ length: count }, (_, at) => `BOSCH;${at}-${'x'.repeat(40)}\n`).join('')}`;
}

/** What a command writes to a terminal of 100 columns. */
async function atTerminal(shop: Installation, command: string): Promise<string> {
  const env = {
    ...process.env,
    CI: '',
    NO_COLOR: '',
    OFFERLINE_CONFIG: join(shop.folder, 'offerline.yaml'),
    OFFERLINE_HOME: shop.home,
  };
  const args = ['-qefc', `stty cols 100 rows 30; exec ${PROGRAM} ${command}`, '/dev/null'];
  const terminal = spawn('script', args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  atEnd(() => void terminal.kill('SIGKILL'));
  let seen = '';
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => (seen += text));
  await once(terminal, 'close');
  return seen;
}

test.skipIf(lacks('script'))('ingest --wait redraws one line, and removes it before each line that stays', async () => {
  const shop = install();
  shop.deliver('north', 'a.csv', manyRows(150_000));
  const seen = await atTerminal(shop, 'ingest north --wait');
  const drawn = seen.split(CLEAR).filter((text) => text.includes(' · '));
  expect(drawn.some((text) => /^north: (reading|processing|sending) \d+% · /u.test(text))).toBe(true);
  const lines = seen.split('\n').map((line) => line.split(CLEAR).at(-1)!);
  expect(lines.filter((line) => line.includes('%'))).toEqual([]);
  expect(lines.some((line) => line.includes('150000 read = 150000 accepted'))).toBe(true);
  expect(seen).not.toContain('upload moved');
  // One line says that the service has begun; how far it is stands in the line that is redrawn.
  expect(lines.filter((line) => line.includes('the service says processing')).length).toBeLessThan(2);
});

test.skipIf(lacks('script'))('check shows how much of a large file is read, and leaves only the answer', async () => {
  const shop = install();
  const file = shop.deliver('north', 'a.csv', manyRows(600_000));
  const seen = await atTerminal(shop, `check ${file}`);
  expect(seen).toMatch(/a\.csv: reading \d+% · \d+ of \d+ MB/u);
  expect(seen.split(CLEAR).at(-1)).toContain('accepted');
});

test('off a terminal each step is one line of JSON that says of which run it is, and nothing else is written', async () => {
  const shop = install();
  shop.deliver('north', 'a.csv', manyRows(2));
  const { stderr } = await shop.offerline('ingest', 'north', '--wait');
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const stages = lines.filter(({ msg }) => msg === 'stage began' || msg === 'stage ended');
  const order = ['pull', 'read', 'guard', 'compose', 'guard', 'send', 'trace', 'fetch', 'prove', 'search', 'report'];
  expect(stages.map(({ stage, msg }) => [stage, msg])).toEqual(
    order.flatMap((stage) => [
      [stage, 'stage began'],
      [stage, 'stage ended'],
    ]),
  );
  const ended = (wanted: string) => stages.find(({ stage, msg }) => stage === wanted && msg === 'stage ended');
  const seconds = expect.any(Number) as number;
  expect(ended('compose')).toMatchObject({ login: 'main', unit: 'rows', done: 2, total: 2, seconds });
  expect(ended('prove')).toMatchObject({ login: 'main', unit: 'rows', done: 4, total: 4, seconds });
  expect(ended('report')).toMatchObject({ run: expect.any(String) as string, seconds });
  const steps = lines.filter(({ msg, run }) => msg === 'progress' && run !== undefined);
  expect(new Set(steps.map(({ stage }) => stage))).toEqual(new Set(['pull', 'read', 'compose', 'upload', 'report']));
  expect(steps.every(({ feed, progress }) => feed === 'north' && String(progress).startsWith('north: '))).toBe(true);
});

test('up logs when a run begins, when it has ended, and each mail', async () => {
  const shop = install({ managers: [{ email: 'ops@example.com', feeds: ['north'], when: ['always'] }] });
  const up = shop.start('up');
  await until(() => (up.stderr().includes('"ready"') ? true : undefined));
  shop.deliver('north', 'a.csv', manyRows(2));
  await shop.offerline('ingest', 'north');
  await until(() => (up.stderr().includes('"run ended"') ? true : undefined));
  const lines = up
    .stderr()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const said = lines.filter(({ msg }) => ['run began', 'mail sent', 'run ended'].includes(String(msg)));
  expect(said).toMatchObject([
    { msg: 'run began', feed: 'north', cause: 'manual' },
    { msg: 'mail sent', recipient: 'ops@example.com' },
    { msg: 'run ended', feed: 'north', outcome: 'live', rows: { read: 2, live: 2 }, seconds: expect.any(Number) },
  ]);
});

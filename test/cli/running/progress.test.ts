import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { killAtEnd } from '../../support/at-end.ts';
import { install, type Installation } from '../../support/installation.ts';
import { lacks } from '../../support/programs.ts';
import { rawZip } from '../../support/raw-zip.ts';
import { until } from '../../support/until.ts';
import { PROGRAM } from '../../support/started-program.ts';

const CLEAR = '\r\u001B[K';

function manyRows(count: number): string {
  return `brand;oem\n${Array.from({ length: count }, (_, at) => `BOSCH;${at}-${'x'.repeat(40)}\n`).join('')}`;
}

/** A command at a terminal of 100 columns: what it wrote so far, how to press Ctrl-C, and when it is over. */
function openTerminal(shop: Installation, command: string, more: NodeJS.ProcessEnv = {}) {
  const env = {
    ...process.env,
    CI: '',
    NO_COLOR: '',
    OFFERLINE_CONFIG: join(shop.folder, 'offerline.yaml'),
    OFFERLINE_HOME: shop.home,
    TERM: 'xterm',
    ...more,
  };
  const args = ['-qefc', `stty cols 100 rows 30; exec ${PROGRAM} ${command}`, '/dev/null'];
  const terminal = spawn('script', args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  killAtEnd(terminal);
  let seen = '';
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => (seen += text));
  return { seen: () => seen, interrupt: () => terminal.stdin.write('\u0003'), closed: once(terminal, 'close') };
}

/** All that a command writes to a terminal. */
async function atTerminal(shop: Installation, command: string): Promise<string> {
  const { seen, closed } = openTerminal(shop, command);
  await closed;
  return seen();
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

test.skipIf(lacks('script')).each([
  ['in colours', {}, '\u001B[32mINFO\u001B[39m: \u001B[36mnorth: live, 2 of 2 rows live, '],
  ['without colours, as NO_COLOR asks', { NO_COLOR: '1' }, '] INFO: north: live, 2 of 2 rows live, '],
  ['without colours in CI', { CI: 'true', GITHUB_ACTIONS: 'true' }, '] INFO: north: live, 2 of 2 rows live, '],
])('up at a terminal logs in words, %s', async (_, env, ended) => {
  const shop = install({ managers: [{ email: 'ops@example.com', feeds: ['north'], when: ['always'] }] });
  // Its log goes to stderr: what stdout is does not matter.
  const up = openTerminal(shop, 'up > /dev/null', env);
  await until(() => (up.seen().includes('ready: ') ? true : undefined));
  shop.deliver('north', 'a.csv', manyRows(2));
  await shop.offerline('ingest', 'north');
  await until(() => (up.seen().includes(ended) ? true : undefined));
  up.interrupt();
  await up.closed;
  const seen = up.seen();
  expect(seen).toMatch(/north: run \S+ began \(manual\)/u);
  expect(seen).toMatch(/mail to ops@example\.com about run /u);
  expect(seen).toContain('stopping (SIGINT)');
  expect(seen.includes('\u001B[3')).toBe(Object.keys(env).length === 0);
  expect(seen).not.toContain('"msg"');
});

test.skipIf(lacks('script'))('up shows no escapes of a supplier at a terminal', async () => {
  const shop = install();
  const up = openTerminal(shop, 'up');
  await until(() => (up.seen().includes('ready: ') ? true : undefined));
  const evil = 'b\u001B]0;owned\u0007.csv';
  shop.deliver('north', 'a.zip', rawZip(['a.csv', evil].map((name) => ({ name, data: manyRows(2) }))));
  await shop.offerline('ingest', 'north');
  await until(() => (/north: rejected/u.test(up.seen()) ? true : undefined));
  up.interrupt();
  await up.closed;
  expect(up.seen()).toMatch(/ERROR.*north: rejected, .*b\\u\{1b\}\]0;owned\\u\{7\}\.csv/u);
  expect(up.seen()).not.toContain('\u001B]');
  expect(up.seen()).not.toContain('\u0007');
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StatusAnswer } from '../../../src/jobs/standing/status.ts';
import { goodFile } from '../../support/bad-input.ts';
import { install, type Installation } from '../../support/installation.ts';
import { lacks } from '../../support/programs.ts';
import { scriptedService } from '../../support/scripted-service.ts';
import { killAtEnd } from '../../support/at-end.ts';
import { until } from '../../support/until.ts';
import { PROGRAM } from '../../support/started-program.ts';

const YEARLY = { schedule: { cron: '0 3 1 1 *', timezone: 'UTC' } };

async function statusOf(shop: Installation): Promise<StatusAnswer> {
  return JSON.parse((await shop.offerline('status', '--json')).stdout) as StatusAnswer;
}

test('a held, a failed and a good feed: the worst first, each with its next command', async () => {
  const shop = install({
    feeds: {
      north: {},
      south: { guard: { minRows: 1000 } },
      west: { source: { type: 'directory', path: 'not-there' } },
      east: {},
    },
  });
  shop.deliver('north', '1.csv', goodFile('A'));
  shop.deliver('south', '1.csv', goodFile('B'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  const held = await shop.ingest('south');
  const failed = await shop.ingest('west');
  const { clear, lines } = await statusOf(shop);
  expect(clear).toBe(false);
  expect(lines).toMatchObject([
    { tone: 'bad', name: 'west', next: `offerline show ${failed.run}` },
    { tone: 'waiting', name: 'south', next: `offerline show ${held.run}`, rows: null },
    { tone: 'good', what: 'login', name: 'main', next: null },
    { tone: 'good', what: 'feed', name: 'north', rows: expect.any(Number), next: null },
    { tone: 'quiet', name: 'east', next: 'offerline ingest east --wait' },
  ]);
  expect((await shop.offerline('status')).stdout).toMatch(/2 lines above need attention\.\n$/u);
});

test('schedules that nobody runs and work that nobody does are the first lines', async () => {
  const shop = install({ feeds: { north: YEARLY } });
  shop.deliver('north', '1.csv', goodFile('A'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  const work = async () => {
    const [first] = (await statusOf(shop)).lines;
    return first?.what === 'work' ? first : undefined;
  };
  // The run swept while it waited; that is forgotten after ten sweeps.
  expect(await until(work)).toMatchObject({
    tone: 'waiting',
    says: expect.stringContaining('schedules are not running: no worker seen since'),
    next: 'offerline up',
  });
  await shop.offerline('ingest', 'north');
  expect(await work()).toMatchObject({ tone: 'bad', says: '1 run open, but no worker is processing them' });
});

test('with a worker, and everything live, all is clear', async () => {
  const shop = install({ feeds: { north: YEARLY } });
  shop.deliver('north', '1.csv', goodFile('A'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  const up = shop.start('up');
  await until(() => (up.stderr().includes('ready') ? true : undefined));
  await until(async () => ((await statusOf(shop)).clear ? true : undefined));
  expect((await shop.offerline('status')).stdout).toContain('All clear');
});

test('of an upload under way it says how much of it the service has processed', async () => {
  const service = await scriptedService();
  service.fate({ state: 'processing', linesProcessed: 3 });
  const shop = install({ service: { baseUrl: service.url } });
  shop.deliver('north', '1.csv', 'brand;oem\nATE;1\nATE;2\nATE;3\nATE;4\n');
  const up = shop.start('up');
  await until(() => (up.stderr().includes('ready') ? true : undefined));
  await shop.offerline('ingest', 'north');
  const login = await until(async () => {
    const line = (await statusOf(shop)).lines.find(({ what }) => what === 'login');
    return line?.says.includes('submitted') === true ? line : undefined;
  });
  expect(login).toMatchObject({ tone: 'busy', says: 'upload 1001 is submitted, 75% processed', next: null });
  const [state] = JSON.parse((await shop.offerline('logins', '--json')).stdout) as unknown[];
  expect(state).toMatchObject({ open: { processed: { rows: 3, of: 4 } } });
});

test('a pause, a rollback and their ends are seen', async () => {
  const shop = install();
  for (const name of ['A', 'B']) {
    shop.deliver('north', `${name}.csv`, goodFile(name));
    expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  }
  await shop.offerline('pause', 'login:main', '--reason', 'stock-taking');
  const paused = { tone: 'waiting', what: 'login', says: expect.stringContaining('stock-taking') };
  expect((await statusOf(shop)).lines[0]).toMatchObject({
    ...paused,
    next: 'offerline resume login:main --reason TEXT',
  });
  await shop.offerline('resume', 'login:main', '--reason', 'done');
  await shop.offerline('rollback', 'main', '--reason', 'wrong prices', '--wait');
  const frozen = (await statusOf(shop)).lines.map(({ next }) => next);
  expect(frozen).toEqual(['offerline release login:main --reason TEXT', 'offerline release feed:north --reason TEXT']);
  await shop.offerline('release', 'main', '--reason', 'corrected');
  expect(await statusOf(shop)).toMatchObject({ clear: true });
});

test('--watch --json gives a line for each change, and ends with a signal', async () => {
  const shop = install();
  shop.deliver('north', '1.csv', goodFile('A'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  const watch = shop.start('status', '--watch', '--json', '--every', '0.2');
  await until(() => (watch.stdout().includes('\n') ? true : undefined));
  await shop.offerline('pause', 'north', '--reason', 'stock-taking');
  await until(() => (watch.stdout().includes('stock-taking') ? true : undefined));
  await shop.offerline('resume', 'north', '--reason', 'done');
  await until(() => (watch.stdout().trim().split('\n').length === 3 ? true : undefined));
  watch.child.kill('SIGINT');
  expect(await watch.ended).toMatchObject({ status: 0 });
  const seen = watch.stdout().trim().split('\n');
  expect(seen.map((text) => (JSON.parse(text) as StatusAnswer).clear)).toEqual([true, false, true]);
});

test.skipIf(lacks('script'))('--watch draws on a terminal, and Ctrl-C leaves the terminal as it was', async () => {
  const shop = install();
  shop.deliver('north', '1.csv', goodFile('A'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  const command = `stty cols 70 rows 20; exec ${PROGRAM} status --watch --every 0.2`;
  const env = {
    PATH: process.env['PATH'],
    OFFERLINE_CONFIG: join(shop.folder, 'offerline.yaml'),
    OFFERLINE_HOME: shop.home,
  };
  const terminal = spawn('script', ['-qefc', command, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  killAtEnd(terminal);
  let seen = '';
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => (seen += text));
  // Longer than a command takes to let go of what it opened.
  await until(() => (seen.split('All clear').length > 9 ? true : undefined));
  terminal.stdin.write('\u0003');
  await once(terminal, 'close');
  expect(terminal.exitCode).toBe(0);
  expect(seen).toContain('\u001B[?1049h');
  expect(seen).toContain('\u001B[32m✓');
  expect(seen.trimEnd()).toMatch(/\[\?25h.{1}\[\?1049l$/su);
});

test.each([
  [['--watch'], '--watch draws on a terminal'],
  [['--watch', '--json', '--every', '0'], 'Expected seconds, 0.2 or more.'],
  [['--every', 'often'], 'Expected seconds, 0.2 or more.'],
])('status %j is refused with what to write', async (args, why) => {
  expect(await install().offerline('status', ...args)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(why),
  });
});

import { execFile } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodFile } from '../support/bad-input.ts';
import { install, type Installation } from '../support/installation.ts';
import { findProgram, lacks } from '../support/programs.ts';
import { PROGRAM } from '../support/started-program.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const QUESTIONS = ['runs', 'feeds', 'logins', 'incidents', 'scorecard', 'show latest', 'trace BOSCH A1'];
const isRoot = process.getuid?.() === 0;

/** Runs the program as someone who may not write what root owns; in vain where the tests run as that user already. */
function asNobody(args: string[], env: Record<string, string>): Promise<{ stdout: string; stderr: string }> {
  const drop = isRoot ? [findProgram('setpriv') ?? '', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
  const [program = '', ...rest] = [...drop, PROGRAM, ...args];
  return new Promise((resolve) => {
    const path = process.env['PATH'] ?? '';
    execFile(program, rest, { env: { PATH: path, ...env } }, (_, stdout, stderr) => resolve({ stdout, stderr }));
  });
}

/** Takes the right to write from everyone, and lets everyone read; answers with what is there, with its times. */
function freeze(shop: Installation): () => string[] {
  const all = () => globSync('**/*', { cwd: shop.folder }).map((name) => join(shop.folder, name));
  for (const path of [shop.folder, shop.home, ...all()]) chmodSync(path, statSync(path).isDirectory() ? 0o555 : 0o444);
  return () => all().map((path) => `${path} ${statSync(path).mtimeMs}`);
}

test.each(QUESTIONS)('%s makes no home, and names those nearby', async (question) => {
  const shop = install({ logins: { main: {} } });
  const empty = await shop.offerline(...question.split(' '));
  expect(empty).toMatchObject({ status: 2, stdout: '' });
  expect(empty.stderr).toContain(`There is no ledger in ${shop.home}, so nothing is known here.`);
  expect(existsSync(shop.home)).toBe(false);

  const other = join(shop.folder, 'other');
  await shop.offerline('prune', '--home', other);
  const beside = await shop.offerline(...question.split(' '));
  // Homes of others in the folder above may follow.
  expect(beside.stderr).toContain(`Nearby: ${other}`);
  expect(beside.stderr).toContain('Name the right one with --home or OFFERLINE_HOME.');
});

test.skipIf(process.platform === 'win32' || (isRoot && lacks('setpriv')))(
  'a home that may not be written answers as one that may, and stays as it is',
  { timeout: 120_000 },
  async () => {
    const shop = install();
    shop.deliver('north', '1.csv', goodFile('A'));
    expect((await shop.ingest('north')).outcome).toBe('live');
    const asked = QUESTIONS.map((question) => `${question} --json`.split(' '));
    const answers = [];
    for (const args of asked) answers.push(JSON.parse((await shop.offerline(...args)).stdout));
    const temporary = tempFolder();
    chmodSync(temporary, 0o777);
    const there = freeze(shop);
    const before = there();
    const env = { OFFERLINE_CONFIG: join(shop.folder, 'offerline.yaml'), OFFERLINE_HOME: shop.home, TMPDIR: temporary };
    for (const [at, args] of asked.entries()) {
      const { stdout, stderr } = await asNobody(args, env);
      expect(stderr).toBe('');
      expect(withoutTimes(stdout)).toEqual(withoutTimes(JSON.stringify(answers[at])));
    }
    expect(there()).toEqual(before);
    expect(readdirSync(temporary)).toEqual([]);
  },
);

test.skipIf(!isRoot || lacks('setpriv'))(
  'a home that another process works on can be read without writing to it',
  async () => {
    const shop = install();
    const up = shop.start('up');
    await until(() => (up.stderr().includes('"ready"') ? true : undefined));
    shop.deliver('north', '1.csv', goodFile('A'));
    expect((await shop.ingest('north')).outcome).toBe('live');
    mkdirSync(join(shop.folder, 'tmp'));
    chmodSync(join(shop.folder, 'tmp'), 0o777);
    for (const path of ['.', 'home', 'home/archive']) chmodSync(join(shop.folder, path), 0o755);
    for (const name of ['', '-wal', '-shm']) chmodSync(join(shop.home, `ledger.sqlite${name}`), 0o644);
    chmodSync(join(shop.home, 'archive/id.json'), 0o644);
    const env = { OFFERLINE_CONFIG: join(shop.folder, 'offerline.yaml'), OFFERLINE_HOME: shop.home };
    const { stdout } = await asNobody(['runs', '--json'], { ...env, TMPDIR: join(shop.folder, 'tmp') });
    expect(JSON.parse(stdout)).toMatchObject([{ feed: 'north', outcome: 'live' }]);
  },
);

test('questions are answered without the credentials, and what uses them names what is not set', async () => {
  const env: NodeJS.ProcessEnv = { SERVICE_TOKEN: 'a-token' };
  const shop = install({ logins: { main: { auth: { type: 'bearer', token: '${SERVICE_TOKEN}' } } } }, env);
  shop.deliver('north', '1.csv', goodFile('A'));
  expect((await shop.ingest('north')).outcome).toBe('live');
  delete env['SERVICE_TOKEN'];
  for (const question of [...QUESTIONS, 'rollback main --list'])
    expect(await shop.offerline(...question.split(' '))).toMatchObject({ status: 0, stderr: '' });
  expect(await shop.offerline('ingest', 'north', '--wait')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('the environment variable SERVICE_TOKEN is not set'),
  });
});

/** The moment at which a scorecard was made is its own. */
function withoutTimes(answer: string): unknown {
  return JSON.parse(answer, (key, value: unknown) => (['from', 'to', 'at'].includes(key) ? undefined : value));
}

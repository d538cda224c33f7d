import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { killAtEnd } from '../../support/at-end.ts';
import { install, type Ended, type Installation } from '../../support/installation.ts';
import { lacks } from '../../support/programs.ts';
import { until } from '../../support/until.ts';
import { PROGRAM } from '../../support/started-program.ts';

const PASSWORD = 'correct horse battery staple';
const OTHER = 'staple battery horse correct';

function environment(shop: Installation): NodeJS.ProcessEnv {
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...env } = process.env;
  return { ...env, OFFERLINE_CONFIG: join(shop.folder, 'offerline.yaml'), OFFERLINE_HOME: shop.home, NO_COLOR: '1' };
}

/** Runs a command that is given a text on standard input. */
async function piped(shop: Installation, text: string, ...args: string[]): Promise<Ended> {
  const child = spawn(PROGRAM, args, { env: environment(shop), stdio: 'pipe' });
  killAtEnd(child);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => (said[name] += chunk));
  // A command that is refused reads nothing.
  child.stdin.on('error', () => undefined).end(text);
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, ...said };
}

/** Runs a command at a terminal and types the answers, each when it is asked for the next time. */
async function typed(
  shop: Installation,
  command: string,
  answers: string[],
): Promise<{ status: number; seen: string }> {
  const child = spawn('script', ['-qefc', `${PROGRAM} ${command}`, '/dev/null'], {
    env: environment(shop),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  killAtEnd(child);
  let seen = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (seen += chunk));
  const ended = once(child, 'close');
  for (const [asked, answer] of answers.entries()) {
    await until(() => (seen.match(/Password: |The same again: /gu)?.length ?? 0) > asked || undefined);
    child.stdin.write(answer);
  }
  const [status] = (await ended) as [number];
  return { status, seen };
}

async function audit(shop: Installation) {
  const ledger = await openLedger({ file: join(shop.home, 'ledger.sqlite') });
  try {
    return await ledger.db.selectFrom('audit').selectAll().orderBy('at').execute();
  } finally {
    await ledger.close();
  }
}

function filesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return files.filter((file) => existsSync(file) && statSync(file).isFile());
}

describe('user add', () => {
  test('adds a user whose password comes from a pipe or a file, and says who may do what', async () => {
    const shop = install();
    writeFileSync(join(shop.folder, 'secret.txt'), `\u{feff}${OTHER}\r\nmore\r\n`);
    const added = await piped(shop, `${PASSWORD}\nmore\n`, 'user', 'add', 'anna', '--role', 'admin');
    expect(added).toMatchObject({ status: 0, stdout: 'anna may sign in as admin.\n' });
    const file = ['--password-file', join(shop.folder, 'secret.txt')];
    const email = ['--email', 'brakes@example.com', '--language', 'de'];
    expect(await piped(shop, '', 'user', 'add', 'bernd', '--role', 'manager', ...email, ...file)).toMatchObject({
      status: 0,
      stdout: 'bernd may sign in as manager.\n',
      stderr:
        'No managers entry of the configuration has the address brakes@example.com: bernd sees no feed until one has.\n',
    });
    const { stdout } = await shop.offerline('user', 'list', '--json');
    const since = expect.any(Number) as number;
    const plain = { disabled: null, provider: null, factor: false };
    expect(JSON.parse(stdout)).toEqual([
      { name: 'anna', role: 'admin', email: null, language: null, since, ...plain },
      { name: 'bernd', role: 'manager', email: 'brakes@example.com', language: 'de', since, ...plain },
    ]);
    expect((await shop.offerline('user', 'list')).stdout).toMatch(/^bernd +manager +brakes@example\.com +20/mu);
    expect(
      (await audit(shop)).map(({ action, subject, reason, who, via, origin }) => [
        action,
        subject,
        reason,
        who,
        via,
        origin,
      ]),
    ).toEqual([
      ['add-user', 'user anna', 'role admin', userInfo().username, 'cli', hostname()],
      ['add-user', 'user bernd', 'role manager', userInfo().username, 'cli', hostname()],
    ]);
    for (const path of filesIn(shop.home)) {
      const text = readFileSync(path, 'latin1');
      expect([path, text.includes(PASSWORD) || text.includes(OTHER)]).toEqual([path, false]);
    }
  });

  test.each([
    ['of an unknown role', ['anna', '--role', 'boss'], "argument 'boss' is invalid. Allowed choices are viewer"],
    ['without a role', ['anna'], "required option '--role <role>' not specified"],
    ['with a name that is none', ['an na', '--role', 'ops'], '"an na" is no name for a user'],
    ['with an address that is none', ['anna', '--role', 'ops', '--email', 'anna'], '"anna" is no address'],
    ['who is a manager without an address', ['anna', '--role', 'manager'], 'name it with --email'],
    [
      'with a language of which there are no words',
      ['anna', '--role', 'ops', '--language', 'xx'],
      'Unknown language xx',
    ],
    [
      'with a password as an argument',
      ['anna', PASSWORD, '--role', 'ops'],
      'There are too many arguments. A password is never',
    ],
    [
      'with a password as an option',
      ['anna', '--role', 'ops', `--password=${PASSWORD}`],
      'There is no option --password.',
    ],
    [
      'with a file that is not there',
      ['anna', '--role', 'ops', '--password-file', 'nope.txt'],
      'The password could not be read from nope.txt: there is no such file.\n',
    ],
  ])('refuses one %s', async (_, args, why) => {
    const shop = install();
    const ended = await piped(shop, `${PASSWORD}\n`, 'user', 'add', ...args);
    expect(ended).toMatchObject({ status: 2, stdout: '' });
    expect(ended.stderr).toContain(why);
    expect(ended.stderr).not.toMatch(/^ +at |horse/mu);
    expect((await shop.offerline('user', 'list')).stdout).not.toContain('anna');
  });

  test('refuses a password that is short, missing, or the name, without repeating it', async () => {
    const shop = install();
    for (const [text, why] of [
      ['hunter2\n', 'The password has 7 characters; it needs at least 12'],
      ['', 'No password came on standard input'],
      ['administrator1\n', 'is little more than the name of the user'],
    ] as const) {
      const ended = await piped(shop, text, 'user', 'add', 'administrator', '--role', 'ops');
      expect(ended).toMatchObject({ status: 2, stdout: '' });
      expect(ended.stderr).toContain(why);
      expect(ended.stderr).not.toMatch(/hunter2|administrator1/u);
    }
    expect(await audit(shop)).toEqual([]);
  });

  test('refuses a second user of a name before it asks for a password', async () => {
    const shop = install();
    await piped(shop, PASSWORD, 'user', 'add', 'anna', '--role', 'ops');
    expect(await piped(shop, '', 'user', 'add', 'anna', '--role', 'ops')).toMatchObject({
      status: 2,
      stderr: 'There is a user anna already; `offerline user passwd anna` gives them another password.\n',
    });
  });
});

test('passwd, disable and enable say what they did, and refuse what cannot be', async () => {
  const shop = install();
  await piped(shop, PASSWORD, 'user', 'add', 'anna', '--role', 'admin');
  await piped(shop, PASSWORD, 'user', 'add', 'bernd', '--role', 'ops');
  expect(await piped(shop, `${OTHER}\n`, 'user', 'passwd', 'anna')).toMatchObject({
    status: 0,
    stdout: 'anna has another password; their sessions have ended.\n',
  });
  expect(await shop.offerline('user', 'disable', 'anna')).toMatchObject({
    status: 2,
    stderr: 'anna is the last administrator; add another one first.\n',
  });
  expect(await shop.offerline('user', 'disable', 'bernd')).toMatchObject({ status: 0, stdout: 'bernd is disabled.\n' });
  expect(await shop.offerline('user', 'disable', 'bernd')).toMatchObject({
    status: 2,
    stderr: 'bernd is disabled already.\n',
  });
  expect((await shop.offerline('user', 'list')).stdout).toMatch(/^bernd .*disabled 20/mu);
  expect(await shop.offerline('user', 'enable', 'bernd')).toMatchObject({ status: 0, stdout: 'bernd is enabled.\n' });
  for (const command of [['passwd'], ['disable'], ['enable']])
    expect(await piped(shop, PASSWORD, 'user', ...command, 'carla')).toMatchObject({
      status: 2,
      stderr: 'There is no user carla; `offerline user list` shows them.\n',
    });
  expect((await audit(shop)).map(({ subject, reason }) => [subject, reason])).toEqual([
    ['user anna', 'role admin'],
    ['user bernd', 'role ops'],
    ['user anna', 'password'],
    ['user bernd', 'disabled'],
    ['user bernd', 'enabled'],
  ]);
});

describe.skipIf(lacks('script'))('at a terminal', () => {
  test('the password is asked for twice and not shown', async () => {
    const shop = install();
    const { status, seen } = await typed(shop, 'user add anna --role ops', [`${PASSWORD}\r`, `${PASSWORD}\r`]);
    expect({ status, seen }).toMatchObject({ status: 0 });
    expect(seen).toContain('Password: ');
    expect(seen).toContain('anna may sign in as ops.');
    expect(seen).not.toContain('horse');
  });

  test('two that differ change nothing; what was typed first cannot be brought back', async () => {
    const shop = install();
    const up = '\u001B[A';
    for (const again of [`${OTHER}\r`, `${up}\r`]) {
      const { status, seen } = await typed(shop, 'user add anna --role ops', [`${PASSWORD}\r`, again]);
      expect(status).toBe(2);
      expect(seen).toContain('The two passwords differ, so nothing was changed.');
    }
    expect((await shop.offerline('user', 'list')).stdout).toContain('No users.');
  });

  test('Ctrl-C and Ctrl-D end the question', async () => {
    const shop = install();
    for (const key of ['\u0003', '\u0004']) {
      const { status, seen } = await typed(shop, 'user add anna --role ops', [key]);
      expect(status).toBe(130);
      expect(seen).toContain('Interrupted; nothing was changed.');
    }
  });
});

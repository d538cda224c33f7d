import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { MAIN } from '../support/started-program.ts';

/** Runs a command whose reader goes away before it has read anything, as `| true` does. */
async function runUnread(args: string[], cwd: string): Promise<{ status: number | null; stderr: string }> {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  await once(child, 'close');
  return { status: child.exitCode, stderr };
}

test.each([
  { args: ['show', 'nope'], status: 2, code: 'config' },
  { args: ['check', 'nope.csv'], status: 2, code: 'not-found' },
  { args: ['runs', '--limit', 'x'], status: 2, code: 'usage' },
  { args: ['nope'], status: 2, code: 'usage' },
])('with --json an error is the one value: $args', async ({ args, status, code }) => {
  const ended = await runCli([...args, '--json'], tempFolder());
  expect(ended.status).toBe(status);
  expect(JSON.parse(ended.stdout)).toEqual({ error: { code, message: expect.any(String) } });
  expect(ended.stderr).not.toBe('');
});

test('an option with the name of a command as its value is not taken for the command', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'check'), 'logins: {}\nfeeds: {}\n');
  const ended = await runCli(['--config', 'check', 'config', 'check', '--json'], folder);
  expect(JSON.parse(ended.stdout)).toMatchObject({ valid: true });
});

test('a reader that goes away changes neither the exit status nor what is said', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'a.csv'), 'article;price\n1;2\n');
  expect(await runUnread(['config', 'schema'], folder)).toEqual({ status: 0, stderr: '' });
  expect(await runUnread(['check', 'a.csv', '--json'], folder)).toEqual({ status: 3, stderr: '' });
});

test.each([
  ['retry', 'offerline rerun RUN runs one again; offerline rerun --failed all that failed last'],
  ['logs', 'offerline show RUN has the timeline of a run'],
  ['list', 'offerline runs lists runs'],
])('%s, typed by habit, leads to the right command', async (word, advice) => {
  const ended = await runCli([word, 'north'], tempFolder());
  expect(ended).toMatchObject({ status: 2, stdout: '' });
  expect(ended.stderr).toContain(`There is no command ${word}: ${advice}`);
});

test.runIf(process.platform === 'linux')('a home in an impossible place is refused at once', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'offerline.yaml'), 'logins: {}\nfeeds: {}\n');
  writeFileSync(join(folder, 'file'), '');
  for (const home of ['/proc/offerline', '/proc/offerline/deep', join(folder, 'file', 'home'), join(folder, 'file')]) {
    const ended = await runCli(['--config', 'offerline.yaml', '--home', home, 'prune'], folder);
    expect(ended.status).toBe(2);
    expect(ended.stderr).toContain('(OFFERLINE_HOME) cannot be created');
    const asked = await runCli(['--config', 'offerline.yaml', '--home', home, 'runs'], folder);
    expect(asked).toMatchObject({ status: 2, stdout: '' });
    expect(asked.stderr).toContain(`There is no ledger in ${home}`);
  }
});

test('the version is that of the package', async () => {
  expect(await runCli(['--version'], tempFolder())).toMatchObject({ status: 0, stdout: `${VERSION}\n` });
  expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(`\n## [${VERSION}]`);
});

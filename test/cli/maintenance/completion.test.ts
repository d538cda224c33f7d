import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { lacks } from '../../support/programs.ts';
import { runCli } from '../../support/run-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { PROGRAM } from '../../support/started-program.ts';

/** A folder with a configuration that has feeds and logins to complete. */
function installation(): { folder: string; env: Record<string, string> } {
  const folder = tempFolder();
  const source = { type: 'directory', path: '.' };
  const feeds = { north: { login: 'main', source }, rhein: { login: 'other', source } };
  writeFileSync(join(folder, 'o.yaml'), JSON.stringify({ logins: { main: {}, other: {} }, feeds }));
  return {
    folder,
    env: { OFFERLINE_CONFIG: join(folder, 'o.yaml'), PATH: `${dirname(PROGRAM)}:${process.env['PATH']}` },
  };
}

describe('words that fit', () => {
  test.each([
    [['comp'], ['compare', 'completion']],
    [
      ['show', 'latest', '--rows', 're'],
      ['read', 'rejectedLocally', 'rejectedRemotely'],
    ],
    [
      ['ingest', ''],
      ['north', 'rhein'],
    ],
    [['rollback', 'm'], ['main']],
    [
      ['pause', ''],
      ['north', 'rhein', 'main', 'other'],
    ],
    [['runs', '--login', 'o'], ['other']],
    [
      ['config', ''],
      ['check', 'schema', 'show', 'diff'],
    ],
    [['config', 'show', 'n'], ['north']],
    [['ingest', 'north', '--w'], ['--wait']],
    [
      ['api', 'listQ'],
      ['listQuickGroup', 'listQuickDetail'],
    ],
    [['api', 'offer/p'], []],
    [['api', 'search', '--param', 'pa'], ['page=']],
    [
      ['api', 'advancedSearch', '--param', 'tagsLogicOperation='],
      ['tagsLogicOperation=OR', 'tagsLogicOperation=AND'],
    ],
    [['api', 'nonsense', '--param', ''], []],
    [['ingest', 'north', '--file', 'x'], []],
    [
      ['user', ''],
      ['add', 'passwd', 'reset-factor', 'disable', 'enable', 'list'],
    ],
    [['user', 'disable', ''], []],
    [['user', 'add', 'anna', '--role', 'o'], ['ops']],
    [['token', 'add', 'shop', '--feeds', 'n'], ['north']],
  ])('%j', async (words, expected) => {
    const { folder, env } = installation();
    const { status, stdout, stderr } = await runCli(['__complete', '--', ...words], folder, env);
    expect({ status, stderr, words: stdout.split('\n').filter(Boolean) }).toEqual({
      status: 0,
      stderr: '',
      words: expected,
    });
  });

  test('without a configuration there are no names, and no error', async () => {
    expect(await runCli(['__complete', '--', 'ingest', ''], tempFolder())).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    });
  });
});

describe('scripts', () => {
  test.skipIf(lacks('bash')).each([
    [['offerline', 'ing'], 'ingest'],
    [['offerline', 'ingest', 'n'], 'north'],
    [['offerline', 'api', 'search', '--param', 'qu'], 'query='],
    // bash splits at "=" and takes what follows it for the word.
    [['offerline', 'api', 'advancedSearch', '--param', 'tagsLogicOperation', '='], 'OR AND'],
    [['offerline', 'api', 'advancedSearch', '--param', 'tagsLogicOperation', '=', 'A'], 'AND'],
  ])('bash completes %j', async (words, expected) => {
    const { folder, env } = installation();
    const script =
      'source <(offerline completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _offerline; echo "${COMPREPLY[*]}"';
    const { stdout } = await promisify(execFile)('bash', ['-c', script, 'bash', ...words], { cwd: folder, env });
    expect(stdout).toBe(`${expected}\n`);
  });

  test.each(['zsh', 'fish'])('%s can read its script', async (shell) => {
    const { stdout, status } = await runCli(['completion', shell], tempFolder());
    expect([status, stdout]).toEqual([0, expect.stringContaining('__complete -- ') as string]);
    const file = join(tempFolder(), 'script');
    writeFileSync(file, stdout);
    const { error, status: read, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    // A machine without the shell cannot tell.
    expect(error === undefined ? [read, stderr] : [0, '']).toEqual([0, '']);
  });

  test('another shell is refused', async () => {
    expect(await runCli(['completion', 'tcsh'], tempFolder())).toMatchObject({ status: 2 });
  });
});

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { atEnd } from '../at-end.ts';
import { tempFolder } from '../temp-folder.ts';
import { until } from '../until.ts';
import { staying } from './nested/staying.ts';
import { processesOf } from './processes.ts';

const ROOT = join(import.meta.dirname, '../../..');
const NESTED = join(import.meta.dirname, 'nested/vitest.config.ts');

/** Runs files of the nested suite; `env` besides that of this process. */
function play(files: string[], env: NodeJS.ProcessEnv): ChildProcess {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|SUITE_|CI$)/u.test(name));
  const runner = spawn(
    process.execPath,
    [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--config', NESTED, ...files],
    { cwd: ROOT, env: { ...Object.fromEntries(own), NO_COLOR: '1', ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = once(runner, 'exit');
  atEnd(async () => {
    runner.kill('SIGKILL');
    await ended;
  });
  return runner;
}

/** What a run says, and the status with which it ends. */
async function played(files: string[]): Promise<{ status: number | null; said: string }> {
  const runner = play(files, { SUITE_PATIENCE: '0' });
  const [out, errors, [status]] = await Promise.all([
    text(runner.stdout!),
    text(runner.stderr!),
    once(runner, 'exit') as Promise<[number | null]>,
  ]);
  return { status, said: `${out}${errors}` };
}

// Processes are known by /proc.
describe.skipIf(process.platform !== 'linux')('what outlives the suite', () => {
  test('what a file or a killed worker leaves fails the run by the name of the test, and is gone after the run', async () => {
    const { status, said } = await played(['careless', 'dies', 'tidy']);
    expect(status).toBe(1);
    const root = /(\/\S+\/ofl-\w{6})\//u.exec(said)?.[1] ?? '';
    expect(said).toMatch(/careless\.play\.ts has left:/u);
    for (const line of [
      /- process \d+ \(.+ \/\/ alone\), of: a process with an environment of its own\n/u,
      /- process \d+ \(.+\), which listens on port \d+, of: a process that listens, and a failure\n/u,
      /- process \d+ \(.+ \/\/ orphan\), of: a process that lost its parent and knows a folder only\n/u,
      /- \/.+\/folder-\w{6}, of: a folder\n/u,
      /- a server on port \d+, of: a server of this process\n/u,
      /dies\.play\.ts:\n- process \d+ \(.+ \/\/ of the dead\), of: its worker is killed\n- \/.+\/dead-\w{6}\n/u,
    ])
      expect(said).toMatch(line);
    expect(said).not.toContain('tidy.play.ts has left');
    expect(processesOf(root)).toEqual([]);
    expect(existsSync(root)).toBe(false);
  });

  test.each(['SIGINT', 'SIGKILL'] as const)('a run that gets %s leaves nothing', async (signal) => {
    const tell = join(tempFolder(), 'tell');
    const runner = play(['waits'], { TELL: tell });
    const { root } = await until(() => readTold(tell));
    expect(processesOf(root)).not.toEqual([]);
    runner.kill(signal);
    await until(() => (existsSync(root) || processesOf(root).length > 0 ? undefined : true));
  });

  test('a process that only looks into the folder is none of it', async () => {
    const folder = tempFolder();
    const { SUITE_FOLDER: _folder, SUITE_ROOT: _root, TMPDIR: _temporary, ...env } = process.env;
    const looks = spawn(process.execPath, staying('looks'), { cwd: folder, env });
    const ended = once(looks, 'exit');
    expect(processesOf(folder)).toEqual([]);
    looks.kill('SIGKILL');
    await ended;
  });
});

function readTold(file: string): { root: string } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { root: string };
  } catch {
    return undefined;
  }
}

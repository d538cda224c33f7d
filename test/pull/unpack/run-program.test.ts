import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema/schema.ts';
import { findProgram, runProgram, type ProgramTask } from '../../../src/pull/unpack/sealed/run-program.ts';
import { runInThread } from '../../../src/threads/thread.ts';
import { atEnd, killAtEnd } from '../../support/at-end.ts';
import { lacks } from '../../support/programs.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

const { limits } = configSchema.parse({ logins: {}, feeds: {} });
const LONG = new URL('./run-long.ts', import.meta.url);

/** Runs a program of the machine, and gives what it wrote beside how it ended. */
async function ran(name: string, args: string[], more: Partial<ProgramTask> = {}) {
  let output = '';
  const take = async (from: Readable) => {
    output = await text(from);
  };
  const file = await program(name);
  return { ...(await runProgram({ file, args, name: 'a.7z', limits, folder: tempFolder(), take, ...more })), output };
}

async function program(name: string): Promise<string> {
  const file = await findProgram([name]);
  if (file === null) throw new Error(`There is no ${name}.`);
  return file;
}

/** Whether a program sleeps for so many seconds; what starts it has other words first. */
function sleepsFor(seconds: string): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      const [file = '', first] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return /^\d+$/u.test(pid) && file.endsWith('/sleep') && first === seconds;
    } catch {
      return false;
    }
  });
}

/** A number of seconds that no other process sleeps for. */
const secondsOf = (at: number) => `${3600 + at}.${process.pid}`;

describe.skipIf(lacks('prlimit', 'setpriv', 'sleep', 'env', 'sh', 'cat'))('a program of the machine', () => {
  test('is told texts, and says what it wrote, said and complained about', async () => {
    const script = 'cat; cat <&4 >&3; echo no >&2; exit 3';
    const texts: [number, string][] = [
      [0, 'in'],
      [4, 'more'],
    ];
    expect(await ran('sh', ['-c', script], { texts })).toEqual({
      status: 3,
      output: 'in',
      said: 'more',
      complaint: 'no\n',
    });
  });

  test('sees nothing of the environment', async () => {
    process.env['NORTH_PASSWORD'] = 'x';
    atEnd(() => delete process.env['NORTH_PASSWORD']);
    const { output } = await ran('env', []);
    expect(output).toContain('LC_ALL=C.UTF-8');
    expect(output).not.toContain('NORTH_PASSWORD');
  });

  test('has 1 GB of memory', async () => {
    expect((await ran('sh', ['-c', 'ulimit -v'])).output).toBe('1048576\n');
  });

  test('is ended after the time that reading may take', async () => {
    const seconds = secondsOf(1);
    await expect(ran('sleep', [seconds], { limits: { ...limits, readTime: 50 } })).rejects.toMatchObject({
      code: 'file-rejected',
      details: { code: 'reading-too-long' },
    });
    expect(sleepsFor(seconds)).toBe(false);
  });

  test('is ended when nobody takes what it writes', async () => {
    const take = () => Promise.reject(new Error('the disk is full'));
    await expect(ran('cat', ['/dev/zero'], { take })).rejects.toThrow('the disk is full');
  });

  test('ends with the thread that started it', async () => {
    const seconds = secondsOf(2);
    const stop = new AbortController();
    const input = { file: await program('sleep'), seconds };
    const running = runInThread<void>({ module: LONG, name: 'runLong' }, input, stop.signal);
    const ended = running.catch((error: unknown) => error);
    await until(() => sleepsFor(seconds) || undefined);
    stop.abort(new Error('enough'));
    expect(await ended).toMatchObject({ message: 'enough' });
    expect(await until(() => !sleepsFor(seconds) || undefined)).toBe(true);
  });

  test('ends with the process that started it, also when that is killed', async () => {
    const seconds = secondsOf(3);
    const child = spawn(process.execPath, [LONG.pathname, await program('sleep'), seconds], { stdio: 'ignore' });
    killAtEnd(child);
    await until(() => sleepsFor(seconds) || undefined);
    child.kill('SIGKILL');
    expect(await until(() => !sleepsFor(seconds) || undefined)).toBe(true);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { searchPath } from '../../src/config/search-path.ts';
import { atEnd, ifFailed } from './at-end.ts';
import { findProgram } from './programs.ts';
import { PROGRAM } from './started-program.ts';

/** Stands on a page for lines that are left out. */
const LEFT_OUT = '…';

/** A block of commands of a page, and what it says that they print. */
export type Step = { commands: string; output: string | null };

/** How a test plays the commands of a block where a page cannot say it: what stays is started, and ended before the next. */
export type Played = (commands: string) => string;

/**
 * Plays all commands of a page in one shell, in a folder in which `offerline` is on the PATH, and compares what they print with what
 * it says. `last` is played behind them.
 */
export async function playPage(
  steps: Step[],
  folder: string,
  { played, last = '' }: { played: Played; last?: string },
): Promise<void> {
  const printed = await play(folder, [...steps.map(({ commands }) => played(commands)), last]);
  for (const [at, { commands, output }] of steps.entries()) {
    if (output === null) continue;
    const expected = linesOf(leveled(output));
    const actual = linesOf(leveled((printed[at] ?? '').replaceAll(folder, '/home/you').replaceAll(BY_ME, 'by you:')));
    expect({ commands, printed: shownOf(actual, expected) }).toEqual({ commands, printed: expected });
  }
}

/** The blocks of commands of the page, each with the block of output that follows it. */
export function stepsOf(page: string): Step[] {
  const found: Step[] = [];
  for (const [, language, text = ''] of page.matchAll(/^```(sh|text)\n([^]*?)^```$/gm)) {
    const last = found.at(-1);
    if (language === 'sh') found.push({ commands: text, output: null });
    else if (last !== undefined) last.output = text;
  }
  return found;
}

/** Runs blocks of commands in one shell; answers with what each printed. A command that fails ends it. */
async function play(folder: string, blocks: string[]): Promise<string[]> {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(PROGRAM, join(bin, 'offerline'));
  const script = blocks.join("\nprintf '\\0'\n");
  const shell = spawn(findProgram('bash') ?? 'bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { HOME: folder, PATH: `${bin}:${searchPath()}`, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const closed = once(shell, 'close') as Promise<[number | null]>;
  atEnd(async () => {
    // What it has started holds its output open as long as it runs.
    if (!shell.stdout.closed) process.kill(-shell.pid!, 'SIGKILL');
    await closed;
  });
  let stdout = '';
  let stderr = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  ifFailed(() => void process.stderr.write(stderr));
  const [status] = await closed;
  expect({ status, printed: status === 0 ? '' : stdout }).toEqual({ status: 0, printed: '' });
  return stdout.split('\0');
}

const BY_ME = `by ${userInfo().username}:`;

/** A text with ids, times and hashes that differ from run to run made alike. */
function leveled(text: string): string {
  return text
    .replaceAll(/\b\d{8}-\d{6}-[0-9a-z]{5}\b/g, 'YYYYMMDD-HHMMSS-xxxxx')
    .replaceAll(/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\b/g, 'YYYY-MM-DD HH:MM:SS');
}

function linesOf(text: string): string[] {
  return text.trimEnd().split('\n');
}

/** What was printed, with lines left out where the page leaves some out; where the page is wrong, the first line that differs. */
function shownOf(printed: string[], expected: string[]): string[] {
  const shown: string[] = [];
  let next = 0;
  for (const [at, line] of expected.entries()) {
    if (line === LEFT_OUT) {
      const resumed = expected[at + 1];
      const found = resumed === undefined ? printed.length : printed.indexOf(resumed, next);
      shown.push(LEFT_OUT);
      if (found === -1) return [...shown, ...printed.slice(next)];
      next = found;
    } else {
      shown.push(printed[next] ?? '(nothing more)');
      next += 1;
    }
  }
  return [...shown, ...printed.slice(next)];
}

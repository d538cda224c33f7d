/**
 * Measures what asks a ledger of 20,000 runs: `npm run bench:ledger`. Commands are whole processes, start-up included; the sweep is
 * measured in its process. The figures go to bench/ledger-results.md.
 */
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configure, FEEDS, fill, LOGINS, PART, RUNS } from './ledger/fill.ts';
import { measure, median, type Measure } from './read/measure.ts';

const ROUNDS = 5;
const program = fileURLToPath(new URL('../bin/offerline', import.meta.url));
const sweeper = fileURLToPath(new URL('./ledger/sweep.ts', import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'bench-ledger-'));
try {
  const home = join(folder, 'home');
  const file = configure(folder);
  const began = performance.now();
  await fill(file, home);
  console.error(`filled in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  const megabytes = statSync(join(home, 'ledger.sqlite')).size / 1_000_000;
  const lines: string[] = [];
  const commands = [['--version'], ['runs', '--json'], ['feeds', '--json'], ['trace', ...PART, '--json']];
  for (const words of commands) lines.push(await takeCommand(words, file, home));
  lines.push(await takeSweeps(file, home));
  const text = report(lines, megabytes);
  console.log(text);
  writeFileSync(new URL('./ledger-results.md', import.meta.url), text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function takeCommand(words: string[], file: string, home: string): Promise<string> {
  const place = words[0] === '--version' ? [] : ['--config', file, '--home', home];
  const taken: Measure[] = [];
  // The first round fills the caches of files and compiled code, as the second command of an operator finds them.
  for (let round = 0; round <= ROUNDS; round += 1) taken.push(await measure([program, ...words, ...place], folder));
  const [, ...counted] = taken;
  return line(
    words.join(' '),
    counted.map(({ seconds }) => seconds),
    median(counted.map(({ cpuSeconds }) => cpuSeconds)),
  );
}

async function takeSweeps(file: string, home: string): Promise<string> {
  const { answer } = await measure([process.execPath, sweeper, file, home], folder);
  const { seconds, cpuSeconds } = JSON.parse(answer) as { seconds: number[]; cpuSeconds: number[] };
  return line('a sweep', seconds, median(cpuSeconds));
}

function line(what: string, times: number[], cpu: number): string {
  const figures = [median(times), Math.min(...times), Math.max(...times), cpu].map((seconds) => seconds.toFixed(2));
  const text = `| ${[what, ...figures].join(' | ')} |`;
  console.error(text);
  return text;
}

function report(lines: string[], megabytes: number): string {
  return [
    '# Asking a ledger of 20,000 runs\n',
    `\`npm run bench:ledger\`: ${RUNS.toLocaleString('en')} runs of ${FEEDS} feeds at ${LOGINS} logins in SQLite, ${megabytes.toFixed(0)} MB. Commands are whole`,
    `processes, start-up included (\`--version\` is start-up alone); the sweep runs in a process that is up. Where the machine has\nother work, only the processor time says something. ${cpus().length} × ${cpus()[0]?.model.trim()},`,
    `Node ${process.versions.node}.\n`,
    '| what | s (median) | s (least) | s (most) | s of processor |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}

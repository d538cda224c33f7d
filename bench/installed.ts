/**
 * Measures what is installed: `npm run bench:start -- [RUNS]` (11). Builds the package, installs it beside the pinned Node, and times whole
 * processes in turns with `node -e 0`; prints how many times as long they take, and the size without Node. From 5 runs on the page is
 * kept as bench/installed-results.md.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { basename, join } from 'node:path';
import { writeMegabyte } from './read/measure-start.ts';
import { median } from './read/measure.ts';
import { SHAPES } from './read/shapes.ts';

type Case = { name: string; goal: number; words: string[]; taken: number[]; node: number[] };

const ROOT = join(import.meta.dirname, '..');
const MB = 1_000_000;
const LEAST_TO_KEEP = 5;
/** Processes that find less compiled than the others. */
const FIRST_RUNS = 4;
const runs = Number(process.argv[2] ?? '11');
const temporary = join(import.meta.dirname, 'tmp');
const modules = join(temporary, 'node_modules');
const installed = join(modules, 'offerline');
const offerline = join(installed, 'bin/offerline');
const installation = ['--config', join(installed, 'config/offerline.yaml'), '--home', join(temporary, 'home')];

async function main(): Promise<void> {
  const [load = 0] = loadavg();
  rmSync(temporary, { recursive: true, force: true });
  try {
    const size = install();
    await seconds([offerline, 'ingest', 'north', '--wait', ...installation]);
    const cases = allCases();
    for (const one of cases) await take(one);
    const text = page(cases, size, load);
    console.log(text);
    if (runs >= LEAST_TO_KEEP) writeFileSync(join(import.meta.dirname, 'installed-results.md'), text);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Installs the package as npm would; answers with its size in bytes. */
function install(): number {
  mkdirSync(modules, { recursive: true });
  execFileSync(process.execPath, [join(ROOT, 'scripts/package.ts'), installed], { stdio: 'inherit' });
  const node = basename(join(process.execPath, '../..'));
  symlinkSync(join(ROOT, 'node_modules', node), join(modules, node));
  return globSync('**/*', { cwd: installed, withFileTypes: true })
    .map((file) => (file.isFile() ? statSync(join(file.parentPath, file.name)).size : 0))
    .reduce((sum, size) => sum + size, 0);
}

function allCases(): Case[] {
  const checks = SHAPES.map((shape, at) => {
    const file = join(temporary, `${at}.csv`);
    writeMegabyte(file, shape);
    const written = ['--out', join(temporary, 'out'), '--issues', join(temporary, 'issues.csv')];
    return { name: `check: ${shape.name}`, goal: 6, words: ['check', file, ...written, '--json'] };
  });
  return [
    { name: '--version', goal: 2.5, words: ['--version'] },
    { name: '--help', goal: 2.5, words: ['--help'] },
    { name: 'runs', goal: 5, words: ['runs', ...installation] },
    ...checks,
  ].map((one) => Object.assign(one, { taken: [], node: [] }));
}

async function take({ name, words, taken, node }: Case): Promise<void> {
  for (let run = 0; run < FIRST_RUNS; run += 1) await seconds([offerline, ...words]);
  for (let run = 0; run < runs; run += 1) {
    node.push(await seconds([process.execPath, '-e', '0']));
    taken.push(await seconds([offerline, ...words]));
  }
  console.error(`${name}: ${median(taken).toFixed(3)} s`);
}

async function seconds(command: string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(command[0]!, command.slice(1), { stdio: 'ignore' });
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`${command.join(' ')} ended with status ${status}.`);
  return (performance.now() - started) / 1000;
}

function page(cases: Case[], size: number, load: number): string {
  const lines = cases.map(({ name, goal, taken, node }) => {
    const ratio = median(taken.map((one, run) => one / node[run]!));
    const figures = [median(taken), Math.min(...taken), median(node)].map((one) => one.toFixed(3));
    return `| ${[name, ...figures, `${ratio.toFixed(2)} ×`, `${goal} ×`, ratio <= goal ? 'yes' : 'no'].join(' | ')} |`;
  });
  return [
    '# What is installed\n',
    `\`npm run bench:start -- ${runs}\`: the installed package beside Node that does nothing (\`node -e 0\`), medians of ${runs} runs of whole`,
    'processes in turns; the ratio is that of the same round. Files of 1 MB, rows and issues written; `runs` of a ledger with one run.',
    `Without Node ${(size / MB).toFixed(1)} MB are installed. ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}.`,
    `The load average was ${load.toFixed(1)} when it began: on a machine that is busy Node itself starts slowly, and ratios are smaller than on a quiet one.\n`,
    '| command | s | fastest | Node s | to Node | goal | reached |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}

await main();

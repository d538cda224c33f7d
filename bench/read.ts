/**
 * Measures `offerline check` as a whole process against what a user would pick instead:
 * `npm run bench:read -- [MEGABYTES] [RUNS] [NAME …]` (500 and 5; all contenders). Runs are interleaved; the medians of all
 * contenders on at least 200 MB go to bench/results.md. With `--shapes [MEGABYTES] [RUNS]` (100 and 3) files of the shapes that suppliers
 * write; from 100 MB on to bench/shapes-results.md. With `--habits [MEGABYTES] [RUNS]` habits that only some of them have; to
 * bench/habits-results.md. With `--start [RUNS]` (11) 1 MB of each shape; to bench/start-results.md.
 */
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { generateOffers } from './read/generate.ts';
import { measureShapes } from './read/measure-shapes.ts';
import { HABITS, SHAPES } from './read/shapes.ts';
import { measureStart } from './read/measure-start.ts';
import { measure, median, script, type Measure } from './read/measure.ts';

const MB = 1_000_000;
const LEAST_TO_KEEP = 200;
const LEAST_OF_A_SHAPE = 100;
const SERIES = {
  shapes: { shapes: SHAPES, title: 'Shapes of suppliers’ files' },
  habits: { shapes: HABITS, title: 'Habits in every row' },
};
const option = (Object.keys(SERIES) as (keyof typeof SERIES)[]).find((name) => process.argv[2] === `--${name}`);
const ofShapes = option !== undefined;
const [size = ofShapes ? '100' : '500', times = ofShapes ? '3' : '5', ...names] = process.argv.slice(ofShapes ? 3 : 2);
const [megabytes, runs] = [Number(size), Number(times)];
const temporary = fileURLToPath(new URL('./tmp', import.meta.url));
const offerline = fileURLToPath(new URL('../bin/offerline', import.meta.url));
const utf8 = `${temporary}/offers.csv`;
const cyrillic = `${temporary}/offers-1251.csv`;

type Contender = { name: string; file: string; command: string[]; measures: Measure[] };

async function main(): Promise<void> {
  if (process.argv[2] === '--start') return start(Number(process.argv[3] ?? '11'));
  if (option !== undefined) return shapes(option);
  const contenders = allContenders().filter(({ name }) => names.length === 0 || names.includes(name));
  mkdirSync(temporary, { recursive: true });
  try {
    const charsets = Object.entries({ [utf8]: 'utf-8', [cyrillic]: 'windows-1251' });
    const used = charsets.filter(([path]) => contenders.some(({ file }) => file === path));
    const rows = new Map(used.map(([path, charset]) => [path, generateOffers(path, megabytes * MB, charset)]));
    for (let run = 0; run < runs; run += 1) for (const contender of contenders) await take(contender);
    const text = report(contenders, (file) => rows.get(file)!);
    console.log(text);
    if (names.length === 0 && megabytes >= LEAST_TO_KEEP) {
      writeFileSync(new URL('./results.md', import.meta.url), text);
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function shapes(option: keyof typeof SERIES): Promise<void> {
  mkdirSync(temporary, { recursive: true });
  try {
    const text = await measureShapes({ ...SERIES[option], option, megabytes, runs }, temporary);
    console.log(text);
    if (megabytes >= LEAST_OF_A_SHAPE) writeFileSync(new URL(`./${option}-results.md`, import.meta.url), text);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function start(runs: number): Promise<void> {
  mkdirSync(temporary, { recursive: true });
  try {
    const text = await measureStart(runs, temporary);
    console.log(text);
    writeFileSync(new URL('./start-results.md', import.meta.url), text);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function allContenders(): Contender[] {
  return [
    { name: 'offerline', file: utf8, command: check(utf8) },
    { name: 'DuckDB', file: utf8, command: peer('duckdb.ts', utf8, `${temporary}/out`) },
    { name: 'offerline, windows-1251', file: cyrillic, command: check(cyrillic) },
    { name: 'offerline, in a thread', file: utf8, command: peer('read-in-worker.ts', utf8, temporary) },
    { name: 'papaparse', file: utf8, command: peer('papaparse.ts', utf8, `${temporary}/out`) },
    { name: 'csv-parse', file: utf8, command: peer('csv-parse.ts', utf8, `${temporary}/out`) },
  ].map((contender) => Object.assign(contender, { measures: [] }));
}

function check(file: string): string[] {
  return [offerline, 'check', file, '--out', `${temporary}/out`, '--issues', `${temporary}/issues.csv`, '--json'];
}

function peer(name: string, ...words: string[]): string[] {
  return [process.execPath, script(name), ...words];
}

async function take(contender: Contender): Promise<void> {
  const result = await measure(contender.command, temporary);
  contender.measures.push(result);
  for (const name of ['out', 'issues.csv', 'rows.tsv', 'issues.jsonl']) rmSync(`${temporary}/${name}`, { force: true });
  console.error(`${contender.name}: ${result.seconds.toFixed(2)} s, ${result.peakMb.toFixed(0)} MB`);
}

function report(contenders: Contender[], rowsOf: (file: string) => number): string {
  const lines = contenders.map((contender) => {
    const { name, file, measures } = contender;
    const seconds = median(measures.map((one) => one.seconds));
    const [peak, pause] = [median(measures.map((one) => one.peakMb)), Math.max(...measures.map((one) => one.pauseMs))];
    const ratios = ['DuckDB', 'csv-parse'].map((name) => {
      const other = contenders.find((one) => one.name === name);
      return other === undefined ? '' : `${ratio(contender, other, rowsOf).toFixed(2)} ×`;
    });
    const figures = [
      seconds.toFixed(2),
      (statSync(file).size / MB / seconds).toFixed(0),
      Math.round(rowsOf(file) / seconds / 1000).toLocaleString('en'),
      ...ratios,
      peak.toFixed(0),
      pause.toFixed(0),
    ];
    return `| ${[name, ...figures].join(' | ')} |`;
  });
  return [
    '# Reading a supplier’s file\n',
    `\`npm run bench:read -- ${megabytes} ${runs}\`: ${megabytes} MB of UTF-8, the same rows in windows-1251, medians of ${runs}`,
    `interleaved runs of whole processes, start-up included. ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}.`,
    'offerline detects, checks every cell, finds duplicates, numbers lines, writes the normalised rows and the issues. DuckDB',
    'filters and copies, with rejects; csv-parse and papaparse do the same checks in JavaScript. Ratios compare rows per second',
    'within a round of runs, because a shared machine is at times twice as fast as at others; the median of the rounds is shown.',
    'The pause is the longest of the main thread’s event loop.\n',
    '| reader | s | MB/s | 1,000 rows/s | to DuckDB | to csv-parse | peak MB | pause ms |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}

/** How many times as many rows one contender reads in the same time as another: the median of the rounds. */
function ratio(one: Contender, other: Contender, rowsOf: (file: string) => number): number {
  const speedsOf = ({ file, measures }: Contender) => measures.map(({ seconds }) => rowsOf(file) / seconds);
  const speeds = speedsOf(other);
  return median(speedsOf(one).map((speed, round) => speed / speeds[round]!));
}

await main();

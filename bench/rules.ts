/**
 * What five rules and 5,000 spellings cost: `npm run bench:rules -- [MB] [RUNS]` (250 and 3) reads files of each of the ten shapes, with prices,
 * stock and condition behind their columns, without and with them, in processes of their own and in turns; from 100 MB on to bench/rules-results.md.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './read/measure.ts';
import { SHAPES, writeShape, type Shape } from './read/shapes.ts';

const [megabytes = '250', runs = '3'] = process.argv.slice(2);
const MB = 1_000_000;
const LEAST_TO_KEEP = 100;
const READ = fileURLToPath(new URL('./rules/read-once.ts', import.meta.url));

type Once = { seconds: number; processor: number; peakMb: number; counts: { accepted: number; leftOut: number } };

/** One offer in eight has no stock, one in forty is used. */
function withColumns(shape: Shape): Shape {
  return {
    ...shape,
    cells: (offer, row, draw) => [
      ...shape.cells(offer, row, draw),
      `${draw(1000)},${10 + draw(90)}`,
      draw(8) === 0 ? '0' : String(1 + draw(50)),
      draw(40) === 0 ? 'gebraucht' : 'neu',
    ],
    names: ['price', 'stock', 'condition'],
  };
}

const folder = mkdtempSync(join(tmpdir(), 'offerline-bench-'));
const once = (file: string, ...options: string[]) =>
  JSON.parse(execFileSync(process.execPath, [READ, file, folder, ...options], { encoding: 'utf8' })) as Once;
/** Of runs on a shared machine the fastest says most of what has to be done. */
const least = (runs: Once[], of: (run: Once) => number) => Math.min(...runs.map(of));

type Taken = { name: string; size: number; plain: Once[]; ruled: Once[] };

function take(shape: Shape): Taken {
  const file = join(folder, 'shape.csv');
  writeShape(file, withColumns(shape), { bytes: Number(megabytes) * MB });
  const taken: Taken = { name: shape.name, size: statSync(file).size / MB, plain: [], ruled: [] };
  for (let run = 0; run < Number(runs); run += 1) {
    taken.plain.push(once(file));
    taken.ruled.push(once(file, 'ruled'));
  }
  console.error(lineOf(taken));
  return taken;
}

function speedOf({ plain, ruled }: Taken, of: (run: Once) => number): number {
  return least(plain, of) / least(ruled, of);
}

const secondsOf = ({ seconds }: Once) => seconds;
const processorOf = ({ processor }: Once) => processor;

function lineOf(taken: Taken): string {
  const { name, size, plain, ruled } = taken;
  const more = median(ruled.map(({ peakMb }) => peakMb)) - median(plain.map(({ peakMb }) => peakMb));
  const { accepted, leftOut } = ruled[0]!.counts;
  const cells = [
    name,
    (size / least(plain, secondsOf)).toFixed(0),
    (size / least(ruled, secondsOf)).toFixed(0),
    `${speedOf(taken, secondsOf).toFixed(2)} ×`,
    `${speedOf(taken, processorOf).toFixed(2)} ×`,
    more.toFixed(0),
    `${((leftOut / (accepted + leftOut)) * 100).toFixed(0)} %`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function report(all: Taken[]): string {
  const [wall, processor] = [secondsOf, processorOf].map((of) => median(all.map((one) => speedOf(one, of))).toFixed(2));
  return [
    '# Reading with rules and spellings\n',
    `\`npm run bench:rules -- ${megabytes} ${runs}\`: ${megabytes} MB of each shape with prices, stock and condition behind its columns, read without and with five rules and 5,000`,
    `spellings, in processes of their own and in turns: the fastest of ${runs} runs, and the median of their peaks of memory. ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}.`,
    'Two rules leave rows out by stock and condition, one by the number; one adds a tag, one changes the brand, by brand and price. A third of the brands have another spelling.\n',
    '| shape | MB/s | with rules | speed | by processor time | more MB | left out |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...all.map(lineOf),
    `\nMedian of all shapes: ${wall} × the speed, ${processor} × by processor time.\n`,
  ].join('\n');
}

try {
  const text = report(SHAPES.map(take));
  console.log(text);
  if (Number(megabytes) >= LEAST_TO_KEEP) writeFileSync(new URL('./rules-results.md', import.meta.url), text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

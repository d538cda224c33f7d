/**
 * What five rules and 5,000 spellings cost: `npm run bench:rules -- [MB] [RUNS]` reads files of each of the ten shapes, with prices, stock and
 * condition behind their columns, without and with them, in processes of their own and in turns. Speed and memory are medians.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './read/measure.ts';
import { SHAPES, writeShape, type Shape } from './read/shapes.ts';

const [megabytes = '250', runs = '3'] = process.argv.slice(2);
const MB = 1_000_000;
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
const secondsOf = (all: Once[]) => median(all.map(({ seconds }) => seconds));
const processorOf = (all: Once[]) => median(all.map(({ processor }) => processor));
try {
  console.log(
    `${megabytes} MB of each shape, medians of ${runs}. ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}.\n`,
  );
  console.log('| shape | MB/s | with rules | speed | by processor time | more MB | left out |');
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  for (const shape of SHAPES) {
    const file = join(folder, 'shape.csv');
    writeShape(file, withColumns(shape), { bytes: Number(megabytes) * MB });
    const size = statSync(file).size / MB;
    const plain: Once[] = [];
    const ruled: Once[] = [];
    for (let run = 0; run < Number(runs); run += 1) {
      plain.push(once(file));
      ruled.push(once(file, 'ruled'));
    }
    const [before, after] = [secondsOf(plain), secondsOf(ruled)];
    const more = median(ruled.map(({ peakMb }) => peakMb)) - median(plain.map(({ peakMb }) => peakMb));
    const { accepted, leftOut } = ruled[0]!.counts;
    const share = `${((leftOut / (accepted + leftOut)) * 100).toFixed(0)} %`;
    const cells = [
      shape.name,
      (size / before).toFixed(0),
      (size / after).toFixed(0),
      `${(before / after).toFixed(2)} ×`,
      `${(processorOf(plain) / processorOf(ruled)).toFixed(2)} ×`,
      more.toFixed(0),
      share,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Measures putting a delivery of 1,000 changes upon the rows of a feed: `npm run bench:changes -- [MILLIONS…]` (1 5). Beside it stands what
 * follows in a run anyway: writing the dataset of what resulted. Whole processes; the figures go to bench/changes-results.md.
 */
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { BASE, generateChanges } from './changes/generate.ts';
import { measure, median } from './read/measure.ts';

const sizes = process.argv.slice(2).map(Number);
const millions = sizes.length === 0 ? [1, 5] : sizes;
const CHANGES = 1000;
/** Each is measured so often, in turns; the median counts. */
const TIMES = 5;
const folder = fileURLToPath(new URL('./tmp', import.meta.url));
const script = (name: string) => fileURLToPath(new URL(`./changes/${name}`, import.meta.url));

async function main(): Promise<void> {
  const lines: string[] = [];
  for (const size of millions) {
    mkdirSync(folder, { recursive: true });
    try {
      lines.push(await take(size));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const text = report(lines);
  console.log(text);
  writeFileSync(new URL('./changes-results.md', import.meta.url), text);
}

async function take(size: number): Promise<string> {
  const rows = size * 1_000_000;
  generateChanges(rows, CHANGES, (name) => `${folder}/${name}`);
  const { size: bytes } = statSync(`${folder}/${BASE}`);
  const [put, composed] = [[], []] as { seconds: number; peakMb: number }[][];
  for (let time = 0; time < TIMES; time += 1) {
    const first = await measure([process.execPath, script('put.ts'), folder, String(CHANGES)], folder);
    const second = await measure([process.execPath, script('compose.ts'), folder, String(rows)], folder);
    if (first.answer !== second.answer)
      throw new Error(`They disagree: ${first.answer.trim()} rows, ${second.answer.trim()} of them in the dataset`);
    put!.push(first);
    composed!.push(second);
  }
  const seconds = [put!, composed!].map((all) => median(all.map((one) => one.seconds))) as [number, number];
  const figures = [
    size,
    (bytes / 1_000_000).toFixed(0),
    ...seconds.map((one) => one.toFixed(2)),
    `${(seconds[0] / seconds[1]).toFixed(2)} ×`,
    Math.max(...put!.map(({ peakMb }) => peakMb)).toFixed(0),
  ];
  const line = `| ${figures.join(' | ')} |`;
  console.error(line);
  return line;
}

function report(lines: string[]): string {
  return [
    '# Putting changes upon the rows before them\n',
    `\`npm run bench:changes${sizes.length === 0 ? '' : ` -- ${sizes.join(' ')}`}\`: ${CHANGES.toLocaleString('en')} changes upon the accepted rows of a feed, and writing the dataset that results: the`,
    `file that is uploaded and the index of its rows. Whole processes, start-up included, the median of ${TIMES} in turns. ${cpus().length} × ${cpus()[0]?.model.trim()},`,
    `Node ${process.versions.node}.\n`,
    '| million rows | MB | s: changes | the dataset | to it | peak MB |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}

await main();

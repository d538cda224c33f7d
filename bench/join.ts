/**
 * Measures joining a stock file to a list: `npm run bench:join -- [MILLIONS…]` (1 10). Each contender is a whole process, start-up included; what
 * they compile is kept, as bin/offerline keeps it. The figures go to bench/join-results.md.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { generateFiles, LIST, STOCK } from './join/generate.ts';
import { measure, median } from './read/measure.ts';

const sizes = process.argv.slice(2).map(Number);
const millions = sizes.length === 0 ? [1, 10] : sizes;
const folder = fileURLToPath(new URL('./tmp', import.meta.url));
const script = (name: string) => fileURLToPath(new URL(`./join/${name}`, import.meta.url));

/** `counts`: says what came of it, where the contender itself does not. */
const CONTENDERS = [
  { name: 'offerline, the join', words: [script('offerline.ts'), folder, 'join'], counts: null },
  { name: 'offerline, the delivery', words: [script('offerline.ts'), folder, 'read'], counts: null },
  { name: 'DuckDB', words: [script('duckdb.ts'), folder], counts: [script('duckdb.ts'), folder, 'count'] },
];
const WARM_UP = 1000;
const RUNS = 3;
const KEPT = new Set([LIST, STOCK, 'delivery.zip']);

async function main(): Promise<void> {
  process.env['NODE_COMPILE_CACHE'] = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
  await joinAll(WARM_UP);
  const lines: string[] = [];
  for (const size of millions) {
    const { megabytes, measured } = await joinAll(size * 1_000_000);
    if (new Set(measured.map(({ answer }) => answer.trim())).size > 1)
      throw new Error(`They disagree: ${measured.map(({ name, answer }) => `${name} ${answer.trim()}`).join(', ')}`);
    const other = measured.at(-1)!.seconds;
    for (const { name, seconds, peakMb } of measured) {
      const figures = [size, megabytes.toFixed(0), seconds.toFixed(1), (other / seconds).toFixed(2), peakMb.toFixed(0)];
      const line = `| ${[name, ...figures].join(' | ')} |`;
      console.error(line);
      lines.push(line);
    }
  }
  const text = report(lines);
  console.log(text);
  writeFileSync(new URL('./join-results.md', import.meta.url), text);
}

/** Has each contender join files of so many rows. */
async function joinAll(rows: number) {
  mkdirSync(folder, { recursive: true });
  try {
    await generateFiles(rows, folder);
    const bytes = [LIST, STOCK].reduce((sum, name) => sum + statSync(`${folder}/${name}`).size, 0);
    const runs = CONTENDERS.map(({ name }) => ({ name, seconds: [] as number[], peaks: [] as number[], answer: '' }));
    for (let run = 0; run < RUNS; run += 1)
      for (const [at, { words, counts }] of CONTENDERS.entries()) {
        const { seconds, peakMb, answer } = await measure([process.execPath, ...words], folder);
        const its = runs[at]!;
        its.seconds.push(seconds);
        its.peaks.push(peakMb);
        its.answer = counts === null ? answer : execFileSync(process.execPath, counts, { encoding: 'utf8' });
        for (const file of readdirSync(folder))
          if (!KEPT.has(file)) rmSync(`${folder}/${file}`, { recursive: true, force: true });
      }
    const measured = runs.map(({ name, seconds, peaks, answer }) => {
      return { name, answer, seconds: median(seconds), peakMb: Math.max(...peaks) };
    });
    return { megabytes: bytes / 1_000_000, measured };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(lines: string[]): string {
  return [
    '# Joining a stock file to a list\n',
    `\`npm run bench:join${sizes.length === 0 ? '' : ` -- ${sizes.join(' ')}`}\`: a list of three columns and a stock file of as many rows in another order, which has nine tenths`,
    `of its parts. Whole processes, start-up included, with what they compiled before: the median of ${RUNS} runs in turns, and the highest peak. ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}.`,
    'The join writes one text. The delivery is unpacked, detected, joined, and its rows are checked and written; DuckDB joins by',
    '`upper(regexp_replace(…))` of the numbers and writes a CSV, on all cores. All agree on rows and matches.\n',
    '| joined by | million rows | MB | s | × DuckDB | peak MB |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}

await main();

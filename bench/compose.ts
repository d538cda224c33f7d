/**
 * Measures composing one dataset of twenty feeds: `npm run bench:compose -- [MILLIONS…]` (1 5 10). Each contender is a whole
 * process, start-up included; the figures go to bench/compose-results.md.
 */
import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { FEEDS, generateFeeds } from './compose/generate.ts';
import { measure } from './read/measure.ts';

const sizes = process.argv.slice(2).map(Number);
const millions = sizes.length === 0 ? [1, 5, 10] : sizes;
const folder = fileURLToPath(new URL('./tmp', import.meta.url));
const script = (name: string) => fileURLToPath(new URL(`./compose/${name}`, import.meta.url));

const CONTENDERS = [
  { name: 'offerline', words: (rows: number) => [script('offerline.ts'), folder, String(rows), 'winner'] },
  { name: 'offerline, tags united', words: (rows: number) => [script('offerline.ts'), folder, String(rows), 'union'] },
  { name: 'DuckDB', words: () => [script('duckdb.ts'), folder] },
];

async function main(): Promise<void> {
  const lines: string[] = [];
  for (const size of millions) {
    const rows = size * 1_000_000;
    mkdirSync(folder, { recursive: true });
    try {
      const path = (feed: number) => `${folder}/feed-${feed}.tsv`;
      generateFeeds(rows, path);
      for (let at = 0; at < FEEDS; at += 1) {
        writeFileSync(`${folder}/feed-${at}.sha256`, hash('sha256', readFileSync(path(at))));
      }
      const bytes = Array.from({ length: FEEDS }, (_, at) => statSync(path(at)).size).reduce(
        (sum, one) => sum + one,
        0,
      );
      for (const { name, words } of CONTENDERS) lines.push(await take(name, words(rows), rows, bytes));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const text = report(lines);
  console.log(text);
  writeFileSync(new URL('./compose-results.md', import.meta.url), text);
}

async function take(name: string, words: string[], rows: number, bytes: number): Promise<string> {
  const { seconds, peakMb, answer } = await measure([process.execPath, ...words], folder);
  // What verifying the rows that are read and hashing the files that are written takes, measured by doing just that again.
  const hashed = name.startsWith('offerline')
    ? await measure([process.execPath, script('hash.ts'), folder], folder)
    : null;
  const hashing = hashed === null ? null : Number(hashed.answer);
  for (const file of readdirSync(folder)) {
    if (!/^feed-\d+\.(tsv|sha256)$/.test(file)) rmSync(`${folder}/${file}`, { recursive: true, force: true });
  }
  const figures = [
    (rows / 1_000_000).toLocaleString('en'),
    (bytes / 1_000_000).toFixed(0),
    Number(answer).toLocaleString('en'),
    seconds.toFixed(1),
    hashing === null ? '–' : `${((hashing / seconds) * 100).toFixed(1)} %`,
    Math.round(rows / seconds / 1000).toLocaleString('en'),
    peakMb.toFixed(0),
  ];
  const line = `| ${[name, ...figures].join(' | ')} |`;
  console.error(line);
  return line;
}

function report(lines: string[]): string {
  return [
    '# Composing one dataset of twenty feeds\n',
    `\`npm run bench:compose${sizes.length === 0 ? '' : ` -- ${sizes.join(' ')}`}\`: the accepted rows of ${FEEDS} feeds, three tenths of each also in the next feed, spelled`,
    `differently. Whole processes, start-up included. ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}.`,
    'offerline verifies the hash of the rows that it reads, writes the file that is uploaded and the index of its rows, and hashes both; DuckDB keeps the first row of each part with',
    '`row_number() over (partition by part order by feed)` and writes it, on all cores. All agree on the number of rows.\n',
    '| composed by | million rows | MB | rows of the dataset | s | of that for hashes | 1,000 rows/s | peak MB |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}

await main();

/**
 * Measures `offerline check` of a workbook as a whole process against the readers of npm:
 * `npm run bench:workbooks -- [MEGABYTES] [RUNS]` (20 MB of text, about 220,000 rows, and 3). Runs are interleaved; the medians on
 * at least 20 MB go to bench/workbooks-results.md.
 */
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { measure, median, type Measure } from './read/measure.ts';
import { generateWorkbook } from './workbooks/generate.ts';

const MB = 1_000_000;
const LEAST_TO_KEEP = 20;
const [size = '20', times = '3'] = process.argv.slice(2);
const [megabytes, runs] = [Number(size), Number(times)];
const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const temporary = pathOf('./tmp-workbooks');
const workbook = `${temporary}/offers.xlsx`;
const out = `${temporary}/out`;

type Reader = { name: string; command: string[]; measures: Measure[] };

async function main(): Promise<void> {
  mkdirSync(temporary, { recursive: true });
  try {
    const rows = await generateWorkbook(workbook, `${temporary}/offers.csv`, megabytes);
    const readers = [reader('offerline', check()), ...['exceljs', 'sheetjs', 'read-excel-file'].map(peer)];
    for (let run = 0; run < runs; run += 1) {
      for (const { name, command, measures } of readers) {
        const result = await measure(command, temporary);
        measures.push(result);
        console.error(`${name}: ${result.seconds.toFixed(2)} s, ${result.peakMb.toFixed(0)} MB`);
      }
    }
    const text = report(readers, rows);
    console.log(text);
    if (megabytes >= LEAST_TO_KEEP) writeFileSync(pathOf('./workbooks-results.md'), text);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function reader(name: string, command: string[]): Reader {
  return { name, command, measures: [] };
}

function check(): string[] {
  return [pathOf('../bin/offerline'), 'check', workbook, '--out', out, '--issues', `${temporary}/issues.csv`, '--json'];
}

function peer(name: string): Reader {
  return reader(name, [process.execPath, pathOf(`./workbooks/${name}.ts`), workbook, out]);
}

function report(readers: Reader[], rows: number): string {
  const [ours] = readers;
  const lines = readers.map(({ name, measures }) => {
    const seconds = median(measures.map((one) => one.seconds));
    const cpu = median(measures.map((one) => one.cpuSeconds));
    const times = median(measures.map((one, round) => one.seconds / ours!.measures[round]!.seconds));
    const peak = median(measures.map((one) => one.peakMb));
    return `| ${[name, seconds.toFixed(2), cpu.toFixed(2), `${times.toFixed(2)} ×`, peak.toFixed(0)].join(' | ')} |`;
  });
  return [
    '# Reading a workbook\n',
    `\`npm run bench:workbooks -- ${megabytes} ${runs}\`: ${rows.toLocaleString('en')} rows of six columns, ${(statSync(workbook).size / MB).toFixed(1)} MB of XLSX with shared strings, medians`,
    `of ${runs} interleaved runs of whole processes, start-up included. ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}.`,
    'offerline detects the columns, checks every cell, finds duplicates, writes rows and issues; the others read (exceljs streams, the',
    'rest hold the sheet in memory) and do the same checks in JavaScript. The ratio of times is taken within a round.\n',
    '| reader | s | s of CPU | time to offerline | peak MB |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}

await main();

import { rmSync, statSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { measure, median, script, type Measure } from './measure.ts';
import { writeShape, type Shape } from './shapes.ts';

const MB = 1_000_000;
const OFFERLINE = fileURLToPath(new URL('../../bin/offerline', import.meta.url));

type Taken = { shape: Shape; rows: number; bytes: number; offerline: Measure[]; duckdb: Measure[] };

/** What is measured: files of so many megabytes of each shape, and the head of the page. */
export type Series = { shapes: Shape[]; title: string; option: string; megabytes: number; runs: number };

/** Measures `offerline check` on each shape beside DuckDB's filtered copy, whole processes in turns; answers with the page. */
export async function measureShapes(series: Series, temporary: string): Promise<string> {
  const { shapes, megabytes, runs } = series;
  const all: Taken[] = [];
  for (const shape of shapes) {
    const file = `${temporary}/shape.csv`;
    const rows = writeShape(file, shape, { bytes: megabytes * MB });
    const taken: Taken = { shape, rows, bytes: statSync(file).size, offerline: [], duckdb: [] };
    const outputs = ['--out', `${temporary}/out`, '--issues', `${temporary}/issues.csv`, '--json'];
    const columns = ['brand', 'oem', 'name', 'tags'];
    for (let run = 0; run < runs; run += 1) {
      taken.offerline.push(await measure([OFFERLINE, 'check', file, ...outputs], temporary));
      const peer = [process.execPath, script('duckdb.ts'), file, `${temporary}/out`, shape.delimiter, ...columns];
      if (shape.isRefused !== true) taken.duckdb.push(await measure(peer, temporary));
      for (const name of ['out', 'issues.csv']) rmSync(`${temporary}/${name}`, { force: true });
    }
    const megabytesPerSecond = taken.bytes / MB / median(taken.offerline.map(({ seconds }) => seconds));
    console.error(`${shape.name}: ${megabytesPerSecond.toFixed(0)} MB/s, ${toDuckDb(taken).toFixed(2)} ×`);
    all.push(taken);
  }
  return page(all, series);
}

function page(all: Taken[], { title, option, megabytes, runs }: Series): string {
  const lines = all.map((taken) => {
    const seconds = median(taken.offerline.map((one) => one.seconds));
    const peak = median(taken.offerline.map((one) => one.peakMb));
    const speed = (taken.bytes / MB / seconds).toFixed(0);
    const thousand = Math.round(taken.rows / seconds / 1000).toLocaleString('en');
    const ratio = taken.duckdb.length === 0 ? 'refused there' : `${toDuckDb(taken).toFixed(2)} ×`;
    return `| ${[taken.shape.name, speed, thousand, ratio, peak.toFixed(0)].join(' | ')} |`;
  });
  return [
    `# ${title}\n`,
    `\`npm run bench:read -- --${option} ${megabytes} ${runs}\`: ${megabytes} MB of each shape, medians of ${runs} runs of whole processes in turns, start-up included.`,
    `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}. offerline writes rows and issues; DuckDB filters and copies, with rejects.\n`,
    '| shape | MB/s | 1,000 rows/s | to DuckDB | peak MB |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
    `\nMedian of all shapes: ${median(all.filter(({ duckdb }) => duckdb.length > 0).map(toDuckDb)).toFixed(2)} ×.\n`,
  ].join('\n');
}

/** How many times as fast as DuckDB: the median of the rounds. */
function toDuckDb({ offerline, duckdb }: Taken): number {
  return median(duckdb.map(({ seconds }, round) => seconds / offerline[round]!.seconds));
}

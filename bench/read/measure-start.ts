import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { median, script } from './measure.ts';
import { SHAPES, writeShape, type Shape } from './shapes.ts';

const MB = 1_000_000;
const OFFERLINE = fileURLToPath(new URL('../../bin/offerline', import.meta.url));
/** Rows from which the length of the others is estimated. */
const FIRST_ROWS = 2000;

/** Seconds that each process took, round by round. */
type Taken = { shape: Shape; offerline: number[]; duckdb: number[]; node: number[] };

/**
 * Measures `offerline check` on 1 MB of each shape, where most of the time is the start, beside DuckDB and a Node that does nothing,
 * whole processes in turns; answers with the page.
 */
export async function measureStart(runs: number, temporary: string): Promise<string> {
  const all: Taken[] = [];
  for (const shape of SHAPES) {
    const file = `${temporary}/start.csv`;
    writeMegabyte(file, shape);
    const taken: Taken = { shape, offerline: [], duckdb: [], node: [] };
    const check = [
      OFFERLINE,
      'check',
      file,
      '--out',
      `${temporary}/out`,
      '--issues',
      `${temporary}/issues.csv`,
      '--json',
    ];
    const columns = ['brand', 'oem', 'name', 'tags'];
    const peer = [process.execPath, script('duckdb.ts'), file, `${temporary}/copy`, shape.delimiter, ...columns];
    // The first run compiles what the others find compiled.
    await seconds(check);
    for (let run = 0; run < runs; run += 1) {
      taken.offerline.push(await seconds(check));
      taken.duckdb.push(await seconds(peer));
      taken.node.push(await seconds([process.execPath, '-e', '0']));
    }
    for (const name of ['out', 'issues.csv', 'copy']) rmSync(`${temporary}/${name}`, { force: true });
    console.error(`${shape.name}: ${median(taken.offerline).toFixed(3)} s`);
    all.push(taken);
  }
  return page(all, runs);
}

/** Writes 1 MB of a shape. */
export function writeMegabyte(file: string, shape: Shape): void {
  const rows = writeShape(file, shape, { most: FIRST_ROWS });
  writeShape(file, shape, { most: Math.round((MB / statSync(file).size) * rows) });
}

async function seconds(command: string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(command[0]!, command.slice(1), { stdio: ['ignore', 'ignore', 'inherit'] });
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`${command.join(' ')} ended with status ${status}.`);
  return (performance.now() - started) / 1000;
}

function page(all: Taken[], runs: number): string {
  const lines = all.map(({ shape, offerline, duckdb, node }) => {
    const toPeer = (peer: number[]) => `${median(offerline.map((one, round) => one / peer[round]!)).toFixed(2)} ×`;
    const figures = [median(offerline), Math.min(...offerline), median(duckdb), median(node)].map((one) =>
      one.toFixed(3),
    );
    return `| ${[shape.name, ...figures, toPeer(duckdb), toPeer(node)].join(' | ')} |`;
  });
  return [
    '# Start-up\n',
    `\`npm run bench:read -- --start ${runs}\`: \`offerline check\` of 1 MB of each shape, rows and issues written, medians of ${runs} runs of whole`,
    'processes in turns. DuckDB filters and copies the same file; Node does nothing (`node -e 0`). Ratios are times, of the same round: less',
    `is better. ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}.\n`,
    '| shape | s | fastest | DuckDB s | Node s | to DuckDB | to Node |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}

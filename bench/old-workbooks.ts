/**
 * Measures reading old Excel workbooks and OpenDocument spreadsheets of 8 columns: `npm run bench:old-workbooks -- [ROWS]`
 * (100,000). Of an old workbook CPU and memory are those of the child process that reads it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChildResult, ChildTask } from '../src/tables/xls/child-task.ts';
import { measure, script, type Measure } from './read/measure.ts';

const rows = Number(process.argv[2] ?? 100_000);
const temporary = fileURLToPath(new URL('./tmp', import.meta.url));
const MB = 1_000_000;

mkdirSync(temporary, { recursive: true });
try {
  const [xls, ods] = [join(temporary, 'list.xls'), join(temporary, 'list.ods')];
  await measure([process.execPath, script('../old-workbooks/write.ts'), String(rows), xls, ods], temporary);
  for (const [format, path] of Object.entries({ xls, ods })) {
    const whole = await measure(
      [process.execPath, script('../old-workbooks/read.ts'), format, path, temporary],
      temporary,
    );
    const { cpuSeconds, peakMb } = format === 'xls' ? await measureChild(xls) : whole;
    const megabytes = (statSync(path).size / MB).toFixed(1);
    console.log(
      `${format}: ${whole.answer} rows, ${megabytes} MB, ${whole.seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU, ${Math.round(peakMb)} MB of memory`,
    );
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

/** What the child process takes that reads an old workbook. */
async function measureChild(path: string): Promise<Pick<Measure, 'peakMb' | 'cpuSeconds'>> {
  const folder = join(temporary, 'child');
  mkdirSync(folder);
  const limits = { fileSize: 2e9, cellLength: 10_000, rowLength: 100_000 };
  const task: ChildTask = { path, name: path, folder, limits, codePage: null, memory: 1 << 30 };
  const probe = join(temporary, 'probe.json');
  const entry = fileURLToPath(new URL('../src/tables/xls/child-entry.ts', import.meta.url));
  const child = spawn(process.execPath, ['--require', script('probe.cjs'), entry, JSON.stringify(task)], {
    env: { BENCH_PROBE: probe },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  await once(child, 'exit');
  const result = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as ChildResult;
  if (!result.ok) throw new Error(result.message);
  return JSON.parse(readFileSync(probe, 'utf8')) as Measure;
}

/**
 * Measures the tests: `npm run bench:suite -- [PATH …]`. Each file's seconds, those of processors, and how often a program is started
 * go to suite-results.md, seconds also to suite/seconds.json, by which the runner orders the files. Without paths the whole suite.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Measured } from '../test/support/suite/measure.ts';
import { suitePage } from './suite/page.ts';

const paths = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'offerline-suite-'));
const target = join(folder, 'measured.jsonl');
writeFileSync(target, '');
const start = performance.now();
const { status } = spawnSync('npm', ['test', '--silent', '--', ...paths], {
  stdio: 'inherit',
  env: { ...process.env, SUITE_MEASURED: target },
});
const seconds = (performance.now() - start) / 1000;
const files = readFileSync(target, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Measured)
  .sort((a, b) => b.seconds - a.seconds);
rmSync(folder, { recursive: true });

const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}`;
const page = suitePage(files, { seconds, machine });
process.stdout.write(page);
if (paths.length === 0) {
  writeFileSync(new URL('suite-results.md', import.meta.url), page);
  const bySeconds = files.map(({ file, seconds: taken }) => [file, Math.round(taken * 10) / 10] as const);
  writeFileSync(
    new URL('suite/seconds.json', import.meta.url),
    `${JSON.stringify(Object.fromEntries(bySeconds), null, 1)}\n`,
  );
}
process.exitCode = status ?? 1;

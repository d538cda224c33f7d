/**
 * Measures the tests: `npm run bench:suite -- [PATH …]`. Each file's seconds, those of processors, and how often a program is started
 * go to suite-results.md, seconds also to suite/seconds.json, by which the runner orders the files and `npm test` leaves out the long ones.
 * Without paths the whole suite: `npm test`, then `npm run test:rest`.
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
/** Plays a part of the suite; files that are named are all in the first. */
function play(script: string): { seconds: number; isPassed: boolean } {
  const start = performance.now();
  const { status } = spawnSync('npm', ['run', '--silent', script, '--', ...paths], {
    stdio: 'inherit',
    env: { ...process.env, SUITE_MEASURED: target },
  });
  return { seconds: (performance.now() - start) / 1000, isPassed: status === 0 };
}

const quick = play('test');
const rest = paths.length === 0 ? play('test:rest') : { seconds: 0, isPassed: true };
const files = readFileSync(target, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Measured)
  .sort((a, b) => b.seconds - a.seconds);
rmSync(folder, { recursive: true });

const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}`;
const page = suitePage(files, { quick: quick.seconds, rest: rest.seconds, machine });
process.stdout.write(page);
if (paths.length === 0) {
  writeFileSync(new URL('suite-results.md', import.meta.url), page);
  const bySeconds = files.map(({ file, seconds: taken }) => [file, Math.round(taken * 10) / 10] as const);
  writeFileSync(
    new URL('suite/seconds.json', import.meta.url),
    `${JSON.stringify(Object.fromEntries(bySeconds), null, 1)}\n`,
  );
}
process.exitCode = quick.isPassed && rest.isPassed ? 0 : 1;

import { existsSync, readFileSync } from 'node:fs';
import { chosenOf } from './thirds.ts';

/** Seconds of each test file, as `npm run bench:suite` measured them last. */
export const SECONDS = JSON.parse(
  readFileSync(new URL('../../../bench/suite/seconds.json', import.meta.url), 'utf8'),
) as Record<string, number>;

/** A file that took longer is left out by `npm test`, for which somebody waits. */
const LONGEST = 15;
/** What shows the first promises is played however long it takes: each step with each harm, leases, proofs, and what becomes of what is live. */
const ALWAYS = [
  'test/e2e/fault-matrix.test.ts',
  'test/e2e/machine-matrix.test.ts',
  'test/ledger/sqlite.test.ts',
  'test/upload/receipt/receipt.test.ts',
  'test/jobs/settle/settle-feeds.test.ts',
  'test/jobs/histories/live-model.test.ts',
];

/** Attacks, conformance of servers, readers of formats, random histories: of the long files of these a third is played at a time. */
const IN_THIRDS = ['test/attacks/', 'test/pull/', 'test/tables/', 'test/jobs/histories/'];

/**
 * The files that a part of the suite leaves out or plays alone: `npm test` is `quick`, `npm run test:rest` the `rest`. Whoever names files
 * has them played, and without a part all files are.
 */
export function filesOf(part: string | undefined, named: string[]): { include?: string[]; exclude?: string[] } {
  if (part === undefined || named.length > 0) return {};
  const long = Object.entries(SECONDS)
    .filter(([file, seconds]) => seconds > LONGEST && !ALWAYS.includes(file))
    .map(([file]) => file);
  return part === 'rest' ? { include: chosenFiles(long) } : { exclude: long };
}

/** Without two thirds of the files that are played in turn. One whose own table is played in thirds is always there. */
function chosenFiles(files: string[]): string[] {
  const longestFirst = files.toSorted((a, b) => SECONDS[b]! - SECONDS[a]!);
  const inTurn = longestFirst.filter((file) => IN_THIRDS.some((room) => file.startsWith(room)) && !hasOwnThirds(file));
  const chosen = new Set(chosenOf(inTurn));
  return files.filter((file) => chosen.has(file) || !inTurn.includes(file));
}

/** Also one that is gone since files were measured: it is in no turn. */
function hasOwnThirds(file: string): boolean {
  const path = new URL(`../../../${file}`, import.meta.url);
  return !existsSync(path) || readFileSync(path, 'utf8').includes('chosenOf(');
}

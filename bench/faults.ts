/**
 * Breaks the code on purpose: `npm run bench:faults -- [COMMIT]`. Puts each small fault of faults/small-faults.ts into a copy of
 * the repository, one at a time, runs the tests that are to find it, and writes faults-results.md. With a commit, the code and
 * the tests of that commit; nothing is written then. Fails when a fault is not found.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesOf } from '../test/support/suite/parts.ts';
import { SMALL_FAULTS, type SmallFault } from './faults/small-faults.ts';

const root = join(import.meta.dirname, '..');
const commit = process.argv[2];
const copy = mkdtempSync(join(tmpdir(), 'offerline-faults-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));

const archive = spawnSync('git', ['archive', commit ?? 'HEAD'], { cwd: root, maxBuffer: 2 ** 30 });
if (archive.status !== 0) throw new Error(archive.stderr.toString());
spawnSync('tar', ['-x'], { cwd: copy, input: archive.stdout });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

/** The tests that failed, by name; none when the fault was not found. */
function testsThatFind({ file, text, put, tests }: SmallFault): string[] | null {
  const path = join(copy, file);
  const code = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (code.split(text).length !== 2) return null;
  const result = join(copy, 'result.json');
  rmSync(result, { force: true });
  writeFileSync(
    path,
    code.replace(text, () => put),
  );
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const longer = (filesOf('quick', []).exclude ?? []).flatMap((one) => ['--exclude', one]);
  const options = ['--bail', '1', '--reporter', 'json', '--outputFile', result, ...longer];
  spawnSync(process.execPath, [vitest, 'run', ...tests, ...options], { cwd: copy, stdio: 'ignore' });
  writeFileSync(path, code);
  const { testResults } = JSON.parse(readFileSync(result, 'utf8')) as {
    testResults: { assertionResults: { status: string; fullName: string }[] }[];
  };
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName.trim());
}

const played = SMALL_FAULTS.map((fault) => {
  const found = testsThatFind(fault);
  const by = found === null ? 'not in this version' : found.length === 0 ? '**not found**' : (found[0] ?? '');
  process.stdout.write(`${fault.file}: ${fault.means}: ${by}\n`);
  return { fault, by, isMissed: found === null ? commit === undefined : found.length === 0 };
});
const missed = played.filter(({ isMissed }) => isMissed).length;
process.stdout.write(`${played.length} faults, ${missed} not found\n`);

if (commit === undefined) {
  const table = played.map(({ fault: { file, means }, by }) => `| ${file} | ${means} | ${by.replaceAll('|', '\\|')} |`);
  const page = `# Small faults, and the tests that find them

By \`npm run bench:faults\`: each fault is put into the code alone, and the tests that \`npm test\` plays of it are run until one fails.

| file | what goes wrong | found by |
| --- | --- | --- |
${table.join('\n')}
`;
  writeFileSync(new URL('faults-results.md', import.meta.url), page);
}
process.exitCode = missed === 0 ? 0 : 1;

// Adds up the results of the test runner in a folder, as .ci/run leaves them there. The last line is the sum of the tests and
// the attacks; the replay on a bare machine repeats tests, so that it has a line of its own and adds only its failures.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2] ?? '.';
const [tests, attacks, bare] = ['tests', 'attacks', 'bare'].map(resultsOf);
process.stdout.write(`on a bare machine: ${line(bare)}\n`);
const sum = {
  passed: tests.passed + attacks.passed,
  failed: tests.failed + attacks.failed + bare.failed,
  skipped: tests.skipped + attacks.skipped,
};
process.stdout.write(`${line(sum)}\n`);
process.exitCode = sum.failed > 0 || [tests, attacks, bare].some(({ passed }) => passed === 0) ? 1 : 0;

/** A file that fails before its first test counts as one failure, and so does a run that left no results. */
function resultsOf(name) {
  try {
    const found = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
    const failed = found.numFailedTests || found.numFailedTestSuites;
    return { passed: found.numPassedTests, failed, skipped: found.numPendingTests + found.numTodoTests };
  } catch {
    process.stdout.write(`the run "${name}" left no results\n`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

function line({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

// Adds up the results of the test runner in a folder, as .ci/run leaves them there. The last line is the sum of `npm test` and
// the rest; the replay on a bare machine repeats tests, so that it has a line of its own and adds only its failures. What failed
// is named once more before it, so that the end of a log is enough to know it.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const folder = process.argv[2] ?? '.';
const [tests, rest, bare] = ['tests', 'rest', 'bare'].map(resultsOf);
process.stdout.write(`on a bare machine: ${line(bare)}\n`);
for (const { failures } of [tests, rest, bare]) for (const failure of failures) process.stdout.write(`${failure}\n`);
const sum = {
  passed: tests.passed + rest.passed,
  failed: tests.failed + rest.failed + bare.failed,
  skipped: tests.skipped + rest.skipped,
};
process.stdout.write(`${line(sum)}\n`);
process.exitCode = sum.failed > 0 || [tests, rest, bare].some(({ passed }) => passed === 0) ? 1 : 0;

/** A file that fails before its first test counts as one failure, and so does a run that left no results. */
function resultsOf(name) {
  try {
    const found = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
    const failures = found.testResults.flatMap(failuresOf);
    const skipped = found.numPendingTests + found.numTodoTests;
    return { passed: found.numPassedTests, failed: failures.length, skipped, failures };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, failures: [`failed: the run "${name}" left no results`] };
  }
}

/** A line for each test of a file that failed, or for the file where it failed before them. */
function failuresOf({ name, status, message, assertionResults }) {
  const file = relative(process.cwd(), name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (status === 'failed' && failed.length === 0) return [`failed: ${file}: ${firstLine(message)}`];
  return failed.map(
    ({ fullName, failureMessages: [why] }) => `failed: ${file}: ${fullName}: ${firstLine(why)}${placeOf(why)}`,
  );
}

function firstLine(text = '') {
  return (/\S.*/u.exec(text)?.[0] ?? '').slice(0, 300);
}

/** The innermost place in the repository that an error comes from, where its message gives one. */
function placeOf(text = '') {
  const place = /^ +at .*?((?:src|test|scripts|bench)\/[^\s)]+)/mu.exec(text)?.[1];
  return place === undefined ? '' : ` (${place})`;
}

function line({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

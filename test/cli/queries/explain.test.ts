import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { runCli } from '../../support/run-cli.ts';

test('a code is explained with what to do and where there is more', async () => {
  const { status, stdout } = await runCli(['explain', 'oem-empty'], tmpdir());
  expect(status).toBe(0);
  expect(stdout).toBe(
    [
      'oem-empty: an issue of a file',
      'The article number is empty (error). Nobody can find an offer without an article number, so the row is dropped. Fill in the cell.',
      'example  The article number is empty. Fill it in; rows without a number are dropped.',
      'more     docs/reference/issues.md#oem-empty',
      '',
    ].join('\n'),
  );
});

test('links of pages are no part of what a terminal shows, and of what JSON has', async () => {
  expect((await runCli(['explain', 'partial'], tmpdir())).stdout).not.toContain('](');
  const { stdout } = await runCli(['explain', 'partial', '--json'], tmpdir());
  const { explanations } = JSON.parse(stdout) as { explanations: { steps: string[] }[] };
  expect(explanations[0]!.steps[0]).toContain('[issues.md](reference/issues.md)');
});

test('a line is explained without quotes around it', async () => {
  const { stdout } = await runCli(['explain', 'north:', 'held', '—', 'the', 'feed', 'is', 'frozen'], tmpdir());
  expect(stdout).toContain('frozen: why a run ended so');
});

test('everything that is explained is listed', async () => {
  const { stdout } = await runCli(['explain', '--list'], tmpdir());
  for (const code of ['outcome:', '  held', '  oem-empty', '  logins.NAME.guard.maxRowDrop'])
    expect(stdout).toContain(code);
});

test('what nothing explains ends with status 2, and says what was meant', async () => {
  expect(await runCli(['explain', 'oem-emtpy'], tmpdir())).toMatchObject({
    status: 2,
    stderr: 'Nothing explains "oem-emtpy". Did you mean "oem-empty"?\n',
  });
  expect((await runCli(['explain', 'q\u001B[2Jq'], tmpdir())).stderr).toContain(
    'Nothing explains "q\\u{1b}[2Jq". See what',
  );
});

test.each([[[]], [['held', '--list']], [['  ']]])('asked for %o it says how it is used', async (words) => {
  expect(await runCli(['explain', ...words], tmpdir())).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('Say what') as string,
  });
});

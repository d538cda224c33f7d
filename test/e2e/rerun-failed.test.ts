import { expect, test } from 'vitest';
import { goodFile } from '../support/bad-input.ts';
import { install } from '../support/installation.ts';

test('rerun --failed lists and repeats the feeds whose last run failed, and leaves the work to the workers', async () => {
  const shop = install({ feeds: { north: {}, south: { source: { type: 'directory', path: 'not-there' } } } });
  shop.deliver('north', '1.csv', goodFile('A'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  const failed = await shop.offerline('ingest', 'south', '--wait', '--json');
  const { run } = JSON.parse(failed.stdout) as { run: string };

  const listed = await shop.offerline('rerun', '--failed', '--since', '1d', '--dry-run', '--json');
  const only = { of: run, feed: 'south', from: 'pull', refused: null };
  expect(JSON.parse(listed.stdout)).toEqual({ reruns: [{ ...only, run: null }] });

  const repeated = await shop.offerline('rerun', '--failed');
  expect(repeated).toMatchObject({ status: 0, stdout: expect.stringContaining(run) });
  expect(repeated.stdout).toContain('Recorded: 1 run. Work begins when `offerline up` or `offerline worker` runs.');
  expect((await shop.offerline('rerun', '--failed')).stdout).toBe('No feed’s last run has failed.\n');
});

test.each([
  [['--failed', '--wait'], '--failed leaves the work to the workers'],
  [['--dry-run'], 'Name a run, or give --failed.'],
  [['latest', '--since', '1d'], 'go with --failed'],
  [['--failed', '--feed', 'nort'], 'There is no feed "nort"'],
])('rerun %j is refused with what to write', async (args, why) => {
  const shop = install();
  expect(await shop.offerline('rerun', ...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(why) });
});

import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { load, problemsOf } from '../config-file.ts';

const FEEDS = `
logins: { main: {} }
feeds: { north: { login: main, source: { type: directory, path: inbox } } }
`;

const withBackup = (written: object) => `${FEEDS}backup: ${JSON.stringify(written)}\n`;
const NIGHTLY = { to: '/mnt/backup', cron: '15 2 * * *' };

test('without the setting no backups are scheduled', async () => {
  expect((await load(FEEDS)).config.backup).toBeUndefined();
});

test('a folder is relative to the configuration file, and an address stays as it is', async () => {
  const { config, file } = await load(withBackup({ ...NIGHTLY, to: 'backups' }));
  expect(config.backup).toEqual({
    to: join(dirname(file), 'backups'),
    cron: '15 2 * * *',
    timezone: 'UTC',
    tolerance: 7_200_000,
  });
  const bucket = 's3://s3.eu-central-1.amazonaws.com/backups/offerline';
  expect((await load(withBackup({ ...NIGHTLY, to: bucket }))).config.backup?.to).toBe(bucket);
});

test.each([
  [{ cron: '15 2 * * *' }, 'backup.to'],
  [{ to: '/mnt/backup' }, 'backup.cron'],
  [{ ...NIGHTLY, cron: '15 2' }, 'backup.cron "15 2" has 2 fields'],
  [{ ...NIGHTLY, cron: '0 0 31 2 *' }, 'never comes'],
  [{ ...NIGHTLY, timezone: 'Mars/Olympus' }, 'backup.timezone unknown time zone "Mars/Olympus"'],
  [{ ...NIGHTLY, keep: 0 }, 'backup.keep'],
  [{ ...NIGHTLY, tolerance: '0s' }, 'backup.tolerance must be longer than zero'],
  [{ ...NIGHTLY, to: '' }, 'backup.to'],
  [{ ...NIGHTLY, to: '  ' }, 'backup.to'],
  [{ ...NIGHTLY, to: 'ftp://host/place' }, 'backup.to the place has the scheme ftp://, which is unknown'],
  [{ ...NIGHTLY, to: 's3://host' }, 'names no host and bucket'],
  [{ ...NIGHTLY, to: 's3://KEY:hunter2@host/bucket' }, 'backup.to the address contains keys; set AWS_ACCESS_KEY_ID'],
])('%j is refused: %s', async (written, message) => {
  const problems = await problemsOf(withBackup(written));
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(message);
  expect(problems[0]).not.toContain('hunter2');
});

import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SourceConfig } from '../../../src/config/schema/source-schema.ts';
import { secret } from '../../../src/config/secrets/secret.ts';
import type { Context } from '../../../src/context.ts';
import { examineSource } from '../../../src/jobs/doctor/examine-source.ts';
import { lacks } from '../../support/programs.ts';
import { startSshd } from '../../support/servers/sshd.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { contextFor } from '../../upload/upload-world.ts';

const HOUR = 3_600_000;

/** An installation with one feed that pulls from a place and expects a file each day. */
async function installation(source: SourceConfig): Promise<Context> {
  const place = { type: 'directory', path: '/nowhere', pattern: '*' };
  const ctx = await contextFor('http://127.0.0.1:1', { feeds: { north: { login: 'main', source: place } } });
  const north = { ...ctx.config.feeds['north']!, source, expectEvery: 24 * HOUR };
  return { ...ctx, config: { ...ctx.config, feeds: { north } } };
}

function deliver(folder: string, name: string, ageMs: number): void {
  const file = join(folder, name);
  writeFileSync(file, 'brand;oem\n');
  const at = (Date.now() - ageMs) / 1000;
  utimesSync(file, at, at);
}

test('a folder whose newest file is older than the last delivery that was due is warned of', async () => {
  const path = tempFolder();
  const daily = { days: 'mon-sun', by: '00:00', tolerance: '0m' };
  const installed = (expected: object) =>
    contextFor('http://127.0.0.1:1', {
      feeds: { north: { login: 'main', source: { type: 'directory', path, settle: '0s' }, expect: expected } },
    });
  deliver(path, 'old.csv', 50 * HOUR);
  expect(await examineSource('north', await installed(daily))).toMatch(
    /^warning: .*old\.csv.* 2 d ago, but a file was due \d{4}-\d\d-\d\d 00:00:00 UTC$/,
  );
  const away = [-2, -1, 0, 1, 2, 3].map(dayAgo);
  expect(await examineSource('north', await installed({ ...daily, away }))).not.toContain('warning');
});

function dayAgo(days: number): string {
  return new Date(Date.now() - days * 24 * HOUR).toISOString().slice(0, 10);
}

describe.skipIf(lacks('sshd', 'ssh-keygen'))('doctor at an SFTP server', () => {
  test('names the newest match and its age', async () => {
    const { source, folder } = await startSshd();
    deliver(folder, 'old.csv', 50 * HOUR);
    deliver(folder, 'new.csv', 3.5 * HOUR);
    expect(await examineSource('north', await installation(source))).toMatch(/newest match new\.csv, .*, 3 h ago$/);
  });

  test('warns when the newest is older than a file is expected', async () => {
    const { source, folder } = await startSshd();
    deliver(folder, 'old.csv', 50 * HOUR);
    expect(await examineSource('north', await installation(source))).toMatch(
      /^warning: .*old\.csv.* 2 d ago, but a file is expected every 24 h$/,
    );
  });

  test('counts a refused password, and says when the schedule asks next', async () => {
    const { source } = await startSshd();
    const auth = { type: 'basic', user: source.auth.user, password: secret('wrong-password') } as const;
    const ctx = await installation({ ...source, auth });
    await expect(examineSource('north', ctx)).rejects.toThrow(/\(1 time\); it is asked when the feed is due/);
    await expect(examineSource('north', ctx)).rejects.toThrow(/\(2 times\)/);
    await expect(examineSource('north', ctx)).rejects.toThrow(/\(3 times\); the schedule asks again from/);
  });
});

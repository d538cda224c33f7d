import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openBackupPlace } from '../../src/app/backup/open-place.ts';
import { networkError, refusalError } from '../../src/archive/s3/errors.ts';
import { readKeys } from '../../src/archive/s3/credentials.ts';
import { openStore } from '../../src/archive/s3/store.ts';
import type { Remote } from '../../src/archive/s3/remote.ts';
import { backupToRestore } from '../../src/backup/restore-backup.ts';
import { addressOf, archivePlaceOf } from '../../src/config/parse/archive-address.ts';
import { messageOf } from '../../src/errors.ts';
import { undecidedRestore } from '../../src/jobs/restored/choose.ts';
import { leaveNote } from '../../src/ledger/alerts/notes.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { assertMayWork } from '../../src/ledger/maintenance/restored.ts';
import { atEnd } from '../support/at-end.ts';
import { mountDisk } from '../support/small-disk.ts';
import { tempFolder } from '../support/temp-folder.ts';

const REMOTE: Remote = {
  endpoint: 'https://store.example',
  region: 'us-east-1',
  bucket: 'copies',
  prefix: 'offerline/',
  style: 'path',
  auth: { type: 'profile', file: '/nowhere/keys', profile: 'backup' },
  encryption: null,
  ca: null,
  timeout: 1000,
  cache: tempFolder(),
  holds: 'backups',
};

/** What speaks of an archive, or of settings that backups do not have. */
const OF_ARCHIVE = /archive\b|ARCHIVE_URL/iu;

const refusal = (code: string | null, status = 403) => ({
  status,
  code,
  message: null,
  region: 'eu-central-1',
  requestTime: null,
  serverTime: null,
  retryAfter: null,
});

test.each([
  'AccessDenied',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'InvalidToken',
  'NoSuchBucket',
  'QuotaExceeded',
  'PermanentRedirect',
  'RequestTimeTooSkewed',
  'SlowDown',
])('what a store of backups refuses with %s is said of the place of the backups', (code) => {
  const said = refusalError(REMOTE, refusal(code)).message;
  expect(said).toMatch(/^The place of the backups https:\/\/store\.example\/copies\/offerline\/ /u);
  expect(said).not.toMatch(OF_ARCHIVE);
  expect(refusalError({ ...REMOTE, holds: undefined } as never, refusal(code)).message).toMatch(/^The archive /u);
});

test.each([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ESOMETHING',
])('one that cannot be reached (%s) is, too', (code) => {
  const said = networkError(REMOTE, Object.assign(new Error('no'), { code })).message;
  expect(said).toMatch(/^The place of the backups /u);
  expect(said).not.toMatch(OF_ARCHIVE);
});

test('missing keys and certificates of backups are said with the parts of an address', async () => {
  const said: string[] = [];
  const place = archivePlaceOf('The place', 's3://store.example/copies/offerline');
  await openBackupPlace(place, {}, { make: true }).catch((error: unknown) => said.push(messageOf(error)));
  await readKeys(REMOTE).catch((error: unknown) => said.push(messageOf(error)));
  try {
    openStore({ ...REMOTE, ca: join(tempFolder(), 'none.pem') });
  } catch (error) {
    said.push(messageOf(error));
  }
  expect(said).toEqual([
    expect.stringMatching(
      /^The place of the backups has no keys to sign with: AWS_ACCESS_KEY_ID and .* name a profile in its address/u,
    ),
    expect.stringMatching(
      /^The place of the backups has no keys to sign with: \/nowhere\/keys does not exist; correct file= in its address/u,
    ),
    expect.stringMatching(/^The file of certificates .* \(ca= in the address of the backups\) cannot be read/u),
  ]);
  expect(said.join('\n')).not.toMatch(OF_ARCHIVE);
});

const BUCKET = archivePlaceOf('The place', 's3://key:secret@127.0.0.1:9/backups?tls=false&style=path');

test('what is on its way to a bucket lies on the disk of the home, among the drafts of its archive', async () => {
  const home = tempFolder();
  const place = await openBackupPlace(BUCKET, {}, { make: true, of: { home, archive: { type: 'folder' } } });
  expect(readdirSync(join(home, 'archive/tmp'))).toEqual([expect.stringMatching(/^backup-/u)]);
  await place.close();
  expect(readdirSync(join(home, 'archive/tmp'))).toEqual([]);
});

test('where a home may only be read, it lies in the folder for temporary files', async ({ skip }) => {
  const home = tempFolder();
  if (!mountDisk(home, '1m')) return skip('only root can mount a disk');
  execFileSync('mount', ['-o', 'remount,ro', home]);
  const temporary = tempFolder();
  vi.stubEnv('TMPDIR', temporary);
  const place = await openBackupPlace(BUCKET, {}, { make: true, of: { home, archive: { type: 'folder' } } });
  vi.unstubAllEnvs();
  expect(readdirSync(temporary)).toEqual([expect.stringMatching(/^offerline-backup-/u)]);
  await place.close();
  expect(readdirSync(temporary)).toEqual([]);
});

test.each([
  's3://store.example/copies',
  's3://store.example:9000/copies/offerline/a?tls=false',
  's3://s3.eu-central-1.amazonaws.com/copies/offerline?style=host',
  's3://store.example/copies?region=eu-north-1&ca=/etc/ca.pem&timeout=5s&encryption=aws:kms&kms=a/b',
  's3://store.example/copies?profile=night&file=/etc/offerline/the+keys of 100%25&encryption=AES256',
  's3://store.example/copies?role=instance',
])('a command names the place %s with everything that it needs', (text) => {
  const place = archivePlaceOf('The place', text);
  expect(archivePlaceOf('The place', addressOf(place))).toEqual(place);
});

test('the commands in what is said of a restore are accepted, and have no keys in them', async () => {
  const where = { file: join(tempFolder(), 'ledger.sqlite') };
  const ledger = await openLedger(where);
  atEnd(() => ledger.close());
  const text = 's3://AKIDEXAMPLE:the-secret-key@127.0.0.1:9/copies/offerline?tls=false&style=path&region=eu-north-1';
  const bucket = await openBackupPlace(archivePlaceOf('The place', text), {}, { make: false });
  atEnd(() => bucket.close());
  for (const place of [bucket, { ...bucket, address: "/mnt/the shop's backups" }]) {
    const note = { madeAt: 1, at: 1, original: 'x', chosen: null, term: null, fetching: {} };
    await leaveNote(ledger.db, 'restored', {
      ...note,
      place: place.address,
      backup: 'one',
      filled: true,
      complete: false,
    });
    const said = await Promise.all(
      [assertMayWork(ledger), undecidedRestore({ ledger }), backupToRestore(place, 'two', where)].map((refused) =>
        refused.then(() => '', messageOf),
      ),
    );
    for (const message of said) {
      const [, command = ''] = /`(offerline restore [^`]+)`/u.exec(message) ?? [];
      const [, , word = ''] = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' }).split(
        '\n',
      );
      expect(word).toBe(place.address);
      expect(addressOf(archivePlaceOf('The place', word))).toBe(place.address);
      expect(message).not.toMatch(/AKIDEXAMPLE|the-secret-key/u);
    }
  }
});

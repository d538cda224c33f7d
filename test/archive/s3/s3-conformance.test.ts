import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { hashBytes, writeDurably } from '../../../src/archive/durable.ts';
import type { Remote } from '../../../src/archive/s3/remote.ts';
import { Requests } from '../../../src/archive/s3/requests.ts';
import { tryStore } from '../../../src/archive/s3/try-store.ts';
import { REAL_S3 } from '../../support/servers/real-s3.ts';
import type { RealS3 } from '../../support/servers/s3-source.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { supplierOf } from '../../pull/s3/objects.ts';
import { all, archiveConformance, pieces } from '../conformance.ts';
import { machineOn, remoteIn, underTest } from './remote-archive.ts';

const servers = new Map<string, RealS3>();
let buckets = 0;

const DENIED = 'denies access; check archive.auth, and grant these keys';

beforeAll(async () => {
  for (const { name, missing, start } of REAL_S3) if (!missing) servers.set(name, await start());
}, 120_000);

async function bucketOn(name: string) {
  const source = { ...servers.get(name)!.source, bucket: `archive-${(buckets += 1)}` };
  await supplierOf(source).makeBucket();
  return remoteIn(source, { timeout: 20_000 });
}

for (const { name, missing, conditions, namesKeys, rules } of REAL_S3) {
  describe.skipIf(missing)(`an archive on ${name}`, () => {
    archiveConformance(name, async () => underTest(await bucketOn(name)), 3);

    test('is examined: whether it honours the condition under which files are written', async () => {
      const { store, remote } = await machineOn(await bucketOn(name));
      expect(await tryStore(store, remote)).toEqual({ conditions, expires: false, versions: false });
      expect(await all(store.list(''))).toEqual([]);
    });

    test('lists more objects than one page has', async () => {
      const { archive } = await machineOn(await bucketOn(name));
      const put = await Promise.all(Array.from({ length: 105 }, (_, n) => archive.put(pieces(`file ${n}`))));
      const hashes = put.map(({ sha256 }) => sha256).toSorted();
      expect((await all(archive.list())).map(({ sha256 }) => sha256)).toEqual(hashes);
    });

    test('keeps a large file that it is sent in parts', async () => {
      const { archive, store } = await machineOn(await bucketOn(name));
      const path = join(tempFolder(), 'large');
      writeFileSync(path, Buffer.alloc(65 * 1024 * 1024, 'x'));
      const kept = await archive.put(path);
      expect(await archive.verify(kept.sha256)).toBe('ok');
      expect(await archive.put(path)).toEqual(kept);
      expect((await all(store.list(''))).map(({ bytes }) => bytes)).toEqual([kept.bytes]);
    });

    test.each<[string, (remote: Remote) => Remote, string]>([
      ['a bucket that is not there', (remote) => ({ ...remote, bucket: 'nowhere' }), 'has no such bucket; make it'],
      [
        'a key that nobody has',
        (remote) => withKeys(remote, { accessKeyId: 'nobody' }),
        namesKeys ? 'does not know the access key; correct archive.auth' : DENIED,
      ],
      [
        'a wrong secret',
        (remote) => withKeys(remote, { secretAccessKey: 'wrong' }),
        namesKeys ? 'refused the signature: the secret key is wrong; correct archive.auth' : DENIED,
      ],
    ])('says what to do about %s', async (_, change, words) => {
      const { archive } = await machineOn(change(await bucketOn(name)));
      await expect(archive.put(pieces('brand;oem\n'))).rejects.toThrow(words);
    });

    test.each([-2, 2])('is asked by its own time by a machine whose clock is %d hours ahead', async (hours) => {
      const { archive } = await machineOn(await bucketOn(name));
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
      onTestFinished(() => void vi.useRealTimers());
      const { sha256 } = await archive.put(pieces('brand;oem\n'));
      expect(await archive.verify(sha256)).toBe('ok');
    });

    test.runIf(rules)('is examined: whether it expires objects and keeps versions', async () => {
      const { archive, store, remote } = await machineOn(await bucketOn(name));
      const requests = new Requests(remote, {});
      onTestFinished(() => requests[Symbol.asyncDispose]());
      const set = async (query: string, text: string) => {
        const { sha256 } = await hashBytes(pieces(text));
        const headers = { 'content-md5': createHash('md5').update(text).digest('base64') };
        await requests.done({ method: 'PUT', query: { [query]: '' }, headers, body: { text, sha256 } });
      };
      const rule = '<Status>Enabled</Status><Filter><Prefix/></Filter><Expiration><Days>9</Days></Expiration>';
      await set('lifecycle', `<LifecycleConfiguration><Rule><ID>old</ID>${rule}</Rule></LifecycleConfiguration>`);
      expect(await tryStore(store, remote)).toEqual({ conditions, expires: true, versions: false });
      await set('versioning', '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>');
      // Ceph takes a version more, whatever the condition says.
      expect(await tryStore(store, remote)).toEqual({ conditions: 'ignored', expires: true, versions: true });
      const { sha256 } = await archive.put(pieces('brand;oem\n'));
      await archive.remove(sha256);
      expect(await archive.has(sha256)).toBe(false);
      await archive.put(pieces('brand;oem\n'));
      expect(await archive.verify(sha256)).toBe('ok');
    });

    test.runIf(conditions === 'honoured')('takes one of the files that come at once under the condition', async () => {
      const { store } = await machineOn(await bucketOn(name));
      const path = join(tempFolder(), 'file');
      const blob = await writeDurably(path, pieces('brand;oem\n'));
      const answers = await Promise.all(Array.from({ length: 8 }, () => store.put('one', path, blob)));
      expect(answers.toSorted()).toEqual(['made', ...Array.from({ length: 7 }, () => 'there')]);
    });
  });
}

/** The same bucket asked with other keys. */
function withKeys(remote: Remote, keys: { accessKeyId?: string; secretAccessKey?: string }): Remote {
  if (remote.auth.type !== 'keys') throw new Error('the test servers have keys');
  return { ...remote, auth: { ...remote.auth, ...keys } };
}

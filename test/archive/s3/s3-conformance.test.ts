import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeDurably } from '../../../src/archive/durable.ts';
import { tryStore } from '../../../src/archive/s3/try-store.ts';
import { REAL_S3 } from '../../support/servers/real-s3.ts';
import type { RealS3 } from '../../support/servers/s3-source.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { supplierOf } from '../../pull/s3/objects.ts';
import { all, archiveConformance, pieces } from '../conformance.ts';
import { machineOn, remoteIn, underTest } from './remote-archive.ts';

const servers = new Map<string, RealS3>();
let buckets = 0;

beforeAll(async () => {
  for (const { name, missing, start } of REAL_S3) if (!missing) servers.set(name, await start());
}, 120_000);

async function bucketOn(name: string) {
  const source = { ...servers.get(name)!.source, bucket: `archive-${(buckets += 1)}` };
  await supplierOf(source).makeBucket();
  return remoteIn(source, { timeout: 20_000 });
}

for (const { name, missing, conditions } of REAL_S3) {
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

    test.runIf(conditions)('takes one of the files that come at once under the condition', async () => {
      const { store } = await machineOn(await bucketOn(name));
      const path = join(tempFolder(), 'file');
      const blob = await writeDurably(path, pieces('brand;oem\n'));
      const answers = await Promise.all(Array.from({ length: 8 }, () => store.put('one', path, blob)));
      expect(answers.toSorted()).toEqual(['made', ...Array.from({ length: 7 }, () => 'there')]);
    });
  });
}

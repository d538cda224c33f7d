import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { S3Source } from '../../../src/config/schema/sources/s3.ts';
import { objectKey } from '../../../src/archive/s3/object-key.ts';
import { openS3Archive } from '../../../src/archive/s3/open-s3-archive.ts';
import type { Remote } from '../../../src/archive/s3/remote.ts';
import { openStore, type ObjectStore } from '../../../src/archive/s3/store.ts';
import { archivedObjects } from '../../../src/ledger/maintenance/archived-objects.ts';
import { openLedger, type Ledger } from '../../../src/ledger/ledger.ts';
import { atEnd } from '../../support/at-end.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import type { UnderTest } from '../conformance.ts';

/** A bucket of a test server as the settings of an archive have it; its copies lie in a folder of their own. */
export function remoteIn(source: S3Source, changes: Partial<Remote> = {}): Remote {
  const { auth, endpoint = '', region, bucket, style } = source;
  if (auth.type !== 'basic') throw new Error('the test servers have keys');
  return {
    endpoint,
    region,
    bucket,
    prefix: 'files/',
    style,
    auth: { type: 'keys', accessKeyId: auth.user, secretAccessKey: auth.password.reveal(), sessionToken: null },
    encryption: null,
    ca: null,
    timeout: 5000,
    cache: join(tempFolder(), 'archive-cache'),
    ...changes,
  };
}

/** A machine with an archive in a bucket: its own copies, and a ledger that several may share. */
export async function machineOn(
  remote: Remote,
  known: { ledger?: Ledger; pause?: (ms: number) => Promise<void>; cacheBytes?: number } = {},
) {
  const ledger = known.ledger ?? (await openLedger({ file: join(tempFolder(), 'ledger.sqlite') }));
  if (known.ledger === undefined) atEnd(() => ledger.close());
  const asked: string[] = [];
  const store = openStore(remote, {
    count: (method) => asked.push(method),
    pause: known.pause ?? (() => Promise.resolve()),
  });
  atEnd(async () => store[Symbol.asyncDispose]());
  const archive = await openS3Archive({
    remote,
    store,
    index: archivedObjects(ledger),
    cacheBytes: known.cacheBytes ?? 1e9,
    now: () => Date.now(),
  });
  return { archive, store, ledger, asked, remote };
}

/** The same for the conformance of archives. */
export async function underTest(remote: Remote): Promise<UnderTest> {
  const { archive, store, ledger } = await machineOn(remote);
  return {
    archive,
    age: async (sha256, at) =>
      void (await ledger.db.updateTable('archived_objects').set({ at }).where('sha256', '=', sha256).execute()),
    damage: async (sha256, bytes) => overwrite(store, remote.prefix + objectKey(sha256, 0), bytes),
  };
}

async function overwrite(store: ObjectStore, key: string, text: string): Promise<void> {
  const { writeDurably } = await import('../../../src/archive/durable.ts');
  const path = join(tempFolder(), 'bytes');
  const bytes = async function* () {
    yield Buffer.from(text);
  };
  await store.put(key, path, await writeDurably(path, bytes()), { replace: true });
}

/** The names of the copies that lie in the folder of an archive. */
export function copiesIn({ cache }: Remote): string[] {
  return readdirSync(cache, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split('/').at(-1) ?? '')
    .filter((name) => /^[0-9a-f]{64}$/u.test(name));
}

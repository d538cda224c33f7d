import { join } from 'node:path';
import type { Archive } from '../../../src/archive/archive.ts';
import { copyArchive, type Copied } from '../../../src/archive/copy/copy-archive.ts';
import { bucketSource, folderSource } from '../../../src/archive/copy/copy-source.ts';
import { bucketTarget, folderTarget } from '../../../src/archive/copy/copy-target.ts';
import { openArchive } from '../../../src/archive/folder.ts';
import type { ObjectStore } from '../../../src/archive/s3/store.ts';
import type { Remote } from '../../../src/archive/s3/remote.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { archivedObjects } from '../../../src/ledger/maintenance/archived-objects.ts';
import { atEnd } from '../../support/at-end.ts';
import { startBucketS3, type Buckets, type S3Style } from '../../support/servers/bucket-s3.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { supplierOf } from '../../pull/s3/objects.ts';
import { machineOn, remoteIn } from '../s3/remote-archive.ts';

/** An archive of a ledger that can be copied. */
export type Place = { archive: Archive } & (
  | { type: 'folder'; folder: string }
  | { type: 's3'; store: ObjectStore; remote: Remote; asked: string[]; buckets: Buckets }
);

/** The archive in a new folder. */
export async function inFolder(): Promise<Place & { type: 'folder' }> {
  const folder = join(tempFolder(), 'archive');
  return { type: 'folder', folder, archive: await openArchive(folder) };
}

/** The archive in a new bucket. */
export async function inBucket(ledger: Ledger, style: Partial<S3Style> = {}): Promise<Place & { type: 's3' }> {
  const { source, buckets, stop } = await startBucketS3({
    page: 3,
    goesOn: 'token',
    escapes: 'asked',
    lacks: [],
    ...style,
  });
  atEnd(stop);
  await supplierOf(source).makeBucket();
  return { type: 's3', buckets, ...(await machineOn(remoteIn(source), { ledger })) };
}

/** Copies one archive of a ledger to another; `inUse`: where its files are kept at present. */
export async function copyBetween(
  ledger: Ledger,
  source: Place,
  target: Place,
  { inUse = source, sizeOnly = false, signal = new AbortController().signal } = {},
): Promise<Copied> {
  const index = archivedObjects(ledger);
  const isIndexed = source.type === 's3' && source === inUse;
  const from =
    source.type === 'folder'
      ? folderSource(source.folder)
      : bucketSource({ ...source, now: Date.now }, isIndexed ? index : null);
  const to =
    target.type === 'folder'
      ? await folderTarget(target.folder)
      : await bucketTarget({ ...target, index, now: Date.now }, { isShared: isIndexed });
  const meter = new SharedArrayBuffer(16);
  return copyArchive(from, to, { sizeOnly, meter, onPage: () => undefined, signal });
}

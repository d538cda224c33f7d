import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OfferlineError } from '../../errors.ts';
import { sayDiskFull } from '../disk-full.ts';
import { markUsed, writeDurably } from '../durable.ts';
import { damagedFile, type KeptFile } from '../damage.ts';
import { objectKey, readObjectKey } from './object-key.ts';
import { openStore, type ObjectStore } from './store.ts';
import type { Remote } from './remote.ts';

/** How often the bytes of an object are asked for that break off, or arrive damaged. */
const FETCHES = 3;

const stores = new Map<string, ObjectStore>();

/**
 * Sees to it that a file of a remote archive lies at its path here, and counts as used now. Fails with `archive`: `missing` or `damaged` as any
 * file of an archive, or without a damage where the store gives no answer.
 */
export async function bringNear(file: KeptFile, remote: Remote): Promise<void> {
  if (await markUsed(file.unverifiedPath)) return;
  await fetchInto(file, storeOf(remote), remote);
}

/** One connection for each store and thread. */
function storeOf(remote: Remote): ObjectStore {
  const key = JSON.stringify(remote);
  let store = stores.get(key);
  if (store === undefined) stores.set(key, (store = openStore(remote)));
  return store;
}

/** Fetches a file of a store to its path; whatever arrives is hashed before it gets its name. */
export async function fetchInto(
  file: KeptFile,
  store: ObjectStore,
  remote: Pick<Remote, 'prefix' | 'cache'>,
): Promise<void> {
  const draft = join(remote.cache, 'tmp', randomUUID());
  await sayDiskFull(remote.cache, async () => {
    await mkdir(dirname(draft), { recursive: true, mode: 0o700 });
    try {
      await fetchDraft(draft, file, store, remote.prefix);
      await mkdir(dirname(file.unverifiedPath), { recursive: true, mode: 0o700 });
      await rename(draft, file.unverifiedPath);
    } finally {
      await rm(draft, { force: true });
    }
  });
}

/** The whole bytes, under whichever of its keys they are. */
async function fetchDraft(draft: string, file: KeptFile, store: ObjectStore, prefix: string): Promise<void> {
  let found: 'missing' | 'damaged' = 'missing';
  for await (const key of keysOf(file.sha256, store, prefix)) {
    const got = await fetchKey(draft, key, file.sha256, store);
    if (got === 'whole') return;
    if (got === 'damaged') found = 'damaged';
  }
  const why = found === 'missing' ? 'it has been removed or lost' : 'its content has changed since it was stored';
  throw damagedFile(file, found, why);
}

/** The usual key of a file, then the others that it has had; most files have one. */
export async function* keysOf(
  sha256: string,
  store: Pick<ObjectStore, 'list'>,
  prefix: string,
): AsyncGenerator<string> {
  const usual = prefix + objectKey(sha256, 0);
  yield usual;
  for await (const { key } of store.list(`${usual}.`)) if (readObjectKey(key.slice(prefix.length)) !== null) yield key;
}

/** Writes the bytes of one key to a new file; what breaks off, or arrives damaged, is asked for again. */
export async function fetchKey(
  draft: string,
  key: string,
  sha256: string,
  store: ObjectStore,
): Promise<'whole' | 'damaged' | 'missing'> {
  for (let tried = 1; ; tried += 1) {
    await rm(draft, { force: true });
    try {
      const bytes = await store.get(key);
      if (bytes === null) return 'missing';
      const blob = await writeDurably(draft, bytes);
      if (blob.sha256 === sha256) return 'whole';
      if (tried === FETCHES) return 'damaged';
    } catch (error) {
      const mayPass = error instanceof OfferlineError && error.code === 'archive' && error.retryable;
      if (!mayPass || tried === FETCHES) throw error;
    }
  }
}

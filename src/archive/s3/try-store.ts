import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OfferlineError } from '../../errors.ts';
import { writeDurably } from '../durable.ts';
import { isWhole } from './open-s3-archive.ts';
import type { Remote } from './remote.ts';
import type { ObjectStore } from './store.ts';

/** What a store does: with the condition under which files are written, and whether it expires objects and keeps versions. */
export type Tried = { conditions: 'honoured' | 'refused' | 'ignored'; expires: boolean; versions: boolean };

/** Puts, reads, lists and removes a small object. Throws `archive` for a store that does not do what it says. */
export async function tryStore(
  store: ObjectStore,
  { prefix, cache }: Pick<Remote, 'prefix' | 'cache'>,
): Promise<Tried> {
  const folder = join(cache, 'tmp');
  const draft = join(folder, randomUUID());
  const key = `${prefix}doctor-${randomUUID()}`;
  let again: 'made' | 'there';
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const blob = await writeDurably(draft, textOf(`offerline doctor ${randomUUID()}\n`));
    await store.put(key, draft, blob);
    // Ceph takes it again in a bucket that keeps versions, other stores in any: then it is there nevertheless.
    again = await store.put(key, draft, blob);
    if (again === 'made' && (await store.size(key)) === null)
      throw wrong(store, 'does not see an object that it has just taken');
    if (!(await isWhole(store, key, blob.sha256))) throw wrong(store, 'returned other bytes than it was given');
    if (!(await isListed(store, key))) throw wrong(store, 'does not list an object that it has just taken');
  } finally {
    await rm(draft, { force: true });
    await store.remove(key);
  }
  const taken = again === 'there' ? 'honoured' : 'ignored';
  return { conditions: store.conditions() === false ? 'refused' : taken, ...(await store.rules()) };
}

async function isListed(store: ObjectStore, key: string): Promise<boolean> {
  for await (const object of store.list(key)) if (object.key === key) return true;
  return false;
}

function wrong(store: ObjectStore, what: string): OfferlineError {
  return new OfferlineError('archive', `The archive ${store.place} ${what}. Ask who runs the store.`);
}

async function* textOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archive } from '../archive.ts';
import { damageOf, type Damage, type KeptFile } from '../damage.ts';
import { keptFile } from '../folder.ts';
import { verifiedPath } from '../kept-file.ts';
import { fetchInto, keysOf } from './near.ts';
import type { Remote } from './remote.ts';
import { openStore, type ObjectStore } from './store.ts';

/** What only asks an archive on a store of objects. */
export function questionsToRemote(
  remote: Remote,
  store: ObjectStore = openStore(remote),
): Pick<Archive, 'file' | 'has' | 'verify'> {
  const file = (sha256: string): KeptFile => ({ ...keptFile(remote.cache, sha256), remote });
  return {
    file,
    has: async (sha256) => {
      for await (const key of keysOf(file(sha256).sha256, store, remote.prefix)) {
        if ((await store.size(key)) !== null) return true;
      }
      return false;
    },
    verify: (sha256) => verifyBoth(file(sha256), remote, store),
  };
}

/** Reads the copy here and the object again; a copy that is damaged goes, since the object is what counts. */
export async function verifyBoth(file: KeptFile, remote: Remote, store: ObjectStore): Promise<'ok' | Damage> {
  const { sha256, unverifiedPath } = file;
  if ((await damageIn({ sha256, unverifiedPath })) === 'damaged')
    await rm(unverifiedPath, { recursive: true, force: true });
  const fetched = { ...file, unverifiedPath: join(remote.cache, 'tmp', `verify-${randomUUID()}`) };
  try {
    await fetchInto(fetched, store, remote);
    return 'ok';
  } catch (error) {
    const found = damageOf(error);
    if (found === null) throw error;
    return found.damage;
  } finally {
    await rm(fetched.unverifiedPath, { force: true });
  }
}

async function damageIn(copy: KeptFile): Promise<Damage | null> {
  try {
    await verifiedPath(copy);
    return null;
  } catch (error) {
    const found = damageOf(error);
    if (found === null) throw error;
    return found.damage === 'unreadable' ? 'damaged' : found.damage;
  }
}

import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../durable.ts';
import { identityIn, type ArchiveIdentity, type IdentityPlace } from '../identity.ts';
import type { Remote } from './remote.ts';
import type { ObjectStore } from './store.ts';

const NAME = 'id.json';

/** Where an archive on a store of objects says who it is: an object that is written once. */
export function remoteIdentity(store: ObjectStore, { prefix, cache }: Pick<Remote, 'prefix' | 'cache'>): IdentityPlace {
  const key = prefix + NAME;
  const file = store.place + NAME;
  const read = async (): Promise<ArchiveIdentity | null> => {
    const bytes = await store.get(key);
    return bytes === null ? null : identityIn(await beginningOf(bytes), file);
  };
  const write = async ({ archive, ledger }: ArchiveIdentity, options: { replace: boolean }) => {
    const folder = join(cache, 'tmp');
    const draft = join(folder, randomUUID());
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      const blob = await writeDurably(draft, textOf(`${JSON.stringify({ archive, ledger })}\n`));
      await store.put(key, draft, blob, options);
    } finally {
      await rm(draft, { force: true });
    }
  };
  return {
    where: store.place,
    file,
    read,
    claim: async (identity) => {
      await write(identity, { replace: false });
      return (await read()) ?? identity;
    },
    replace: (identity) => write(identity, { replace: true }),
  };
}

/** An identity is short; what is longer is none, and damaged wherever it is cut. */
const LONGEST = 4096;

async function beginningOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const piece of bytes) {
    text += piece.toString('utf8');
    if (text.length > LONGEST) break;
  }
  return text;
}

async function* textOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

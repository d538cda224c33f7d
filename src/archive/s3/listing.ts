import type { ObjectIndex } from './object-index.ts';
import { readObjectKey } from './object-key.ts';
import type { ObjectStore } from './store.ts';

/** An object of an archive, by what its key says. */
export type Found = { sha256: string; generation: number; bytes: number; key: string };

/** An object, and what the index says of it: since when it counts (epoch ms), that it was given up, or nothing. */
export type Standing = { found: Found; at: number | 'given up' | 'unknown' };

const PAGE = 500;

/** The objects of an archive, in the order of their keys; what others keep beside them is left out. */
export async function* objectPages(store: Pick<ObjectStore, 'list'>, prefix: string): AsyncGenerator<Found[]> {
  let page: Found[] = [];
  for await (const { key, bytes } of store.list(prefix)) {
    const read = readObjectKey(key.slice(prefix.length));
    if (read !== null) page.push({ ...read, bytes, key });
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** What the index says of each object of a page. */
export async function standingOf(page: Found[], index: Pick<ObjectIndex, 'known' | 'givenUp'>): Promise<Standing[]> {
  const hashes = [...new Set(page.map(({ sha256 }) => sha256))];
  const [kept, gone] = [await index.known(hashes), await index.givenUp(hashes)];
  return page.map((found) => {
    const one = kept.get(found.sha256);
    const last = gone.get(found.sha256) ?? (one === undefined ? -1 : one.generation - 1);
    if (one?.generation === found.generation) return { found, at: one.at };
    return { found, at: found.generation <= last ? 'given up' : 'unknown' };
  });
}

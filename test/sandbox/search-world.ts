import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxOptions } from '../../src/sandbox/server.ts';
import { referenceAt } from '../support/reference.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { startWorld, type World } from './world.ts';

export type Item = {
  detailId: number;
  oem: string;
  brand: string;
  original: boolean;
  detailNames?: string[];
  offerNames?: string[];
  crossNames?: string[];
  replacements?: { replacesDetailId: number; replacementFor: string; replacementType: string }[];
  tags: string[];
  score: number;
  saleCategory: number;
};

/** The reference database of a test file, made once. */
export function referenceForTests() {
  const { reference, rows, row } = referenceAt(tempFolder());
  return {
    rows,
    row,
    /** A sandbox over HTTP that has this database already; indexing a vehicle takes a second. */
    start: async (options: Partial<SandboxOptions> = {}) => {
      reference.db();
      const dataDir = tempFolder();
      copyFileSync(reference.path, join(dataDir, 'reference.sqlite'));
      return searching(await startWorld({ dataDir, indexTime: 1000, ...options }));
    },
  };
}

/** The calls of search and vehicles, as a client would make them. */
function searching(world: World) {
  const get = (
    path: string,
    query: Record<string, string> | [string, string][],
    headers: Record<string, string> = {},
  ) => world.call(`/us2/public/${path}?${new URLSearchParams(query).toString()}`, { headers });
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    world.call(`/us2/public/${path}`, { method: 'POST', body: JSON.stringify(body), headers });
  const items = (json: Record<string, unknown>) => json['data'] as Item[];
  async function indexed(ident: string, headers: Record<string, string> = {}): Promise<number[]> {
    const { json } = await get('vehicle/identify', { identString: ident }, headers);
    const ids = (json['data'] as { id: number }[]).map(({ id }) => id);
    for (const id of ids) await get('autoInfo/indexVehicle', { autoInfoId: String(id) }, headers);
    world.clock.time += 1000;
    return ids;
  }
  return {
    ...world,
    get,
    post,
    /** What a simple search finds; other parameters may follow. */
    search: async (query: string, more: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      items((await get('search/search', { query, ...more }, headers)).json),
    /** What an advanced search over all names finds. */
    advanced: async (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
      items((await post('advancedSearch', { searchBy: 'OFFER_AND_DETAIL_AND_CROSS', ...body }, headers)).json),
    /** Uploads offers: brand, number, and perhaps a name and tags. */
    offer: async (rows: readonly (readonly string[])[], headers: Record<string, string> = {}) => {
      const lines = rows.map(([brand = '', oem = '', name = '', tags = '']) => [brand, oem, name, tags].join('\t'));
      return world.uploaded(`brand\toem\tname\ttags\n${lines.join('\n')}\n`, { headers });
    },
    /** Identifies and indexes the vehicles of a VIN or Frame; answers with their ids. */
    indexed,
  };
}

/** The numbers of items, in order. */
export function oems(items: Item[]): string[] {
  return items.map(({ oem }) => oem);
}

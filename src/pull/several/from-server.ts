import type { ListingSource } from '../../config/schema/source-schema.ts';
import type { Listed } from '../choose/choose.ts';
import { identityOf, isSameFile } from '../choose/past.ts';
import type { Saved } from '../save/save.ts';
import { fetchFile, isBegun, type Transfer } from '../server/fetch.ts';
import { PATIENCE, urlOf } from '../server/place.ts';
import { chosen, reconnecting } from '../server/pull-server.ts';
import type { ServerFolder } from '../server/server.ts';
import { originOf, type Pulled, type PullInput } from '../source.ts';
import type { Brought } from './pack.ts';
import { pullTogether, type Settled } from './pull-together.ts';
import type { SeveralWanted } from './wanted.ts';

/** What a pull has brought of each file; it outlives the connection. */
type Transfers = Map<string, { path: string; transfer: Transfer; saved?: Saved | undefined }>;

/**
 * Pulls all files of a place on a server that make one delivery; as `pullServer` otherwise. What was brought before a connection was cut is
 * not asked for again.
 */
export async function pullServerFiles(source: ListingSource, wanted: SeveralWanted, input: PullInput): Promise<Pulled> {
  const transfers: Transfers = new Map();
  const place = { name: urlOf(source), origin: originOf(source), patience: PATIENCE };
  const mayGrow = wanted.names === null && wanted.count === null && wanted.manifest === null;
  const brought = () => (transfers.size === 0 ? null : bytesOf(transfers));
  return reconnecting(source, input, brought, (server) => {
    const at = { source, server, input, transfers, mayGrow };
    return pullTogether(
      {
        ...place,
        list: (past) => chosen(source, server, past, input.now()),
        settle: (files) => settle(files, at),
        bring: (file) => bring(file, at),
      },
      wanted,
      input,
    );
  });
}

/** `mayGrow`: nothing but time tells that a delivery is complete. */
type At = {
  source: ListingSource;
  server: ServerFolder;
  input: PullInput;
  transfers: Transfers;
  mayGrow: boolean;
};

function bytesOf(transfers: Transfers): number {
  let sum = 0;
  for (const { transfer, saved } of transfers.values()) sum += saved?.bytes ?? transfer.begun?.part.bytes ?? 0;
  return sum;
}

/** They are looked at twice, `settle` apart, but for those of which a part was brought before. */
async function settle(files: Listed[], { source, server, input, transfers, mayGrow }: At): Promise<Settled> {
  if (source.ready !== undefined || (server.whole === true && !mayGrow)) return 'before';
  const open = files.filter((file) => {
    const known = transfers.get(identityOf(file));
    return known?.saved === undefined && (known === undefined || !isBegun(file, known.transfer));
  });
  if (open.length === 0) return 'before';
  await input.wait(source.settle, input.signal);
  if (server.whole === true) return 'waited';
  for (const file of open) if (!isSameFile(file, await server.look(file))) return 'changed';
  return 'waited';
}

async function bring(listed: Listed, { source, server, input, transfers }: At): Promise<Brought | null> {
  const key = identityOf(listed);
  const known = transfers.get(key) ?? { path: `${input.target}-${key}`, transfer: {} };
  transfers.set(key, known);
  const to = { ...input, target: known.path, meter: undefined };
  known.saved ??= await fetchFile(listed, source, server, to, known.transfer);
  if (known.saved !== undefined) return { listed, path: known.path, ...known.saved };
  transfers.delete(key);
  return null;
}

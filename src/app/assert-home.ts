import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LoadedConfig } from '../config/load.ts';
import { OfferlineError, systemCode } from '../errors.ts';
import { identityFile } from '../archive/identity.ts';

/** Homes that are named, and entries of a folder that are looked at. */
const SHOWN = 5;
const LOOKED_AT = 500;

/**
 * Refuses with `not-found` a home that has no ledger, and names the homes nearby: what only reads must not make a new home, which
 * would say that nothing ever happened. One whose ledger has vanished passes: opening it says so.
 */
export async function assertHome({ home, file, databaseUrl }: LoadedConfig): Promise<void> {
  if (databaseUrl !== undefined || isHome(home) || existsSync(identityFile(join(home, 'archive')))) return;
  await readdir(home).catch((error: unknown) => {
    if (systemCode(error) !== 'EACCES') return;
    throw new OfferlineError('config', `The home ${home} cannot be opened: permission denied. Check its owner.`);
  });
  const places = [process.cwd(), dirname(file), dirname(home), dirname(dirname(file))];
  const found = new Set<string>();
  for (const place of new Set(places)) for (const near of await homesIn(place)) found.add(near);
  const names = [...found];
  const more = names.length > SHOWN ? `, and ${names.length - SHOWN} more` : '';
  const advice =
    names.length === 0
      ? 'Name another with --home or OFFERLINE_HOME, or begin here: `offerline ingest FEED` and `offerline up` make it.'
      : `Nearby: ${names.slice(0, SHOWN).join(', ')}${more}. Name the right one with --home or OFFERLINE_HOME.`;
  throw new OfferlineError('not-found', `There is no ledger in ${home}, so nothing is known here. ${advice}`);
}

function isHome(folder: string): boolean {
  return existsSync(join(folder, 'ledger.sqlite'));
}

/** The homes in a folder, and in the `.offerline` of its folders. */
async function homesIn(place: string): Promise<string[]> {
  const entries = await readdir(place, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .slice(0, LOOKED_AT)
    .map(({ name }) => join(place, name))
    .flatMap((folder) => [folder, join(folder, '.offerline')])
    .filter(isHome);
}

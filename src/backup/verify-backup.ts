import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Damage } from '../archive/damage.ts';
import { damageOf } from '../archive/kept-file.ts';
import { messageOf, OfferlineError } from '../errors.ts';
import { count, setTotal, type Meter } from '../gauge.ts';
import { inParallel } from '../io/in-parallel.ts';
import { fillLedger } from '../ledger/maintenance/fill-ledger.ts';
import { referencesTo } from '../ledger/maintenance/references.ts';
import { readSnapshot, type PlainRow } from '../ledger/maintenance/snapshot.ts';
import { assertListed, type Manifest } from './manifest.ts';
import { filesOf, unnamedIn } from './names.ts';
import { readPieces } from './pieces.ts';
import type { BackupPlace } from './place.ts';

/** A file of a backup that cannot be read, and what it is to it. */
export type BrokenFile = { sha256: string; damage: Damage };

/** What was found in a backup that was read as a restore reads it. */
export type Verified = {
  files: number;
  broken: BrokenFile[];
  /** Files that its ledger names and that are not part of it; those that were lost already when it was made are left out. */
  unnamed: string[];
  /** Why its ledger cannot be made again; null when it can. */
  ledger: string | null;
};

const AT_ONCE = 4;

/** Reads all of a backup as a restore does: each file is hashed, and its ledger is made again in a folder. */
export async function verifyBackup(
  manifest: Manifest,
  place: BackupPlace,
  { folder, meter }: { folder: string; meter: Meter },
): Promise<Verified> {
  const verified: Verified = { files: 0, broken: [], unnamed: [], ledger: null };
  const all = [...new Set(await filesOrNames(manifest, place, verified))];
  setTotal(meter, all.length);
  await inParallel(all, AT_ONCE, async (sha256) => {
    const found = await place.files.verify(sha256);
    if (found === 'ok') verified.files += 1;
    else if (!verified.broken.some((one) => one.sha256 === sha256)) verified.broken.push({ sha256, damage: found });
    count(meter, 1);
  });
  if (verified.broken.length > 0) await assertListed(place, manifest.id);
  const file = join(folder, 'ledger.sqlite');
  try {
    await fillLedger({ file }, { ...fillingOf(manifest, place), restored: null });
    const named = await readSnapshot({ file }, ({ db }) => referencesTo(db, null));
    verified.unnamed = [...new Set(unnamedIn(manifest, new Set(all), named).map(({ sha256 }) => sha256))];
  } catch (error) {
    const found = damageOf(error);
    verified.ledger = found === null ? messageOf(error) : `the file ${found.sha256} is ${found.damage}`;
  } finally {
    for (const end of ['', '-wal', '-shm']) await rm(file + end, { force: true });
  }
  return verified;
}

/** What a ledger is filled with from a backup. */
export function fillingOf(manifest: Manifest, place: BackupPlace) {
  return {
    migration: manifest.ledger.migration,
    tables: manifest.tables.map(({ pieces, name, columns, key, rows }) => ({
      table: { name, columns, key },
      rows: () =>
        allOf(
          readPieces({ name, columns, key }, pieces, place.files),
          rows,
          `${name} of the backup ${manifest.id} in ${place.where}`,
        ),
    })),
  };
}

/** The rows of a table, which are as many as its backup says. */
async function* allOf(pages: AsyncIterable<PlainRow[]>, rows: number, table: string): AsyncGenerator<PlainRow[]> {
  let read = 0;
  for await (const page of pages) {
    read += page.length;
    yield page;
  }
  if (read === rows) return;
  throw new OfferlineError(
    'archive',
    `The table ${table} has ${read} of ${rows} rows. Name another backup with --backup; \`offerline backup --list\` shows all.`,
  );
}

async function filesOrNames(manifest: Manifest, place: BackupPlace, verified: Verified): Promise<string[]> {
  try {
    return await filesOf(manifest, place);
  } catch (error) {
    const found = damageOf(error);
    if (found === null) throw error;
    verified.broken.push(found);
    return manifest.tables.flatMap(({ pieces }) => pieces);
  }
}

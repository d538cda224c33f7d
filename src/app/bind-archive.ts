import { existsSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { claimIdentity, identityFile, readIdentity } from '../archive/identity.ts';
import { OfferlineError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { archiveIdOf, keepArchiveId } from '../ledger/maintenance/archive-id.ts';

/**
 * Refuses to create a ledger where one has vanished: an empty one would know nothing of what is live, of uploads under way and of
 * what was decided, and would upload over all of it. Call it before a ledger's file is opened.
 */
export async function assertLedgerThere(file: string, archiveFolder: string): Promise<void> {
  if (existsSync(file)) return;
  const identity = await readIdentity(archiveFolder);
  if (identity === null) return;
  throw new OfferlineError(
    'conflict',
    `The ledger ${file} is missing, but the archive beside it belongs to it (${identity.ledger}). Restore the ledger from a backup. To start over without its records (what is live, open uploads, decisions), remove ${identityFile(archiveFolder)}.`,
  );
}

/**
 * Binds the archive in a folder to the ledger, or checks that it is: each names the other. Two homes on one ledger with an archive
 * each would miss each other's files. Fails with `conflict` when they do not belong together.
 */
export async function bindArchive(folder: string, ledger: Ledger): Promise<void> {
  const known = await archiveIdOf(ledger.db);
  const there = await readIdentity(folder);
  if (known === null) {
    const identity = there ?? (await claimIdentity(folder, ledger.id, randomUUID()));
    // The ledger comes from before it was bound, or its process died on the way.
    if (identity.ledger !== ledger.id) throw ofAnother(folder, identity.ledger, ledger);
    const kept = await keepArchiveId(ledger.db, identity.archive);
    if (kept !== identity.archive) throw another(folder, identity.archive, kept, ledger);
    return;
  }
  if (there?.archive !== known) throw another(folder, there?.archive ?? null, known, ledger);
}

function ofAnother(folder: string, other: string, ledger: Ledger): OfferlineError {
  return new OfferlineError(
    'conflict',
    `The archive ${folder} belongs to the ledger ${other}, and this one is ${ledger.id}${ledger.engine === 'postgres' ? ' (DATABASE_URL)' : ''}. Point OFFERLINE_HOME and DATABASE_URL at a ledger and an archive that belong together, or restore the ledger from a backup. To start over with this ledger, remove ${identityFile(folder)}.`,
  );
}

function another(folder: string, here: string | null, known: string, ledger: Ledger): OfferlineError {
  const where = ledger.engine === 'postgres' ? 'The ledger of DATABASE_URL' : 'The ledger of this home';
  const what = here === null ? 'is new or has been emptied' : `is ${here}`;
  const file = JSON.stringify({ archive: known, ledger: ledger.id });
  return new OfferlineError(
    'conflict',
    `${where} keeps its files in the archive ${known}, and the archive ${folder} ${what}. Machines that share a ledger share one archive folder: point OFFERLINE_HOME at it, or restore it from a backup. If its files are permanently lost, write ${file} into ${identityFile(folder)} and run \`offerline verify --repair\`.`,
  );
}

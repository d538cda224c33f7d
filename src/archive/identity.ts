import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { OfferlineError, systemCode } from '../errors.ts';
import { replaceFile } from '../io/replace-file.ts';
import { syncFile, syncFolder } from './durable.ts';

/** Who an archive is: its own id, and the id of the ledger that it was bound to first. */
export type ArchiveIdentity = { archive: string; ledger: string };

/** Where an archive says who it is, whatever it is made of. */
export type IdentityPlace = {
  /** The archive, for people. */
  where: string;
  /** What says who it is. */
  file: string;
  /** Who it is; null when it says nothing yet. */
  read: () => Promise<ArchiveIdentity | null>;
  /** Gives one that has none an identity, and answers with the one it has: of several processes that do so at once, one wins. */
  claim: (identity: ArchiveIdentity) => Promise<ArchiveIdentity>;
  /** Gives it another identity: after a restore, to the ledger that goes on with it. */
  replace: (identity: ArchiveIdentity) => Promise<void>;
};

/** Where the archive in a folder says who it is. */
export function folderIdentity(folder: string): IdentityPlace {
  return {
    where: folder,
    file: identityFile(folder),
    read: () => readIdentity(folder),
    claim: ({ ledger, archive }) => claimIdentity(folder, ledger, archive),
    replace: ({ ledger, archive }) => replaceFile(identityFile(folder), [textOf({ archive, ledger })]),
  };
}

/** The path of the file in which an archive says who it is. */
export function identityFile(folder: string): string {
  return join(folder, 'id.json');
}

/** Who the archive in a folder is; null when it says nothing yet. */
async function readIdentity(folder: string): Promise<ArchiveIdentity | null> {
  const file = identityFile(folder);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  return identityIn(text, file);
}

/** The identity in a text. Throws `archive` for one that is damaged. */
export function identityIn(text: string, file: string): ArchiveIdentity {
  const said = parsed(text);
  if (typeof said?.archive === 'string' && typeof said.ledger === 'string') return said as ArchiveIdentity;
  throw new OfferlineError(
    'archive',
    `The file ${file}, which identifies the archive, is damaged. Restore it from a backup; the ledger has the archive's id in its table meta, under archive-id.`,
  );
}

/** Gives an archive that has none an identity, and answers with the one it has: of several processes that do so at once, one wins. */
async function claimIdentity(folder: string, ledger: string, archive: string): Promise<ArchiveIdentity> {
  const draft = join(folder, 'tmp', randomUUID());
  const text = textOf({ archive, ledger });
  await writeFile(draft, text, { mode: 0o600 });
  try {
    await syncFile(draft);
    // Unlike a rename, neither takes the place of one that is there; a link is whole from its first moment.
    await unlessThere(() => link(draft, identityFile(folder))).catch(() =>
      unlessThere(() => writeFile(identityFile(folder), text, { flag: 'wx', mode: 0o600 })),
    );
    await syncFolder(folder);
  } finally {
    await rm(draft, { force: true });
  }
  return (await readIdentity(folder)) ?? { archive, ledger };
}

async function unlessThere(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

function parsed(text: string): Partial<ArchiveIdentity> | null {
  try {
    return JSON.parse(text) as Partial<ArchiveIdentity> | null;
  } catch {
    return null;
  }
}

function textOf(identity: ArchiveIdentity): string {
  return `${JSON.stringify(identity)}\n`;
}

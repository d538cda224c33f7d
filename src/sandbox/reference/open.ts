import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buildReference, referenceFingerprint } from './build.ts';

/** The reference database: parts, vehicles and catalogs. README.md in this folder describes its tables. */
export type Reference = {
  /** To read from; made at the first call, which takes a moment in a new data folder. */
  db: () => DatabaseSync;
  /** Its file, and which version of the data it has; both may be asked for before `db`. */
  path: string;
  fingerprint: () => string;
  close: () => void;
};

/** The reference database of a data folder. Nothing is made or opened before it is asked for. */
export function createReference(dataDir: string): Reference {
  const path = join(dataDir, 'reference.sqlite');
  let opened: DatabaseSync | undefined;
  return {
    db: () => (opened ??= open(path)),
    path,
    fingerprint,
    close: () => opened?.close(),
  };
}

/** The data are those that this process was started with. */
let version: string | undefined;

function fingerprint(): string {
  return (version ??= referenceFingerprint());
}

function open(path: string): DatabaseSync {
  if (!isCurrent(path)) buildReference(path, fingerprint());
  return new DatabaseSync(path, { readOnly: true });
}

/** A database of other data, or a damaged one, is rebuilt. */
function isCurrent(path: string): boolean {
  if (!existsSync(path)) return false;
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return db.prepare('SELECT value FROM fingerprint').get()?.['value'] === fingerprint();
  } catch {
    return false;
  } finally {
    db.close();
  }
}

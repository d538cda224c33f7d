import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The sandbox's data on disk: records in SQLite, files beside it. */
export type Store = {
  db: DatabaseSync;
  /** Bodies that are still being received; emptied at start, so a half received upload leaves nothing. */
  incoming: string;
  /** Files of accepted uploads. */
  files: string;
  /** The key of the hashes of credentials, made once for each data folder. */
  key: Buffer;
  close: () => void;
};

const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
  CREATE TABLE logins (id TEXT PRIMARY KEY, scheme TEXT NOT NULL, first_seen INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE offers (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id INTEGER NOT NULL UNIQUE,
    login TEXT NOT NULL REFERENCES logins (id),
    file TEXT NOT NULL UNIQUE,
    source_file TEXT,
    kind TEXT NOT NULL,
    asked_delimiter TEXT,
    asked_charset TEXT,
    created_at INTEGER NOT NULL,
    starts_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    rows_read INTEGER NOT NULL DEFAULT 0,
    progress_at INTEGER NOT NULL DEFAULT 0,
    verdict TEXT,
    error TEXT,
    error_rows INTEGER NOT NULL DEFAULT 0,
    delimiter TEXT,
    charset TEXT,
    finished_at INTEGER
  );
  CREATE INDEX offers_of_login ON offers (login, seq);
  CREATE TABLE offer_tags (
    seq INTEGER NOT NULL REFERENCES offers (seq) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    PRIMARY KEY (seq, tag)
  ) WITHOUT ROWID;
  PRAGMA user_version = 1;
`;

/** Faults: what they do to an upload, and the record of arrivals. */
const FAULTS_SCHEMA = `
  ALTER TABLE offers ADD COLUMN fate TEXT;
  CREATE TABLE arrivals (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    login TEXT NOT NULL,
    name TEXT NOT NULL,
    by_whom TEXT NOT NULL,
    file TEXT,
    bytes INTEGER NOT NULL DEFAULT 0,
    outcome TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    accepted_at INTEGER,
    offer_id TEXT,
    status INTEGER,
    code TEXT,
    faults TEXT NOT NULL DEFAULT '[]'
  );
  PRAGMA user_version = 2;
`;

/** Vehicles that a login has identified; when they are indexed follows from `due_at` and the clock. */
const VEHICLES_SCHEMA = `
  CREATE TABLE auto_infos (
    id INTEGER PRIMARY KEY,
    login TEXT NOT NULL,
    vehicle INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    queued_at INTEGER,
    due_at INTEGER,
    UNIQUE (login, vehicle)
  );
  PRAGMA user_version = 3;
`;

/** The steps from an empty database to today's, in order; `user_version` counts those that were made. */
const STEPS = [SCHEMA, FAULTS_SCHEMA, VEHICLES_SCHEMA];

/**
 * Opens the data folder, makes it when it is new. A folder in use throws with code EBUSY, one of a
 * damaged or newer database with EINVAL.
 */
export async function openStore(dataDir: string): Promise<Store> {
  const incoming = join(dataDir, 'incoming');
  const files = join(dataDir, 'files');
  await mkdir(incoming, { recursive: true });
  await mkdir(files, { recursive: true });
  const db = openDatabase(dataDir);
  await removeLeftovers(db, incoming, files);
  return { db, incoming, files, key: loadKey(db), close: () => db.close() };
}

/** Makes names in a folder survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Runs the work as one transaction that takes the write lock first. */
export function transaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

function openDatabase(dataDir: string): DatabaseSync {
  const file = join(dataDir, 'sandbox.sqlite');
  const db = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
    const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version > STEPS.length) throw unusable('EINVAL', `${file} was written by a newer version.`);
    for (const step of STEPS.slice(version)) db.exec(step);
    db.exec('COMMIT');
    return db;
  } catch (error) {
    db.close();
    const reason = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
    if (reason === SQLITE_BUSY) throw unusable('EBUSY', `The data folder ${dataDir} is in use by another sandbox.`);
    if (reason === SQLITE_CORRUPT || reason === SQLITE_NOTADB) throw unusable('EINVAL', `${file} is damaged.`);
    throw error;
  }
}

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

function unusable(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** A kill can leave bodies that were never accepted, and files whose record was never written or is already gone. */
async function removeLeftovers(db: DatabaseSync, incoming: string, files: string): Promise<void> {
  for (const name of await readdir(incoming)) await rm(join(incoming, name), { force: true });
  const known = db.prepare('SELECT 1 FROM offers WHERE file = ?');
  for (const name of await readdir(files)) {
    const kept = known.get(name.replace(/\.errors$/, '')) !== undefined;
    if (!kept) await rm(join(files, name), { force: true });
  }
}

function loadKey(db: DatabaseSync): Buffer {
  db.prepare("INSERT OR IGNORE INTO meta (key, value) VALUES ('credential-key', ?)").run(randomBytes(32));
  const row = db.prepare("SELECT value FROM meta WHERE key = 'credential-key'").get();
  return Buffer.from(row?.['value'] as Uint8Array);
}

import type { DatabaseSync } from 'node:sqlite';

/** Ids go up by two and are never given again, even when the record has been forgotten. */
export function nextId(db: DatabaseSync, first: bigint): bigint {
  const last = readId(db, 'last-offer-id');
  const id = last !== null && last >= first ? last + 2n : first;
  writeId(db, 'last-offer-id', id);
  return id;
}

/** An id two below the least one; null when none was given yet or none is left. */
export function idBelow(db: DatabaseSync): bigint | null {
  const lowest = db.prepare('SELECT min(id) AS id FROM offers');
  lowest.setReadBigInts(true);
  const least = readId(db, 'least-offer-id') ?? lowest.get()?.['id'];
  if (typeof least !== 'bigint' || least <= 2n) return null;
  writeId(db, 'least-offer-id', least - 2n);
  return least - 2n;
}

function readId(db: DatabaseSync, key: string): bigint | null {
  const read = db.prepare('SELECT value FROM meta WHERE key = ?');
  read.setReadBigInts(true);
  const value = read.get(key)?.['value'];
  return typeof value === 'bigint' ? value : null;
}

function writeId(db: DatabaseSync, key: string, id: bigint): void {
  db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, id);
}

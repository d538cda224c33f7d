import { existsSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Reference } from '../reference/open.ts';
import { INDEX_VERSION } from './index-tables.ts';
import { COLUMNS } from './match.ts';

/** A part of a dataset as it was uploaded, joined with what the reference knows. */
export type Part = {
  id: number;
  detailId: number;
  /** Its row in the reference; null for a part that the reference does not know. */
  referenceId: number | null;
  brand: string;
  oem: string;
  names: string[];
  tags: string[];
  original: boolean;
  saleCategory: number;
};

/** One dataset with its full-text index. */
export type Portfolio = {
  /** The parts that an expression finds, best first, with how well they match: 0 or more. */
  find: (match: string, size: number, offset: number) => { part: Part; relevance: number }[];
  count: (match: string) => number;
  /** How many of the parts that an expression finds have each tag. */
  countTags: (match: string) => { tag: string; count: number }[];
  /** Whether an expression finds anything. */
  finds: (match: string) => boolean;
  hasBrand: (key: string) => boolean;
  hasNumber: (key: string) => boolean;
  /** The id of a tag; 0 when no part has it. */
  tagId: (tag: string) => number;
  byNumber: (key: string) => Part[];
  byReference: (id: number) => Part | undefined;
  close: () => void;
};

const WEIGHTS = Object.values(COLUMNS).join(', ');
const PART = `id, detail_id AS detailId, reference_id AS referenceId, brand, oem, names, tags, original,
  sale_category AS saleCategory`;

/** Opens the index in a file; undefined when there is none, or one of another version of the code or of the reference. */
export function openPortfolio(path: string, reference: Reference): Portfolio | undefined {
  if (!existsSync(path)) return undefined;
  const db = new DatabaseSync(path, { readOnly: true });
  if (isCurrent(db, reference.fingerprint())) return portfolioOf(db);
  db.close();
  return undefined;
}

function isCurrent(db: DatabaseSync, fingerprint: string): boolean {
  try {
    const origin = db.prepare('SELECT version, reference FROM origin').get();
    return origin?.['version'] === INDEX_VERSION && origin['reference'] === fingerprint;
  } catch {
    return false;
  }
}

function portfolioOf(db: DatabaseSync): Portfolio {
  const ranked = db.prepare(
    `SELECT rowid AS id, bm25(words, ${WEIGHTS}) AS rank FROM words WHERE words MATCH ? ORDER BY rank, rowid LIMIT ? OFFSET ?`,
  );
  const counts = db.prepare(
    `SELECT tags.tag, count(*) AS count FROM part_tags JOIN tags ON tags.id = part_tags.tag
     WHERE part IN (SELECT rowid FROM words WHERE words MATCH ?) GROUP BY tags.id ORDER BY count DESC, tags.tag`,
  );
  const total = db.prepare('SELECT count(*) AS n FROM words WHERE words MATCH ?');
  const any = db.prepare('SELECT 1 FROM words WHERE words MATCH ? LIMIT 1');
  const brand = db.prepare('SELECT 1 FROM parts WHERE brand_key = ? LIMIT 1');
  const number = db.prepare('SELECT 1 FROM parts WHERE oem_key = ? LIMIT 1');
  const tag = db.prepare('SELECT id FROM tags WHERE tag = ?');
  const byId = db.prepare(`SELECT ${PART} FROM parts WHERE id = ?`);
  const byNumber = db.prepare(`SELECT ${PART} FROM parts WHERE oem_key = ? ORDER BY id`);
  const byReference = db.prepare(`SELECT ${PART} FROM parts WHERE reference_id = ?`);
  const has = (statement: StatementSync, value: SQLInputValue) => statement.get(value) !== undefined;
  return {
    find: (match, size, offset) =>
      ranked.all(match, size, offset).map(({ id, rank }) => ({
        part: toPart(byId.get(id!)!),
        // The index ranks from the least.
        relevance: Math.max(0, -Number(rank)),
      })),
    count: (match) => Number(total.get(match)?.['n']),
    countTags: (match) => counts.all(match).map(({ tag, count }) => ({ tag: String(tag), count: Number(count) })),
    finds: (match) => has(any, match),
    hasBrand: (key) => has(brand, key),
    hasNumber: (key) => has(number, key),
    tagId: (text) => Number(tag.get(text)?.['id'] ?? 0),
    byNumber: (key) => byNumber.all(key).map(toPart),
    byReference: (id) => {
      const row = byReference.get(id);
      return row === undefined ? undefined : toPart(row);
    },
    close: () => db.close(),
  };
}

function toPart(row: Record<string, unknown>): Part {
  return {
    ...(row as Part),
    names: JSON.parse(String(row['names'])) as string[],
    tags: JSON.parse(String(row['tags'])) as string[],
    original: row['original'] === 1,
  };
}

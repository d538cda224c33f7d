import { hash } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { OfferRow } from '../offers/process/rules.ts';
import { partKey } from '../reference/keys.ts';
import { COLUMNS, FACT } from './match.ts';
import { INDEX_KEYS, INDEX_TABLES, INDEX_VERSION } from './index-tables.ts';
import { referenceWords, type ReferenceWords } from './reference-words.ts';
import { indexNames, indexText } from './words.ts';

type Source = {
  rows: AsyncIterable<OfferRow[]>;
  /** File of the reference database, and which version of it that is. */
  reference: string;
  fingerprint: string;
};

/** Makes the index of one dataset at `path`; a build that breaks off leaves nothing there. */
export async function buildIndex(path: string, source: Source): Promise<void> {
  const unfinished = `${path}.part`;
  rmSync(unfinished, { force: true });
  const db = new DatabaseSync(unfinished);
  try {
    // Nothing here is lost with the file: it is made again from the upload.
    db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY');
    db.prepare('ATTACH ? AS reference').run(source.reference);
    db.exec(`BEGIN; ${INDEX_TABLES}`);
    await takeRows(db, source.rows);
    orderParts(db);
    fillTags(db);
    fillWords(db);
    db.prepare('INSERT INTO origin VALUES (?, ?)').run(INDEX_VERSION, source.fingerprint);
    // Only what is made here: others read the reference meanwhile.
    db.exec("DROP TABLE rows; INSERT INTO words (words) VALUES ('optimize'); COMMIT; ANALYZE main");
  } finally {
    db.close();
  }
  renameSync(unfinished, path);
}

/** Rows of the same brand and number are one part with the names and tags of all of them. */
async function takeRows(db: DatabaseSync, rows: Source['rows']): Promise<void> {
  const insert = db.prepare(
    `INSERT INTO rows (brand, oem, brand_key, oem_key, names, tags) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (oem_key, brand_key) DO NOTHING RETURNING seq`,
  );
  const find = db.prepare('SELECT seq, names, tags FROM rows WHERE brand_key = ? AND oem_key = ?');
  const extend = db.prepare('UPDATE rows SET names = ?, tags = ? WHERE seq = ?');
  const take = ({ brand, oem, name, tags }: OfferRow) => {
    const key = [keyOf(brand ?? ''), keyOf(oem ?? '')] as const;
    const names = name === null || name === '' ? [] : [name];
    const own = [...new Set(tags)];
    const added = insert.get(brand ?? '', oem ?? '', ...key, JSON.stringify(names), JSON.stringify(own));
    if (added !== undefined) return;
    const same = find.get(...key)!;
    extend.run(united(same['names'], names), united(same['tags'], own), same['seq']!);
  };
  for await (const batch of rows) for (const row of batch) take(row);
}

/** A number without letters and digits is compared as it is written. */
function keyOf(text: string): string {
  return partKey(text) || text;
}

function united(stored: unknown, more: string[]): string {
  return JSON.stringify([...new Set([...(JSON.parse(String(stored)) as string[]), ...more])]);
}

const LEAST_DEMAND = 4;

/** Parts that are asked for most come first; one that the reference does not know is asked for least. */
function orderParts(db: DatabaseSync): void {
  db.function('own_detail_id', { deterministic: true }, (brand, oem) => ownDetailId(String(brand), String(oem)));
  db.exec(`
    INSERT INTO parts
      SELECT NULL, coalesce(p.id, own_detail_id(o.brand_key, o.oem_key)), p.id, o.brand, o.oem, o.brand_key, o.oem_key,
        o.names, o.tags, coalesce(p.original, o.brand_key IN (SELECT brand_key FROM reference.parts WHERE original = 1)),
        coalesce(p.sale_category, ${LEAST_DEMAND})
      FROM rows o LEFT JOIN reference.parts p ON p.brand_key = o.brand_key AND p.oem_key = o.oem_key
      ORDER BY coalesce(p.sale_category, ${LEAST_DEMAND}), o.seq;
    ${INDEX_KEYS}`);
}

const FIRST_OWN_ID = 1_000_000_000;

/** The id of a part that the reference does not know: the same one in every upload. */
function ownDetailId(brand: string, oem: string): number {
  return FIRST_OWN_ID + hash('sha1', `${brand}\n${oem}`, 'buffer').readUIntBE(0, 6);
}

function fillTags(db: DatabaseSync): void {
  db.exec(`
    INSERT INTO tags (tag) SELECT DISTINCT t.value FROM parts p, json_each(p.tags) t ORDER BY 1;
    INSERT INTO part_tags SELECT p.id, tags.id FROM parts p, json_each(p.tags) t JOIN tags ON tags.tag = t.value;`);
}

function fillWords(db: DatabaseSync): void {
  const columns = Object.keys(COLUMNS);
  const insert = db.prepare(
    `INSERT INTO words (rowid, ${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length)})`,
  );
  const wordsOf = referenceWords(db);
  const tagsOf = db.prepare('SELECT tag FROM part_tags WHERE part = ?');
  for (const part of db.prepare('SELECT * FROM parts').iterate()) {
    const reference = part['reference_id'] === null ? null : wordsOf(Number(part['reference_id']));
    const tags = part['tags'] === '[]' ? [] : tagsOf.all(part['id']!).map(({ tag }) => FACT.tag(Number(tag)));
    const cells: Record<keyof typeof COLUMNS, string> = {
      brand: String(part['brand_key']),
      number: String(part['oem_key']),
      brand_words: indexText(String(part['brand'])),
      number_words: String(part['oem']),
      offer: indexNames(JSON.parse(String(part['names'])) as string[]),
      ...(reference?.columns ?? NOTHING),
      facts: [FACT.every, FACT.original(part['original'] === 1), ...tags, ...(reference?.facts ?? [])].join(' '),
    };
    insert.run(part['id']!, ...columns.map((column) => cells[column as keyof typeof COLUMNS]));
  }
}

const NOTHING: ReferenceWords['columns'] = {
  detail: '',
  cross_names: '',
  cross_brands: '',
  cross_numbers: '',
  crosses: '',
};

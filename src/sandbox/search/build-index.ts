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
    const tags = await takeRows(db, source.rows);
    uniteRows(db);
    orderParts(db);
    fillWords(db, fillTags(db, tags));
    db.prepare('INSERT INTO origin VALUES (?, ?)').run(INDEX_VERSION, source.fingerprint);
    // Only what is made here: others read the reference meanwhile.
    db.exec("DROP TABLE rows; INSERT INTO words (words) VALUES ('optimize'); COMMIT; ANALYZE main");
  } finally {
    db.close();
  }
  renameSync(unfinished, path);
}

/** Keeps the rows as they come, and answers with their tags. */
async function takeRows(db: DatabaseSync, rows: Source['rows']): Promise<Set<string>> {
  const insert = db.prepare(
    'INSERT INTO rows (brand, oem, brand_key, oem_key, own_id, names, tags) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const known = new Set<string>();
  for await (const batch of rows) {
    for (const { brand, oem, name, tags } of batch) {
      const [brandKey, oemKey] = [keyOf(brand ?? ''), keyOf(oem ?? '')];
      const names = name === null || name === '' ? [] : [name];
      const own = [...new Set(tags)];
      insert.run(brand ?? '', oem ?? '', brandKey, oemKey, ownDetailId(brandKey, oemKey), json(names), json(own));
      // As it was cut out of a line, a tag would keep the whole piece of text.
      for (const tag of own) if (!known.has(tag)) known.add(Buffer.from(tag).toString());
    }
  }
  return known;
}

function json(texts: string[]): string {
  return texts.length === 0 ? '[]' : JSON.stringify(texts);
}

/**
 * Rows of the same brand and number are one part, spelled as the first of them, with the names and tags of all. To sort all rows once is
 * faster than to look for each one's like as it comes.
 */
function uniteRows(db: DatabaseSync): void {
  db.exec(`
    CREATE INDEX rows_by_part ON rows (oem_key, brand_key);
    CREATE TEMP TABLE repeated AS
      SELECT first, seq, names, tags FROM rows JOIN (
        SELECT oem_key, brand_key, min(seq) AS first FROM rows GROUP BY oem_key, brand_key HAVING count(*) > 1
      ) USING (oem_key, brand_key)
      ORDER BY first, seq`);
  const extend = db.prepare('UPDATE rows SET names = ?, tags = ? WHERE seq = ?');
  const remove = db.prepare('DELETE FROM rows WHERE seq = ?');
  let part = { first: 0, names: new Set<string>(), tags: new Set<string>() };
  const finish = () => {
    if (part.first > 0) extend.run(json([...part.names]), json([...part.tags]), part.first);
  };
  for (const { first, seq, names, tags } of db.prepare('SELECT * FROM repeated ORDER BY rowid').iterate()) {
    if (first === seq) {
      finish();
      part = { first: Number(first), names: new Set(), tags: new Set() };
    } else remove.run(seq!);
    for (const name of textsOf(names)) part.names.add(name);
    for (const tag of textsOf(tags)) part.tags.add(tag);
  }
  finish();
}

function textsOf(stored: unknown): string[] {
  return stored === '[]' ? [] : (JSON.parse(String(stored)) as string[]);
}

/** A number without letters and digits is compared as it is written. */
function keyOf(text: string): string {
  return partKey(text) || text;
}

const LEAST_DEMAND = 4;

/** Parts that are asked for most come first; one that the reference does not know is asked for least. */
function orderParts(db: DatabaseSync): void {
  const part = `NULL, coalesce(k.part, o.own_id), k.part, o.brand, o.oem, o.brand_key, o.oem_key, o.names, o.tags,
    coalesce(k.original, o.brand_key IN (SELECT brand_key FROM reference.parts WHERE original = 1)),
    coalesce(k.sale_category, ${LEAST_DEMAND})`;
  db.exec(`
    CREATE TEMP TABLE known (seq INTEGER PRIMARY KEY, part INTEGER, original INTEGER, sale_category INTEGER);
    INSERT INTO known
      SELECT o.seq, p.id, p.original, p.sale_category
      FROM reference.parts p CROSS JOIN rows o ON o.oem_key = p.oem_key AND o.brand_key = p.brand_key;
    INSERT INTO parts
      SELECT ${part} FROM known k JOIN rows o USING (seq) WHERE k.sale_category < ${LEAST_DEMAND}
      ORDER BY k.sale_category, seq;
    INSERT INTO parts
      SELECT ${part} FROM rows o LEFT JOIN known k USING (seq)
      WHERE coalesce(k.sale_category, ${LEAST_DEMAND}) = ${LEAST_DEMAND} ORDER BY o.seq;
    ${INDEX_KEYS}`);
}

const FIRST_OWN_ID = 1_000_000_000;

/** The id of a part that the reference does not know: the same one in every upload. */
function ownDetailId(brand: string, oem: string): number {
  return FIRST_OWN_ID + hash('sha1', `${brand}\n${oem}`, 'buffer').readUIntBE(0, 6);
}

/** Numbers the tags in their order, and answers with the numbers. */
function fillTags(db: DatabaseSync, tags: ReadonlySet<string>): Map<string, number> {
  db.exec('CREATE TEMP TABLE listed (tag TEXT NOT NULL)');
  const list = db.prepare('INSERT INTO listed VALUES (?)');
  for (const tag of tags) list.run(tag);
  db.exec('INSERT INTO tags (tag) SELECT tag FROM listed ORDER BY tag');
  return new Map(
    db
      .prepare('SELECT id, tag FROM tags')
      .all()
      .map(({ id, tag }) => [String(tag), Number(id)]),
  );
}

/** Fills the full-text index, and notes which part has which tags. */
function fillWords(db: DatabaseSync, tagIds: ReadonlyMap<string, number>): void {
  const columns = Object.keys(COLUMNS);
  const insert = db.prepare(
    `INSERT INTO words (rowid, ${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length)})`,
  );
  const addTag = db.prepare('INSERT INTO part_tags VALUES (?, ?)');
  const wordsOf = referenceWords(db);
  const parts = db.prepare(
    'SELECT id, reference_id, brand, oem, brand_key, oem_key, names, tags, original FROM parts ORDER BY id',
  );
  for (const part of parts.iterate()) {
    const id = Number(part['id']);
    const reference = part['reference_id'] === null ? null : wordsOf(Number(part['reference_id']));
    const tags = textsOf(part['tags']).map((tag) => tagIds.get(tag)!);
    tags.sort((a, b) => a - b);
    for (const tag of tags) addTag.run(id, tag);
    const facts = [
      FACT.every,
      FACT.original(part['original'] === 1),
      ...tags.map(FACT.tag),
      ...(reference?.facts ?? []),
    ];
    const cells: Record<keyof typeof COLUMNS, string> = {
      brand: String(part['brand_key']),
      number: String(part['oem_key']),
      brand_words: indexText(String(part['brand'])),
      number_words: String(part['oem']),
      offer: indexNames(textsOf(part['names'])),
      ...(reference?.columns ?? NOTHING),
      facts: facts.join(' '),
    };
    insert.run(id, ...columns.map((column) => cells[column as keyof typeof COLUMNS]));
  }
}

const NOTHING: ReferenceWords['columns'] = {
  detail: '',
  cross_names: '',
  cross_brands: '',
  cross_numbers: '',
  crosses: '',
};

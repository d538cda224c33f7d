import { COLUMNS } from './match.ts';

/** Goes up when an index of an earlier build cannot be used any more. */
export const INDEX_VERSION = 2;

/** What one dataset is indexed in. Ids of parts are in the order in which equally good matches are shown. */
export const INDEX_TABLES = `
  CREATE TABLE origin (version INTEGER NOT NULL, reference TEXT NOT NULL);
  CREATE TABLE rows (
    seq INTEGER PRIMARY KEY, brand TEXT NOT NULL, oem TEXT NOT NULL, brand_key TEXT NOT NULL, oem_key TEXT NOT NULL,
    own_id INTEGER NOT NULL, names TEXT NOT NULL, tags TEXT NOT NULL
  );
  CREATE TABLE parts (
    id INTEGER PRIMARY KEY, detail_id INTEGER NOT NULL, reference_id INTEGER, brand TEXT NOT NULL, oem TEXT NOT NULL,
    brand_key TEXT NOT NULL, oem_key TEXT NOT NULL, names TEXT NOT NULL, tags TEXT NOT NULL, original INTEGER NOT NULL,
    sale_category INTEGER NOT NULL
  );
  CREATE TABLE tags (id INTEGER PRIMARY KEY, tag TEXT NOT NULL UNIQUE);
  CREATE TABLE part_tags (
    part INTEGER NOT NULL REFERENCES parts (id), tag INTEGER NOT NULL REFERENCES tags (id), PRIMARY KEY (part, tag)
  ) WITHOUT ROWID;
  CREATE VIRTUAL TABLE words USING fts5 (
    ${Object.keys(COLUMNS).join(', ')}, content = '', tokenize = 'unicode61 remove_diacritics 2'
  );
`;

/** Made when all parts are there. */
export const INDEX_KEYS = `
  CREATE INDEX parts_by_number ON parts (oem_key);
  CREATE INDEX parts_by_brand ON parts (brand_key);
  CREATE INDEX parts_by_reference ON parts (reference_id) WHERE reference_id IS NOT NULL;
`;

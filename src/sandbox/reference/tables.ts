/**
 * The tables of the reference database; README.md beside this file says what they mean. Each table of the first group is
 * filled from the file of its name in data/; those of the second are worked out from them.
 */
export const FILLED_TABLES = `
  CREATE TABLE catalogs (
    code TEXT PRIMARY KEY, brand TEXT NOT NULL, name_en TEXT NOT NULL, name_de TEXT NOT NULL, name_ru TEXT NOT NULL,
    icon TEXT NOT NULL, region TEXT NOT NULL, vin_example TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE catalog_features (
    catalog TEXT NOT NULL REFERENCES catalogs (code), position INTEGER NOT NULL, name TEXT NOT NULL, example TEXT,
    PRIMARY KEY (catalog, position)
  ) WITHOUT ROWID;
  CREATE TABLE catalog_operations (
    catalog TEXT NOT NULL REFERENCES catalogs (code), position INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
    description_en TEXT NOT NULL, description_de TEXT NOT NULL, description_ru TEXT NOT NULL,
    PRIMARY KEY (catalog, name)
  ) WITHOUT ROWID;
  CREATE TABLE operation_fields (
    catalog TEXT NOT NULL, operation TEXT NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, pattern TEXT NOT NULL,
    description_en TEXT NOT NULL, description_de TEXT NOT NULL, description_ru TEXT NOT NULL, example TEXT,
    fact TEXT NOT NULL,
    PRIMARY KEY (catalog, operation, position),
    FOREIGN KEY (catalog, operation) REFERENCES catalog_operations (catalog, name)
  ) WITHOUT ROWID;
  CREATE TABLE attribute_names (
    key TEXT PRIMARY KEY, name_en TEXT NOT NULL, name_de TEXT NOT NULL, name_ru TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE vehicles (
    id INTEGER PRIMARY KEY, catalog TEXT NOT NULL REFERENCES catalogs (code), vehicle_id TEXT NOT NULL,
    brand TEXT NOT NULL, name_en TEXT NOT NULL, name_de TEXT NOT NULL, name_ru TEXT NOT NULL, ident TEXT NOT NULL,
    ident_key TEXT NOT NULL, ident_kind TEXT NOT NULL CHECK (ident_kind IN ('vin', 'frame')),
    filter_level TEXT NOT NULL CHECK (filter_level IN ('full', 'basic')),
    UNIQUE (catalog, vehicle_id)
  );
  CREATE INDEX vehicles_by_ident ON vehicles (ident_key);
  CREATE TABLE plates (
    country_code TEXT NOT NULL, plate_key TEXT NOT NULL, plate TEXT NOT NULL, vehicle INTEGER NOT NULL REFERENCES vehicles (id),
    PRIMARY KEY (country_code, plate_key, vehicle)
  ) WITHOUT ROWID;
  CREATE TABLE vehicle_attributes (
    vehicle INTEGER NOT NULL REFERENCES vehicles (id), position INTEGER NOT NULL,
    key TEXT NOT NULL REFERENCES attribute_names (key),
    value_en TEXT NOT NULL, value_de TEXT NOT NULL, value_ru TEXT NOT NULL,
    PRIMARY KEY (vehicle, position)
  ) WITHOUT ROWID;
  CREATE TABLE vehicle_facts (
    vehicle INTEGER NOT NULL REFERENCES vehicles (id), fact TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (fact, value, vehicle)
  ) WITHOUT ROWID;
  CREATE TABLE categories (
    catalog TEXT NOT NULL REFERENCES catalogs (code), category_id TEXT NOT NULL, position INTEGER NOT NULL, code TEXT NOT NULL,
    parent_category_id TEXT, name_en TEXT NOT NULL, name_de TEXT NOT NULL, name_ru TEXT NOT NULL,
    PRIMARY KEY (catalog, category_id),
    FOREIGN KEY (catalog, parent_category_id) REFERENCES categories (catalog, category_id)
  ) WITHOUT ROWID;
  CREATE TABLE units (
    id INTEGER PRIMARY KEY, catalog TEXT NOT NULL, unit_id TEXT NOT NULL, category_id TEXT NOT NULL, position INTEGER NOT NULL,
    code TEXT NOT NULL, name_en TEXT NOT NULL, name_de TEXT NOT NULL, name_ru TEXT NOT NULL, image TEXT NOT NULL, filter TEXT,
    filter_note_en TEXT, filter_note_de TEXT, filter_note_ru TEXT,
    UNIQUE (catalog, unit_id),
    FOREIGN KEY (catalog, category_id) REFERENCES categories (catalog, category_id)
  );
  CREATE TABLE unit_vehicles (
    unit INTEGER NOT NULL REFERENCES units (id), vehicle INTEGER NOT NULL REFERENCES vehicles (id),
    PRIMARY KEY (vehicle, unit)
  ) WITHOUT ROWID;
  CREATE TABLE unit_attributes (
    unit INTEGER NOT NULL REFERENCES units (id), position INTEGER NOT NULL, key TEXT NOT NULL REFERENCES attribute_names (key),
    value_en TEXT NOT NULL, value_de TEXT NOT NULL, value_ru TEXT NOT NULL,
    PRIMARY KEY (unit, position)
  ) WITHOUT ROWID;
  CREATE TABLE parts (
    id INTEGER PRIMARY KEY, oem TEXT NOT NULL, oem_key TEXT NOT NULL, brand TEXT NOT NULL, brand_key TEXT NOT NULL,
    original INTEGER NOT NULL CHECK (original IN (0, 1)), kind TEXT NOT NULL,
    names_en TEXT NOT NULL, names_de TEXT NOT NULL, names_ru TEXT NOT NULL,
    sale_category INTEGER NOT NULL CHECK (sale_category BETWEEN 1 AND 4), tags TEXT NOT NULL,
    UNIQUE (brand_key, oem_key)
  );
  CREATE INDEX parts_by_number ON parts (oem_key);
  CREATE TABLE details (
    id INTEGER PRIMARY KEY, unit INTEGER NOT NULL REFERENCES units (id), position INTEGER NOT NULL,
    part INTEGER NOT NULL REFERENCES parts (id), code_on_image TEXT NOT NULL, filter TEXT
  );
  CREATE INDEX details_of_unit ON details (unit, position);
  CREATE INDEX details_of_part ON details (part);
  CREATE TABLE detail_vehicles (
    detail INTEGER NOT NULL REFERENCES details (id), vehicle INTEGER NOT NULL REFERENCES vehicles (id),
    PRIMARY KEY (vehicle, detail)
  ) WITHOUT ROWID;
  CREATE TABLE detail_attributes (
    detail INTEGER NOT NULL REFERENCES details (id), position INTEGER NOT NULL,
    key TEXT NOT NULL REFERENCES attribute_names (key),
    value_en TEXT NOT NULL, value_de TEXT NOT NULL, value_ru TEXT NOT NULL,
    PRIMARY KEY (detail, position)
  ) WITHOUT ROWID;
  CREATE TABLE links (
    id INTEGER PRIMARY KEY, unit INTEGER NOT NULL REFERENCES units (id), detail INTEGER REFERENCES details (id),
    position INTEGER NOT NULL, category_id TEXT NOT NULL, command TEXT NOT NULL, type TEXT NOT NULL,
    label_en TEXT NOT NULL, label_de TEXT NOT NULL, label_ru TEXT NOT NULL
  );
  CREATE INDEX links_of_unit ON links (unit, detail, position);
  CREATE TABLE quick_groups (
    catalog TEXT NOT NULL REFERENCES catalogs (code), id INTEGER NOT NULL, position INTEGER NOT NULL, parent INTEGER,
    link INTEGER NOT NULL CHECK (link IN (0, 1)), name_en TEXT NOT NULL, name_de TEXT NOT NULL, name_ru TEXT NOT NULL,
    synonyms_en TEXT NOT NULL, synonyms_de TEXT NOT NULL, synonyms_ru TEXT NOT NULL,
    PRIMARY KEY (catalog, id),
    FOREIGN KEY (catalog, parent) REFERENCES quick_groups (catalog, id)
  ) WITHOUT ROWID;
  CREATE TABLE quick_group_kinds (
    catalog TEXT NOT NULL, quick_group INTEGER NOT NULL, kind TEXT NOT NULL,
    PRIMARY KEY (catalog, quick_group, kind),
    FOREIGN KEY (catalog, quick_group) REFERENCES quick_groups (catalog, id)
  ) WITHOUT ROWID;
  CREATE TABLE part_crosses (
    part INTEGER NOT NULL REFERENCES parts (id), crossed INTEGER NOT NULL REFERENCES parts (id),
    PRIMARY KEY (part, crossed)
  ) WITHOUT ROWID;
  CREATE INDEX crosses_reversed ON part_crosses (crossed);
  CREATE TABLE part_replacements (
    part INTEGER NOT NULL REFERENCES parts (id), replaces INTEGER NOT NULL REFERENCES parts (id), type TEXT NOT NULL,
    PRIMARY KEY (part, replaces)
  ) WITHOUT ROWID;
  CREATE INDEX replacements_reversed ON part_replacements (replaces);
`;

/** Which parts fit a vehicle, and through what: built in, a cross of what is built in, or in replacement of it. */
export const DERIVED_TABLES = `
  CREATE TABLE applicable_parts (
    vehicle INTEGER NOT NULL REFERENCES vehicles (id), part INTEGER NOT NULL REFERENCES parts (id),
    through TEXT NOT NULL CHECK (through IN ('unit', 'cross', 'replacement')),
    PRIMARY KEY (vehicle, part)
  ) WITHOUT ROWID;
  INSERT OR IGNORE INTO applicable_parts
    SELECT DISTINCT dv.vehicle, d.part, 'unit' FROM detail_vehicles dv JOIN details d ON d.id = dv.detail;
  INSERT OR IGNORE INTO applicable_parts
    SELECT a.vehicle, r.replaces, 'replacement' FROM applicable_parts a JOIN part_replacements r ON r.part = a.part
    WHERE a.through = 'unit'
    UNION SELECT a.vehicle, r.part, 'replacement' FROM applicable_parts a JOIN part_replacements r ON r.replaces = a.part
    WHERE a.through = 'unit';
  INSERT OR IGNORE INTO applicable_parts
    SELECT a.vehicle, c.crossed, 'cross' FROM applicable_parts a JOIN part_crosses c ON c.part = a.part
    WHERE a.through = 'unit'
    UNION SELECT a.vehicle, c.part, 'cross' FROM applicable_parts a JOIN part_crosses c ON c.crossed = a.part
    WHERE a.through = 'unit';
  CREATE INDEX vehicles_of_part ON applicable_parts (part);
`;

/** The columns of a table that is filled from a file, in its order. */
export function columnsOf(table: string): string[] {
  const body = new RegExp(`CREATE TABLE ${table} \\(([^]*?)\\n  \\)`).exec(FILLED_TABLES)?.[1];
  if (body === undefined) throw new Error(`There is no table ${table}.`);
  return [...body.matchAll(/(?:^|,)\s*([a-z_]+) (?:TEXT|INTEGER)/g)].map(([, column]) => column!);
}

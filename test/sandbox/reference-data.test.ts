import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { referenceFiles, samplePortfolio } from '../../scripts/generate/reference.ts';
import { identKey, partKey, plateKey } from '../../src/sandbox/reference/keys.ts';
import { createReference } from '../../src/sandbox/reference/open.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { atEnd } from '../support/at-end.ts';
import { startWorld } from './world.ts';

const DATA = new URL('../../src/sandbox/reference/data/', import.meta.url);

function openForTest(folder = tempFolder()) {
  const reference = createReference(folder);
  atEnd(async () => reference.close());
  const all = (sql: string) => reference.db().prepare(sql).all() as Record<string, string | number | null>[];
  return { ...reference, all, one: (sql: string) => Object.values(all(sql)[0] ?? {})[0] };
}

test('the files are what the script writes, byte for byte', () => {
  const written = referenceFiles();
  const files = readdirSync(DATA, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.csv'));
  expect(files.toSorted()).toEqual([...written.keys()].toSorted());
  for (const [place, text] of written) expect(readFileSync(new URL(place, DATA), 'utf8')).toBe(text);
});

test('the sample portfolio is what the script writes, and every row of it is accepted and found', async () => {
  const file = readFileSync(new URL('../../examples/portfolio.txt', import.meta.url));
  expect(file.toString()).toBe(samplePortfolio());
  const world = await startWorld();
  expect(await world.uploaded(file)).toMatchObject({ linesProcessed: 667, errorFileExists: false });
  const { json } = await world.call('/us2/public/search/search?query=&size=1000');
  const found = json['data'] as { detailNames: string[] }[];
  expect(found).toHaveLength(667);
  expect(found.filter(({ detailNames }) => detailNames.length === 0)).toEqual([]);
});

test('there are 4 catalogs, 20 vehicles, 60 units and 2,000 parts, and nothing refers to what is not there', () => {
  const { one, all } = openForTest();
  const counts = ['catalogs', 'vehicles', 'units', 'parts'].map((table) => one(`SELECT count(*) FROM ${table}`));
  expect(counts).toEqual([4, 20, 60, 2000]);
  expect(all('PRAGMA foreign_key_check')).toEqual([]);
});

test('the keys of numbers, brands, plates and vehicles are those that are compared', () => {
  const { all } = openForTest();
  for (const part of all('SELECT oem, oem_key, brand, brand_key FROM parts')) {
    expect([part['oem_key'], part['brand_key']]).toEqual([
      partKey(String(part['oem'])),
      partKey(String(part['brand'])),
    ]);
  }
  for (const { ident, ident_key: key } of all('SELECT * FROM vehicles')) expect(key).toBe(identKey(String(ident)));
  for (const { plate, plate_key: key } of all('SELECT * FROM plates')) expect(key).toBe(plateKey(String(plate)));
});

test('a plate typed with Latin letters has the same key', () => {
  expect(plateKey('a 123 BC 77')).toBe(plateKey('А123ВС77'));
});

/** The check digit of ISO 3779 as North America uses it, worked out here on its own. */
function checkDigit(vin: string): string {
  const values = new Map('ABCDEFGH-JKLMN-P-R--STUVWXYZ'.split('').map((letter, at) => [letter, (at % 9) + 1]));
  for (const [at, letter] of 'STUVWXYZ'.split('').entries()) values.set(letter, at + 2);
  const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
  const sum = weights.reduce((total, weight, at) => total + weight * (values.get(vin[at]!) ?? Number(vin[at])), 0);
  return sum % 11 === 10 ? 'X' : String(sum % 11);
}

test('North American VINs have their check digit, Japanese vehicles a Frame number', () => {
  expect(checkDigit('1M8GDM9AXKP042788')).toBe('X');
  const { all } = openForTest();
  const vehicles = all('SELECT v.ident, v.ident_kind, c.region FROM vehicles v JOIN catalogs c ON c.code = v.catalog');
  for (const { ident, ident_kind: kind, region } of vehicles) {
    expect(kind).toBe(region === 'Japan' ? 'frame' : 'vin');
    expect(ident).toMatch(kind === 'frame' ? /^[A-Z]{2}\d{2}-\d{7}$/ : /^[A-HJ-NPR-Z0-9]{17}$/);
  }
  const american = vehicles.filter(({ region }) => region === 'North America');
  expect(american).toHaveLength(5);
  for (const { ident } of american) expect(String(ident)[8]).toBe(checkDigit(String(ident)));
});

test('one VIN is that of several vehicles, in more than one catalog', () => {
  const { all } = openForTest();
  const shared = all(
    'SELECT ident, count(*) AS n, count(DISTINCT catalog) AS c FROM vehicles GROUP BY ident HAVING n > 1',
  );
  expect(shared).toEqual([{ ident: 'YX9ZZZF2CFN114439', n: 3, c: 2 }]);
});

test('every part has names in three languages, and numbers are the same part once', () => {
  const { one } = openForTest();
  expect(one("SELECT count(*) FROM parts WHERE '' IN (names_en, names_de, names_ru)")).toBe(0);
  expect(one('SELECT count(*) FROM (SELECT DISTINCT brand_key, oem_key FROM parts)')).toBe(2000);
});

test('some crosses are listed one way only, and there are replacements of several types', () => {
  const { one, all } = openForTest();
  const alone = one(
    'SELECT count(*) FROM part_crosses a WHERE NOT EXISTS (SELECT 1 FROM part_crosses b WHERE b.part = a.crossed AND b.crossed = a.part)',
  );
  expect(alone).toBeGreaterThan(100);
  const types = all('SELECT DISTINCT type FROM part_replacements ORDER BY type').map(({ type }) => type);
  expect(types).toEqual(['DUPLICATE', 'PARTIAL', 'SUPERSEDED']);
});

test('every vehicle has units with details, and parts that fit it in each way', () => {
  const { all } = openForTest();
  const counts = all(
    `SELECT v.id, (SELECT count(*) FROM unit_vehicles u WHERE u.vehicle = v.id) AS units,
       (SELECT count(*) FROM detail_vehicles d WHERE d.vehicle = v.id) AS details,
       (SELECT count(DISTINCT through) FROM applicable_parts a WHERE a.vehicle = v.id) AS ways FROM vehicles v`,
  );
  for (const { units, details, ways } of counts) {
    expect(units).toBeGreaterThan(12);
    expect(details).toBeGreaterThan(90);
    expect(ways).toBe(3);
  }
});

test('quick groups are trees at least three deep, and only groups with link have parts', () => {
  const { all, one } = openForTest();
  const depths = all(
    `WITH RECURSIVE tree (catalog, id, depth) AS (
       SELECT catalog, id, 1 FROM quick_groups WHERE parent IS NULL
       UNION ALL SELECT g.catalog, g.id, depth + 1 FROM tree t JOIN quick_groups g ON g.catalog = t.catalog AND g.parent = t.id
     ) SELECT catalog, max(depth) AS depth, count(*) AS n FROM tree GROUP BY catalog`,
  );
  expect(depths).toHaveLength(4);
  for (const { depth, n } of depths) expect([depth, n]).toEqual([4, 33]);
  expect(
    one(
      'SELECT count(*) FROM quick_group_kinds k JOIN quick_groups g ON g.catalog = k.catalog AND g.id = k.quick_group WHERE g.link = 0',
    ),
  ).toBe(0);
  expect(
    one(
      'SELECT count(*) FROM quick_groups g WHERE link = 1 AND NOT EXISTS (SELECT 1 FROM quick_group_kinds k WHERE k.catalog = g.catalog AND k.quick_group = g.id)',
    ),
  ).toBe(0);
});

test('the example of each field of an operation keeps its pattern, and finds a vehicle', () => {
  const { all } = openForTest();
  for (const { catalog, pattern, example, fact } of all('SELECT * FROM operation_fields')) {
    expect(String(example)).toMatch(new RegExp(String(pattern), 'u'));
    const found = all(
      `SELECT 1 FROM vehicle_facts f JOIN vehicles v ON v.id = f.vehicle
       WHERE v.catalog = '${catalog}' AND f.fact = '${fact}' AND f.value = '${partKey(String(example))}'`,
    );
    expect(found).not.toEqual([]);
  }
});

test('the database is made at the first use and kept; a damaged one or one of other data is made anew', () => {
  const folder = tempFolder();
  const path = join(folder, 'reference.sqlite');
  const first = createReference(folder);
  expect(existsSync(path)).toBe(false);
  first.db();
  first.close();
  const changed = new DatabaseSync(path);
  changed.exec("UPDATE parts SET brand = 'OTHER'");
  changed.close();
  const kept = createReference(folder);
  expect(kept.db().prepare("SELECT count(*) AS n FROM parts WHERE brand = 'OTHER'").get()).toEqual({ n: 2000 });
  kept.close();
  const older = new DatabaseSync(path);
  older.exec("UPDATE fingerprint SET value = 'older'");
  older.close();
  expect(openForTest(folder).one("SELECT count(*) FROM parts WHERE brand = 'OTHER'")).toBe(0);
  const damaged = tempFolder();
  writeFileSync(join(damaged, 'reference.sqlite'), 'no database at all');
  expect(openForTest(damaged).one('SELECT count(*) FROM parts')).toBe(2000);
});

import type { DatabaseSync } from 'node:sqlite';
import { FACT } from './match.ts';
import { indexNames, indexText } from './words.ts';

/** What the reference adds to the index of a part. */
export type ReferenceWords = {
  columns: Record<'detail' | 'cross_names' | 'cross_brands' | 'cross_numbers' | 'crosses', string>;
  facts: string[];
};

/** Gives what the attached reference knows of a part, in all its languages. */
export function referenceWords(db: DatabaseSync): (id: number) => ReferenceWords {
  const names = db.prepare('SELECT names_en, names_de, names_ru FROM reference.parts WHERE id = ?');
  const crosses = db.prepare(
    `SELECT p.id, p.names_en, p.names_de, p.names_ru FROM reference.part_crosses c JOIN reference.parts p ON p.id = c.crossed
     WHERE c.part = ?`,
  );
  const listing = db.prepare(
    `SELECT p.brand_key, p.oem_key FROM reference.part_crosses c JOIN reference.parts p ON p.id = c.part WHERE c.crossed = ?`,
  );
  const vehicles = db.prepare('SELECT vehicle FROM reference.applicable_parts WHERE part = ?');
  return (id) => {
    const own = crosses.all(id);
    const others = listing.all(id);
    return {
      columns: {
        detail: indexNames(names.all(id).flatMap(namesOf)),
        cross_names: indexNames(own.flatMap(namesOf)),
        cross_brands: distinct(others.map(({ brand_key: key }) => String(key))),
        cross_numbers: distinct(others.map(({ oem_key: key }) => String(key))),
        crosses: own.map((cross) => String(cross['id'])).join(' '),
      },
      facts: vehicles.all(id).map(({ vehicle }) => FACT.vehicle(Number(vehicle))),
    };
  };
}

function namesOf(row: Record<string, unknown>): string[] {
  return ['names_en', 'names_de', 'names_ru'].flatMap((column) => String(row[column]).split('|'));
}

function distinct(texts: string[]): string {
  return indexText([...new Set(texts)].join(' | '));
}

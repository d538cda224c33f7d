import { meaningsOf, type Meaning } from '../../columns/column-names.ts';
import { refusal } from '../../io/refusal.ts';
import { detached } from '../fit-row.ts';
import { LONGEST_NAME, MOST_NAMED, MOST_NAMES } from './events.ts';

/** A place inside records: the column of its own text, and the places below it. */
export type Field = {
  /** The name of its column: `@vendor`, `oem`, `producer/name`. */
  name: string;
  /** The number of its column; null until a record has a text here. */
  column: number | null;
  within: Map<string, Field>;
};

/** The columns of a list of records, numbered in the order in which they first have a text. */
export type Columns = {
  /** The record itself. */
  record: Field;
  names: string[];
  /** The place below another one; made when it is new. `isNamed`: its name is a value of the file. */
  below: (field: Field, name: string, isNamed?: boolean) => Field;
  /** The column of a place; made when it is new. Null for places whose names were too many. */
  columnOf: (field: Field) => number | null;
  /** Whether some names were left out: values of the file, of which there were too many. */
  hasLeftOut: () => boolean;
};

/** Places without any text are kept too, but not without limit. */
const MOST_PLACES = 10 * MOST_NAMES;

/** A key of JSON may be empty; a header has names. */
const UNNAMED = 'unnamed';

/** No columns yet; `file` is named when there are too many. */
export function newColumns(file: string, recordName: string): Columns {
  const record: Field = { name: detached(recordName), column: null, within: new Map() };
  const names: string[] = [];
  const leftOut: Field = { name: '', column: null, within: new Map() };
  let places = 0;
  let named = 0;
  let hasLeftOut = false;
  return {
    record,
    names,
    below: (field, written, isNamed = false) => {
      if (field === leftOut) return leftOut;
      const name = written.slice(0, LONGEST_NAME);
      const known = field.within.get(name);
      if (known !== undefined) return known;
      if (isNamed && named >= MOST_NAMED && !mayBeNeeded(name)) {
        hasLeftOut = true;
        return leftOut;
      }
      if (isNamed) named++;
      if (++places > MOST_PLACES) throw tooMany(file);
      const own = name.trim() === '' ? UNNAMED : detached(name);
      const made = { name: field === record ? own : `${field.name}/${own}`, column: null, within: new Map() };
      field.within.set(detached(name), made);
      return made;
    },
    columnOf: (field) => {
      if (field === leftOut) return null;
      if (field.column !== null) return field.column;
      if (names.length >= MOST_NAMES) throw tooMany(file);
      field.column = names.push(field.name) - 1;
      return field.column;
    },
    hasLeftOut: () => hasLeftOut,
  };
}

/** Whether a column of this name may be one of an offer: it is kept however many others there are. */
function mayBeNeeded(name: string): boolean {
  return meaningsOf(name).some(({ meaning, whole }) => whole && OFFERED.has(meaning));
}

const OFFERED = new Set<Meaning>(['brand', 'oem', 'internalCode']);

function tooMany(file: string): Error {
  const what = `The records of ${file} have more than ${MOST_NAMES.toLocaleString('en')} different fields.`;
  const advice =
    'Their names seem to be values. Name the element or array that holds one offer each in the setting `records`, or ask for a file in which the names are few.';
  return refusal('too-many-columns', `${what} ${advice}`);
}

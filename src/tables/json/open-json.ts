import { refusal } from '../../io/refusal.ts';
import { JSON_POINTER, type RecordEvents } from '../records/events.ts';
import { foundFile, recordFile, recordsBySetting, surveyRecords, type RecordSource } from '../records/record-file.ts';
import type { TableFile, TableInput } from '../table-file.ts';
import { jsonText } from './json-text.ts';
import { walkJson, type JsonText } from './parse-json.ts';

/**
 * Opens a JSON or NDJSON file with an array of objects: the one that `records` points to (`/data/items`, empty for the root and for
 * NDJSON), else the root if it is one, else the one that looks most like offers. Throws `file-rejected`.
 */
export async function openJson(input: TableInput): Promise<TableFile> {
  const text = await jsonText(input);
  const source = sourceOf(text);
  if (input.records !== null) {
    return recordFile(source, [{ name: null, records: await recordsBySetting(source, input.records) }]);
  }
  const found = await surveyRecords(source);
  if (found === null) throw await noRecords(text);
  const { records, others } = found;
  const isRoot = JSON_POINTER.format(records.path) === '';
  return isRoot && others.length === 0 ? recordFile(source, [{ name: null, records }]) : foundFile(source, found);
}

function sourceOf(text: JsonText): RecordSource {
  const walk = (events: RecordEvents) => walkJson(text, events);
  return { input: text.input, style: JSON_POINTER, holder: 'keys', walk };
}

/** Keys of the root that a message shows. */
const SHOWN_KEYS = 5;

/** The error for JSON of another shape, which it names. */
async function noRecords(text: JsonText): Promise<Error> {
  const keys = new Set<string>();
  let depth = 0;
  let isArray = false;
  const events: RecordEvents = {
    enter: (name, how) => {
      depth++;
      if (depth === 1 && how !== 'alone') isArray = true;
      if (depth === 2 && keys.size < SHOWN_KEYS) keys.add(name.slice(0, 50));
    },
    attribute: () => {},
    text: () => {},
    leave: () => {
      depth--;
    },
  };
  for await (const _piece of walkJson(text, events));
  const inside = keys.size === 0 ? '' : ` with the keys ${[...keys].map((key) => JSON.stringify(key)).join(', ')}`;
  const what = `${text.input.name} is ${isArray ? 'a JSON array' : 'JSON'}${inside} in which no array has objects with fields.`;
  const advice = 'Check whether it is an error message; ask for an array with an object for each offer.';
  return refusal('no-records', `${what} ${advice}`, { keys: [...keys] });
}

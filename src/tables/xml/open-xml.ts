import { refusal } from '../../io/refusal.ts';
import type { Encoding } from '../encoding.ts';
import { XML_PATH, type RecordEvents } from '../records/events.ts';
import {
  foundFile,
  recordFile,
  recordsAt,
  recordsBySetting,
  surveyRecords,
  type RecordSource,
} from '../records/record-file.ts';
import type { TableFile, TableInput } from '../table-file.ts';
import { COMMERCEML_LISTS, COMMERCEML_NAMES, commerceElements } from './commerceml.ts';
import { parseXml, type XmlEvents } from './parse-xml.ts';
import { plainElements } from './plain-elements.ts';
import { openSpreadsheet } from './spreadsheet/open-spreadsheet.ts';
import { xmlEncoding } from './xml-encoding.ts';
import { YML_NAMES, YML_OFFERS, ymlElements } from './yml.ts';

/** Vocabularies by the names of their outermost elements. */
const VOCABULARIES = new Map<string, (events: RecordEvents) => XmlEvents>([
  ['yml_catalog', ymlElements],
  ['КоммерческаяИнформация', commerceElements],
]);

/**
 * Opens an XML file: YML, CommerceML 2, SpreadsheetML 2003, or any other: the elements at the path `records` (`/prices/item`) are one
 * record each, else those that repeat and look most like offers. Throws `file-rejected`.
 */
export async function openXml(input: TableInput): Promise<TableFile> {
  const encoding = await xmlEncoding(input);
  const root = await rootOf(input, encoding);
  const source = sourceOf(input, encoding, root);
  if (input.records !== null) {
    return recordFile(source, [{ name: null, records: await recordsBySetting(source, input.records) }]);
  }
  if (root === 'Workbook') return openSpreadsheet(input, encoding);
  const lists = await knownLists(source, root);
  if (lists.length > 0) return recordFile(source, lists, root === 'yml_catalog' ? YML_NAMES : COMMERCEML_NAMES);
  const records = await surveyRecords(source);
  if (records === null) throw noRecords(input.name, root);
  return foundFile(source, records);
}

/** The lists of the vocabularies whose records are known, as far as the file has them. */
async function knownLists(source: RecordSource, root: string) {
  const lists = root === 'yml_catalog' ? [{ name: null, path: YML_OFFERS }] : [];
  const known = root === 'КоммерческаяИнформация' ? COMMERCEML_LISTS : lists;
  const read = [];
  for (const { name, path } of known) read.push({ name, records: await recordsAt(source, path) });
  const found = read.filter(({ records }) => records.names.length > 0);
  return found.length > 1 ? found : found.map(({ records }) => ({ name: null, records }));
}

function sourceOf(input: TableInput, encoding: Encoding, root: string): RecordSource {
  const elements = VOCABULARIES.get(root) ?? plainElements;
  const walk = (events: RecordEvents) => parseXml(input, encoding, elements(events));
  return { input, style: XML_PATH, holder: 'elements', walk };
}

/** The name of the outermost element; what holds no list at all is refused. */
async function rootOf(input: TableInput, encoding: Encoding): Promise<string> {
  let root: string | null = null;
  const events: XmlEvents = {
    open: (name) => {
      root ??= name;
    },
    text: () => {},
    close: () => {},
    done: () => root !== null,
  };
  for await (const _piece of parseXml(input, encoding, events)) if (root !== null) break;
  return root ?? '';
}

function noRecords(file: string, root: string): Error {
  const what = `${file} is XML (<${root}>) in which no element with fields repeats, so it is no list.`;
  const advice = 'Check whether it is an error message; else name the element of an offer in the setting `records`.';
  return refusal('no-records', `${what} ${advice}`, { root });
}

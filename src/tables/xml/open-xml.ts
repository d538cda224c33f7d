import { refusal } from '../../io/refusal.ts';
import type { Encoding } from '../encoding.ts';
import { XML_PATH, type RecordEvents, type RecordPath } from '../records/events.ts';
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
import { CENEO_LISTS, CENEO_NAMES, ceneoElements, isCeneo } from './ceneo.ts';
import { namedElements } from './named-elements.ts';
import { openSpreadsheet } from './spreadsheet/open-spreadsheet.ts';
import { xmlEncoding } from './xml-encoding.ts';
import { YML_NAMES, YML_OFFERS, ymlElements } from './yml.ts';

/** A vocabulary: its elements, where its lists are, and what it calls brand and number. */
type Vocabulary = {
  elements: (events: RecordEvents) => XmlEvents;
  lists: { name: string | null; path: RecordPath }[];
  names: Record<string, string>;
};

/** Vocabularies by the names of their outermost elements. */
const VOCABULARIES = new Map<string, Vocabulary>([
  ['yml_catalog', { elements: ymlElements, lists: [{ name: null, path: YML_OFFERS }], names: YML_NAMES }],
  ['КоммерческаяИнформация', { elements: commerceElements, lists: COMMERCEML_LISTS, names: COMMERCEML_NAMES }],
]);
const CENEO: Vocabulary = { elements: ceneoElements, lists: CENEO_LISTS, names: CENEO_NAMES };
/** Other documents have parameters with names, too. */
const PLAIN: Vocabulary = { elements: anyElements, lists: [], names: {} };

const PARAMETERS =
  /^(?:param|parameter|a|attr|attribute|prop|property|feature|characteristic|field|spec|specification|option)$/i;

/** A parameter with more attributes is a record of its own. */
const PAIR = new Set(['name', 'unit', 'value']);

/** Elements as they are, but that an attribute `name` names the columns of parameters, as in `<field name="brand">`. */
function anyElements(events: RecordEvents): XmlEvents {
  return namedElements(events, {
    isNamed: (element, _around, attributes) => PARAMETERS.test(element) && attributes.every(([key]) => PAIR.has(key)),
    isHolder: () => false,
    nameOf: (name, unit) => (unit === '' ? name : `${name}, ${unit}`),
  });
}

/**
 * Opens an XML file: YML, CommerceML 2, SpreadsheetML 2003, or any other: the elements at the path `records` (`/prices/item`) are one
 * record each, else those that repeat and look most like offers. Throws `file-rejected`.
 */
export async function openXml(input: TableInput): Promise<TableFile> {
  const encoding = await xmlEncoding(input);
  const [root, first] = await outermost(input, encoding);
  const vocabulary = isCeneo(root, first) ? CENEO : (VOCABULARIES.get(root) ?? PLAIN);
  const source = sourceOf(input, encoding, vocabulary);
  if (input.records !== null) {
    return recordFile(source, [{ name: null, records: await recordsBySetting(source, input.records) }]);
  }
  if (root === 'Workbook') return openSpreadsheet(input, encoding);
  const lists = await knownLists(source, vocabulary);
  if (lists.length > 0) return recordFile(source, lists, vocabulary.names);
  const found = await surveyRecords(source);
  if (found === null) throw noRecords(input.name, root);
  return foundFile(source, found);
}

/** The lists of the vocabularies whose records are known, as far as the file has them. */
async function knownLists(source: RecordSource, { lists }: Vocabulary) {
  const read = [];
  for (const { name, path } of lists) read.push({ name, records: await recordsAt(source, path) });
  const found = read.filter(({ records }) => records.names.length > 0);
  return found.length > 1 ? found : found.map(({ records }) => ({ name: null, records }));
}

function sourceOf(input: TableInput, encoding: Encoding, { elements }: Vocabulary): RecordSource {
  const walk = (events: RecordEvents) => parseXml(input, encoding, elements(events));
  return { input, style: XML_PATH, holder: 'elements', walk };
}

/** The names of the outermost element and of the first one in it; empty where there is none. */
async function outermost(input: TableInput, encoding: Encoding): Promise<[root: string, first: string]> {
  const names: string[] = [];
  const events: XmlEvents = {
    open: (name) => {
      names.push(name);
    },
    text: () => {},
    close: () => {},
    done: () => names.length > 1,
  };
  for await (const _piece of parseXml(input, encoding, events)) if (names.length > 1) break;
  return [names[0] ?? '', names[1] ?? ''];
}

function noRecords(file: string, root: string): Error {
  const what = `${file} is XML (<${root}>) in which no element with fields repeats, so it is no list.`;
  const advice = 'Check whether it is an error message; else name the element of an offer in the setting `records`.';
  return refusal('no-records', `${what} ${advice}`, { root });
}

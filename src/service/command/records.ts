import { dictionary } from '../../io/dictionary.ts';
import type { Element } from '../xml/parse-xml.ts';

/** Fields as the JSON form writes them; XML writes them in any case. */
const FIELDS = [
  'brand catalog categoryId code codeOnImage command description example filter icon imageUrl key kind label largeImageUrl link',
  'match name oem parentCategoryId pattern quickGroupId ssd synonyms type unitId value vehicleId children childrens',
]
  .join(' ')
  .split(' ');

const SPELLING = new Map(FIELDS.map((field) => [field.toLowerCase(), field]));

/** Elements that are records of a list, and the list's field in the JSON form. */
const LISTS = new Map(
  Object.entries({
    row: 'children',
    attribute: 'attributes',
    unit: 'units',
    detail: 'details',
    link: 'links',
    feature: 'features',
    operation: 'operations',
    field: 'fields',
  }),
);

/** Elements that only hold the records of a list, or of several. */
const HOLDERS = new Set([
  'children',
  'attributes',
  'units',
  'details',
  'links',
  'features',
  'operations',
  'fields',
  'extensions',
]);

/** What only the command form says of a link: the language of the call. */
const OF_THE_CALL = new Set(['locale', 'localized']);

/** The records of a reply: the elements below its root. */
export function recordsOf(root: Element): unknown[] {
  return root.children.map(recordOf);
}

/** An element as the JSON form would write it: attributes and texts as fields, records as lists. */
function recordOf(element: Element): Record<string, unknown> {
  const record = dictionary<unknown>();
  for (const [name, value] of Object.entries(element.attributes)) record[spelled(name)] = value;
  take(element.children, record);
  if (element.name.toLowerCase() === 'link') for (const name of Object.keys(record)) dropOfTheCall(record, name);
  if ('features' in record || Object.keys(record).some((name) => Object.hasOwn(FLAGS, name)))
    return withFeatures(record);
  return record;
}

function dropOfTheCall(record: Record<string, unknown>, name: string): void {
  if (OF_THE_CALL.has(name.toLowerCase())) delete record[name];
}

function take(children: Element[], record: Record<string, unknown>): void {
  for (const child of children) {
    const name = child.name.toLowerCase();
    const list = LISTS.get(name);
    const isText = child.children.length === 0 && Object.keys(child.attributes).length === 0;
    if (name === 'sysproperty') {
      const properties = (record['sysProperties'] ??= dictionary<string>()) as Record<string, string>;
      properties[child.attributes['key'] ?? ''] = child.text;
    } else if (HOLDERS.has(name) && !(isText && child.text !== '')) take(child.children, record);
    else if (isText && child.text !== '') record[spelled(child.name)] = child.text;
    else if (list === undefined) record[spelled(child.name)] = isText ? child.text : recordOf(child);
    else listOf(record, list).push(recordOf(child));
  }
}

/** The list of this name, which a plain text may have taken before. */
function listOf(record: Record<string, unknown>, name: string): unknown[] {
  const known = record[name];
  if (Array.isArray(known)) return known;
  const begun: unknown[] = [];
  record[name] = begun;
  return begun;
}

function spelled(name: string): string {
  return SPELLING.get(name.toLowerCase()) ?? name;
}

/** What the flags of a catalog are called among its features. */
const FLAGS: Record<string, string> = {
  supportvinsearch: 'vinsearch',
  supportparameteridentification2: 'wizardsearch2',
  supportquickgroups: 'quickgroups',
  supportdetailapplicability: 'detailapplicability',
};

type Feature = { name?: unknown; example?: unknown };

/** Flags of a catalog become features, which the JSON form has instead. */
function withFeatures(record: Record<string, unknown>): Record<string, unknown> {
  const { vinexample, ...rest } = record;
  const listed = (rest['features'] as Feature[] | undefined) ?? [];
  const flagged = Object.entries(FLAGS)
    .filter(([flag, name]) => isTrue(rest[flag]) && !listed.some((feature) => feature.name === name))
    .map(([, name]): Feature => ({ name }));
  for (const flag of Object.keys(FLAGS)) delete rest[flag];
  const features = [...listed, ...flagged].map((feature) =>
    feature.name === 'vinsearch' && vinexample !== undefined
      ? Object.assign({ example: vinexample }, feature)
      : feature,
  );
  return { ...rest, features };
}

function isTrue(value: unknown): boolean {
  return typeof value === 'string' && /^(true|t|1)$/i.test(value);
}

import { refusal } from '../../io/refusal.ts';
import type { Package } from '../package/package.ts';
import { readSmallPart } from '../package/small-part.ts';
import { XmlError } from '../package/xml/xml-error.ts';

/** A sheet of a workbook; `part` is null when the workbook does not say where it is. */
export type Sheet = { name: string; hidden: boolean; part: string | null };

/** What a workbook says of itself. `strings` and `styles` are parts that it may lack. */
export type Workbook = { sheets: Sheet[]; is1904: boolean; strings: string | null; styles: string | null };

type Relationship = { type: string; target: string };

const MOST_SHEETS = 10_000;
/** Of a part to others; sheets have one each. */
const MOST_RELATIONSHIPS = 100_000;
/** Sheets that hold no cells of a table. */
const NO_TABLE = new Set(['chartsheet', 'dialogsheet', 'xlmacrosheet', 'xlintlmacrosheet']);

/** Reads which sheets a workbook has, in their order, and where its parts are. Throws `file-rejected`. */
export async function readWorkbook(name: string, parts: Package): Promise<Workbook> {
  const main = await mainPart(name, parts);
  const relationships = await readRelationships(parts, main);
  const found = await readSheets(parts, main);
  const sheets: Sheet[] = [];
  const isAlone = relationships.size === 0 && found.sheets.length === 1;
  for (const { relationship, ...sheet } of found.sheets) {
    // Old modules of macros are listed as sheets without a part.
    if (relationship === '') continue;
    const target = relationships.get(relationship);
    if (target === undefined) sheets.push({ ...sheet, part: isAlone ? usualPart(parts, main) : null });
    else if (!NO_TABLE.has(target.type)) sheets.push({ ...sheet, part: target.target });
  }
  if (sheets.length === 0) {
    const message = `${name} is a workbook without a sheet of cells. Ask for the price list again.`;
    throw refusal('no-table', message, { file: name });
  }
  return {
    sheets,
    is1904: found.is1904,
    strings: partOf(parts, relationships, main, 'sharedStrings'),
    styles: partOf(parts, relationships, main, 'styles'),
  };
}

/** The part that holds the workbook: the archive's relationships name it, and writers that leave them out use one name. */
async function mainPart(name: string, parts: Package): Promise<string> {
  const relationships = parts.has('_rels/.rels') ? await readRelationships(parts, '') : new Map<string, Relationship>();
  const named = [...relationships.values()].find(({ type }) => type === 'officedocument')?.target;
  const main = named !== undefined && parts.has(named) ? named : 'xl/workbook.xml';
  if (/\.bin$/i.test(main) || (!parts.has(main) && parts.has('xl/workbook.bin'))) {
    const message = `${name} is a binary workbook (XLSB). Save it as an Excel workbook (.xlsx) or as CSV and send it again.`;
    throw refusal('binary-file', message, { file: name });
  }
  if (parts.has(main)) return main;
  const message = `${name} is no Excel workbook: it has no part ${main}. Ask for the price list as .xlsx or CSV.`;
  throw refusal('workbook-broken', message, { file: name });
}

type FoundSheet = Omit<Sheet, 'part'> & { relationship: string };

async function readSheets(parts: Package, main: string): Promise<{ sheets: FoundSheet[]; is1904: boolean }> {
  const sheets: FoundSheet[] = [];
  let is1904 = false;
  await readSmallPart(parts, main, (element, attributes, parent) => {
    // An extension has an element of the same name.
    if (element === 'workbookPr' && parent === 'workbook') is1904 = isTrue(attributes['date1904']);
    if (element !== 'sheet' || parent !== 'sheets' || sheets.length === MOST_SHEETS) return;
    sheets.push({
      name: attributes['name'] ?? `Sheet${sheets.length + 1}`,
      hidden: /hidden$/i.test(attributes['state'] ?? ''),
      relationship: attributes[':id'] ?? attributes['id'] ?? '',
    });
  });
  return { sheets, is1904 };
}

/** The relationships of a part by their ids; types are the last words of their names, in small letters. */
async function readRelationships(parts: Package, part: string): Promise<Map<string, Relationship>> {
  const slash = part.lastIndexOf('/') + 1;
  const folder = part.slice(0, slash);
  const file = `${folder}_rels/${part.slice(slash)}.rels`;
  const relationships = new Map<string, Relationship>();
  if (!parts.has(file)) return relationships;
  await readSmallPart(parts, file, (element, attributes) => {
    const { Id: id, Type: type = '', Target: target } = attributes;
    if (element !== 'Relationship' || id === undefined || target === undefined) return;
    if (attributes['TargetMode'] === 'External') return;
    if (relationships.size === MOST_RELATIONSHIPS) throw new XmlError('there are too many relationships');
    relationships.set(id, {
      type: type.slice(type.lastIndexOf('/') + 1).toLowerCase(),
      target: resolve(folder, target),
    });
  });
  return relationships;
}

/** A target is a path from the folder of the part that names it, or from the top when it begins with a slash. */
function resolve(folder: string, target: string): string {
  const path = decoded(target).replaceAll('\\', '/');
  const steps: string[] = [];
  for (const step of (path.startsWith('/') ? path : `${folder}${path}`).split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** The part of the only sheet, where nothing names it; null where there is none of the name that all writers give. */
function usualPart(parts: Package, main: string): string | null {
  const part = `${main.slice(0, main.lastIndexOf('/') + 1)}worksheets/sheet1.xml`;
  return parts.has(part) ? part : null;
}

/** A part by its relationship, or by the name that all writers give it. */
function partOf(
  parts: Package,
  relationships: Map<string, Relationship>,
  main: string,
  name: 'sharedStrings' | 'styles',
): string | null {
  const named = [...relationships.values()].find(({ type }) => type === name.toLowerCase())?.target;
  const usual = `${main.slice(0, main.lastIndexOf('/') + 1)}${name}.xml`;
  return [named, usual].find((part) => part !== undefined && parts.has(part)) ?? null;
}

function isTrue(value: string | undefined): boolean {
  return /^(?:1|true|on)$/i.test(value ?? '');
}

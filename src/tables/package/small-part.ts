import { SaxesParser } from 'saxes';
import type { Package } from './package.ts';
import { XmlError } from './xml/xml-error.ts';

/** An element's attributes; `:id` is one with any prefix before its name. */
export type Attributes = Partial<Record<string, string>>;

/** An element of a part by its name without a prefix, with the name of the element around it. */
export type OnElement = (name: string, attributes: Attributes, parent: string) => void;

/** Elements of a part that is no sheet and no table of strings; a million of them are of no workbook. */
const MOST_ELEMENTS = 2_000_000;

/** Reads a small part of a workbook, element by element. Throws `file-rejected`. */
export async function readSmallPart(parts: Package, part: string, onElement: OnElement): Promise<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const open: string[] = [];
  let count = 0;
  parser.on('error', (error) => {
    throw new XmlError(error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, ''));
  });
  parser.on('doctype', () => {
    throw new XmlError('it has a DTD', true);
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (++count > MOST_ELEMENTS) throw new XmlError('it has too many elements');
    const local = localName(name);
    onElement(local, localAttributes(attributes), open.at(-1) ?? '');
    open.push(local);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  try {
    for await (const text of parts.read(part)) parser.write(text);
    parser.close();
  } catch (error) {
    throw parts.explain(part, error);
  }
}

function localAttributes(attributes: Record<string, string>): Attributes {
  const local: Attributes = Object.create(null) as Attributes;
  for (const [name, value] of Object.entries(attributes)) {
    // "id" and "r:id" are two.
    if (!name.startsWith('xmlns')) local[name.includes(':') ? `:${localName(name)}` : name] = value;
  }
  return local;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

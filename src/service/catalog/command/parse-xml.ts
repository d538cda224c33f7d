import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** An element of a reply; `text` is its own, without that of its children. */
export type Element = { name: string; attributes: Record<string, string>; children: Element[]; text: string };

const MAX_DEPTH = 500;

const PARSER = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  // Nothing is expanded by the parser; what XML itself defines is decoded below, once, and never in CDATA.
  processEntities: false,
  cdataPropName: '#cdata',
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: MAX_DEPTH,
});

/** A node as the parser gives it: its name with its content, and `:@` with its attributes. */
type Node = { ':@'?: Record<string, string> } & Record<string, unknown>;

/** Reads XML; throws an Error that says in words why a text is refused: not well-formed, a document type, too deep. */
export function parseXml(text: string): Element {
  const plain = text.replace(/^\uFEFF/u, '');
  if (/<!DOCTYPE/iu.test(plain.replaceAll(/<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>/gu, ''))) {
    throw new Error('it declares a document type, which is never read');
  }
  const valid = XMLValidator.validate(plain);
  if (valid !== true) throw new Error(`${valid.err.msg} (line ${valid.err.line})`);
  const nodes = PARSER.parse(plain) as Node[];
  const root = nodes.map(elementOf).find((element) => element !== null);
  if (root === undefined) throw new Error('it has no element');
  return root;
}

function elementOf(node: Node): Element | null {
  const name = Object.keys(node).find((key) => key !== ':@' && !key.startsWith('#'));
  if (name === undefined) return null;
  const content = node[name] as Node[];
  const attributes = Object.entries(node[':@'] ?? {}).map(([key, value]) => [key, decode(value)]);
  return {
    name,
    attributes: Object.fromEntries(attributes) as Record<string, string>,
    children: content.map(elementOf).filter((element) => element !== null),
    text: content.map(textOf).join('').trim(),
  };
}

function textOf(node: Node): string {
  if (typeof node['#text'] === 'string') return decode(node['#text']);
  const cdata = node['#cdata'] as { '#text'?: string }[] | undefined;
  return cdata?.map((part) => part['#text'] ?? '').join('') ?? '';
}

const PREDEFINED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The five entities that XML defines, and characters by their number; anything else stays as it is written. */
function decode(text: string): string {
  return text.replaceAll(
    /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/giu,
    (written, name, decimal, hex) => {
      if (name !== undefined) return PREDEFINED[String(name)] ?? written;
      const point = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
      return isCharacter(point) ? String.fromCodePoint(point) : '\uFFFD';
    },
  );
}

/** Characters that XML allows. */
function isCharacter(point: number): boolean {
  const isControl = point < 0x20 && ![0x09, 0x0a, 0x0d].includes(point);
  const isSurrogate = point >= 0xd800 && point <= 0xdfff;
  return point <= 0x10ffff && !isControl && !isSurrogate;
}

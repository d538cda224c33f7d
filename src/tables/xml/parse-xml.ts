import { SaxesParser } from 'saxes';
import { refusal } from '../../io/refusal.ts';
import type { Encoding } from '../encoding.ts';
import { DEEPEST, localName } from '../records/events.ts';
import type { TableInput } from '../table-file.ts';
import { textPieces } from '../text-pieces.ts';

/** What is met in a document. Names come without the prefix of their namespace; declarations of namespaces are left out. */
export type XmlEvents = {
  open: (name: string, attributes: [name: string, value: string][]) => void;
  text: (text: string) => void;
  close: (name: string) => void;
  /** Asked after each piece: true ends the reading. */
  done?: () => boolean;
};

/** Characters between two tags: more of them is a quote or a bracket that is missing, not a cell. */
const MOST_BETWEEN = 1 << 24;
/** Attributes of an element. */
const MOST_ATTRIBUTES = 1_000;

/** The one declaration of a DTD that is read over: the documentation of YML demands it, and nothing is loaded. */
const YML_DOCTYPE = /^\s*yml_catalog\s+SYSTEM\s+["']shops\.dtd["']\s*$/;

/**
 * Parses a document in pieces and yields after each. Knows the five entities and character references only; nothing outside
 * the file is ever read. Throws `file-rejected` for a DTD, for other entities, and for XML that is broken, with line and column.
 */
export async function* parseXml(input: TableInput, encoding: Encoding, events: XmlEvents): AsyncGenerator<void, void> {
  const parser = new SaxesParser({ xmlns: false });
  const place = { line: 1, depth: 0, attributes: 0, written: 0, at: 0 };
  listen(parser, input.name, events, place);
  for await (const piece of textPieces(input, encoding)) {
    place.written += piece.length;
    parser.write(piece);
    if (place.written - place.at > MOST_BETWEEN) throw endless(input.name, place.line);
    yield;
    if (events.done?.() === true) return;
  }
  parser.close();
}

/** Where the last tag was, so that what never ends is noticed. */
type Place = { line: number; depth: number; attributes: number; written: number; at: number };

function listen(parser: SaxesParser, file: string, events: XmlEvents, place: Place): void {
  const moved = () => {
    place.line = parser.line;
    place.at = place.written;
  };
  parser.on('error', (error) => {
    throw broken(file, error.message, parser, place.line);
  });
  parser.on('doctype', (doctype) => {
    if (!YML_DOCTYPE.test(doctype)) throw dtd(file, parser.line);
  });
  parser.on('attribute', () => {
    if (++place.attributes > MOST_ATTRIBUTES) throw refusal('xml-broken', tooMany(file, parser.line));
  });
  parser.on('opentag', ({ name, attributes }) => {
    moved();
    if (++place.depth > DEEPEST) throw refusal('xml-broken', tooDeep(file, parser.line));
    place.attributes = 0;
    events.open(localName(name), named(attributes));
  });
  parser.on('closetag', ({ name }) => {
    moved();
    place.depth--;
    events.close(localName(name));
  });
  parser.on('text', events.text);
  parser.on('cdata', events.text);
  parser.on('comment', moved);
}

function named(attributes: Record<string, string>): [string, string][] {
  const entries: [string, string][] = [];
  for (const name in attributes) {
    if (/^xmlns(?::|$)|^xsi:/.test(name)) continue;
    entries.push([localName(name), attributes[name]!]);
  }
  return entries;
}

const SEND = 'Ask for a file that an XML program can open, and send it again.';

/** The sentences of the parser, without its own place and full stop. */
function broken(file: string, message: string, { line, column }: SaxesParser, lastTag: number): Error {
  const what = message.replace(/^(?:\d+:\d+: )/, '').replace(/\.$/, '');
  const details = { line, column, what };
  if (what === 'undefined entity') {
    const why = `uses an entity in line ${line} that XML does not know; only &amp; &lt; &gt; &quot; &apos; and numbers such as`;
    return refusal('xml-dtd', `${file} ${why} &#160; are read. Write the character itself.`, details);
  }
  if (/entity/.test(what)) {
    const why = `has an "&" in or after line ${lastTag} that is not written as &amp;`;
    return refusal('xml-broken', `${file} is broken XML: it ${why}. ${SEND}`, { ...details, line: lastTag });
  }
  const unclosed = /^unclosed tag: (.*)$/s.exec(what);
  const hint =
    line === lastTag
      ? ''
      : ` (or after its last tag, in line ${lastTag}, an "&" is not written as &amp; or a quote is missing)`;
  const why = unclosed === null ? what : `it ends inside the element <${unclosed[1]}>, so its rest is missing${hint}`;
  return refusal('xml-broken', `${file} is broken XML at line ${line}, column ${column}: ${why}. ${SEND}`, details);
}

function dtd(file: string, line: number): Error {
  const what = `${file} has a document type declaration (<!DOCTYPE>, line ${line}), which offerline does not read.`;
  return refusal('xml-dtd', `${what} Send the file without it.`, { line });
}

function endless(file: string, line: number): Error {
  const what = `after the tag in line ${line} come more than ${MOST_BETWEEN.toLocaleString('en')} characters without another`;
  return refusal('xml-broken', `${file} is broken XML: ${what}. A quote or a bracket is missing there. ${SEND}`, {
    line,
  });
}

function tooMany(file: string, line: number): string {
  return `An element in line ${line} of ${file} has more than ${MOST_ATTRIBUTES} attributes. ${SEND}`;
}

function tooDeep(file: string, line: number): string {
  return `The elements of ${file} lie in one another more than ${DEEPEST} deep in line ${line}. ${SEND}`;
}

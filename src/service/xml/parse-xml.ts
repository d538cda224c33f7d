import { setImmediate } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import { mendXml } from './mend-xml.ts';

/** An element of a reply; `text` is its own, without that of its children. */
export type Element = { name: string; attributes: Record<string, string>; children: Element[]; text: string };

const MAX_DEPTH = 500;
/** Elements and attributes of one reply: far more than any catalog answers, and not too much for memory. */
const MAX_NODES = 300_000;

/**
 * Reads XML in time that grows with its length, a slice at a time, so that a large reply does not hold up the process. Throws
 * an Error that says in words why a text is refused: not well-formed, a document type, too deep, too many elements.
 */
export async function parseXml(text: string): Promise<Element> {
  const reader = openReader();
  for (const slice of mendXml(text.replace(/^\uFEFF/u, ''))) {
    reader.write(slice);
    await setImmediate();
  }
  return reader.end();
}

/** An element whose end was not read yet, and its texts so far. */
type OpenElement = { element: Element; texts: string[] };

function openReader(): { write: (slice: string) => void; end: () => Element } {
  const parser = new SaxesParser();
  const open: OpenElement[] = [];
  let root: Element | undefined;
  let nodes = 0;
  const refuse = (why: string): never => {
    throw new Error(`${why} (line ${parser.line})`);
  };
  const count = () => {
    nodes += 1;
    if (nodes > MAX_NODES) refuse(`it has more than ${MAX_NODES} elements and attributes`);
  };
  const addText = (text: string) => void open.at(-1)?.texts.push(text);
  parser.on('error', ({ message }) => {
    const why = message.replace(/^\d+:\d+: /u, '').replace(/\.$/u, '');
    if (!TOLERATED.has(why)) refuse(why.length > 200 ? `${why.slice(0, 200)}…` : why);
  });
  parser.on('doctype', () => refuse('it declares a document type, which is never read'));
  parser.on('attribute', count);
  parser.on('opentag', ({ name, attributes }) => {
    count();
    if (open.length === MAX_DEPTH) refuse(`it is nested more than ${MAX_DEPTH} deep`);
    const element: Element = { name, attributes, children: [], text: '' };
    open.at(-1)?.element.children.push(element);
    open.push({ element, texts: [] });
    root ??= element;
  });
  parser.on('closetag', () => {
    const { element, texts } = open.pop()!;
    element.text = texts.join('').trim();
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  return {
    write: (slice) => void parser.write(slice),
    end: () => {
      parser.close();
      return root ?? refuse('it has no element');
    },
  };
}

/** Mistakes whose meaning is clear: `]]>` in a text, `--` in a comment. */
const TOLERATED = new Set(['the string "]]>" is disallowed in char data', 'malformed comment']);

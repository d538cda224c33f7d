import { SaxesParser } from 'saxes';
import { grouped } from '../../wording/words.ts';
import { ownCopy } from '../../io/text-parts.ts';

/** Characters of one value, and of anything else that the parser keeps until its end. */
const LONGEST_VALUE = 1 << 16;
const LONGEST_TOKEN = 1 << 20;
/** Elements within each other. */
const DEEPEST = 100;
/** Attributes of an element. */
const MOST_ATTRIBUTES = 100;
/** Elements in which nothing is found. */
const MOST_ELEMENTS = 1_000_000;
/** Characters that are parsed at once. */
const SLICE = 1 << 16;

/** What is heard of an answer: each element with the names of those around it, outermost first, and at its end its text. */
type XmlHearing = {
  nameOf: (element: { uri: string; local: string }) => string;
  open?: (path: readonly string[]) => void;
  close: (path: readonly string[], text: string) => void;
};

/** An answer that is made to cost more than it says. */
export class XmlLimitError extends Error {}

/**
 * Walks through an answer in XML piece by piece; after each piece `found` gives what was heard of. Knows no entities but those of
 * XML. Throws an error in the words of the parser, and `XmlLimitError`.
 */
export async function* walkXml<Found>(
  chunks: AsyncIterable<Uint8Array>,
  { nameOf, open = () => undefined, close }: XmlHearing,
  found: Found[],
): AsyncGenerator<Found> {
  const parser = new SaxesParser({ xmlns: true });
  const path: string[] = [];
  let text = '';
  let attributes = 0;
  let unheard = 0;
  let elements = 0;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('attribute', () => {
    unheard = 0;
    if ((attributes += 1) > MOST_ATTRIBUTES)
      throw new XmlLimitError(`an element of more than ${MOST_ATTRIBUTES} attributes`);
  });
  parser.on('opentag', (element) => {
    [text, attributes, unheard] = ['', 0, 0];
    path.push(nameOf(element));
    if ((elements += 1) > MOST_ELEMENTS)
      throw new XmlLimitError(`more than ${grouped(MOST_ELEMENTS)} elements in which there is no file`);
    if (path.length > DEEPEST) throw new XmlLimitError(`more than ${DEEPEST} elements in one another`);
    open(path);
  });
  const add = (piece: string) => {
    unheard = 0;
    if (text.length + piece.length > LONGEST_VALUE)
      throw new XmlLimitError(`a value of more than ${LONGEST_VALUE / 1024} KB`);
    text += piece;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('comment', () => void (unheard = 0));
  parser.on('closetag', () => {
    unheard = 0;
    close(path, ownCopy(text.trim()));
    path.pop();
    text = '';
  });
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    const read = decoder.decode(chunk, { stream: true });
    for (let at = 0; at < read.length; at += SLICE) {
      const slice = read.slice(at, at + SLICE);
      unheard += slice.length;
      parser.write(slice);
      if (unheard > LONGEST_TOKEN)
        throw new XmlLimitError(`a single value or comment of more than ${LONGEST_TOKEN / 1024 / 1024} MB`);
      if (found.length > 0) elements = 0;
      yield* found.splice(0);
    }
  }
  parser.write(decoder.decode()).close();
  yield* found.splice(0);
}

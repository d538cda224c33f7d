import { SaxesParser } from 'saxes';

/** A file or folder as a server describes it; what it does not say is undefined. */
export type Resource = { href: string; isFolder: boolean; size?: string; modified?: string; etag?: string };

/** What is asked of each; without a list some servers compute every property they have. */
export const PROPERTIES =
  '<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop>' +
  '<resourcetype/><getcontentlength/><getlastmodified/><getetag/></prop></propfind>';

/** Characters of one value. */
const LONGEST_VALUE = 1 << 16;
/** Elements within each other. */
const DEEPEST = 100;

/**
 * Reads the answer to PROPFIND (RFC 4918, 13) piece by piece, whatever prefixes its namespaces have. Knows no entities but those
 * of XML. Throws an error in the words of the parser.
 */
export async function* readMultistatus(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Resource> {
  const parser = new SaxesParser({ xmlns: true });
  const found: Resource[] = [];
  const path: string[] = [];
  let [resource, prop, text]: [Partial<Resource>, Partial<Resource>, string] = [{}, {}, ''];
  let isThere = true;
  let isRoot = false;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ uri, local }) => {
    path.push(uri === 'DAV:' ? local : '');
    if (path.length > DEEPEST) throw new Error('elements too deep in one another');
    text = '';
    if (path.length === 1) isRoot = path[0] === 'multistatus';
    if (path.at(-1) === 'response') [resource, isThere] = [{}, true];
    if (path.at(-1) === 'propstat') prop = {};
    if (path.at(-1) === 'collection' && path.at(-2) === 'resourcetype') prop.isFolder = true;
  });
  const add = (piece: string) => {
    if (text.length + piece.length > LONGEST_VALUE) throw new Error('a value without end');
    text += piece;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    const value = text.trim();
    const [name, parent] = [path.pop(), path.at(-1)];
    text = '';
    if (parent === 'prop' && value !== '') {
      if (name === 'getcontentlength') prop.size = value;
      if (name === 'getlastmodified') prop.modified = value;
      if (name === 'getetag') prop.etag = value;
    }
    if (name === 'href' && parent === 'response') resource.href = value;
    const isGood = / 2\d\d\b/u.test(value);
    if (name === 'status' && parent === 'propstat' && !isGood) prop = {};
    if (name === 'status' && parent === 'response') isThere = isGood;
    if (name === 'propstat') Object.assign(resource, prop);
    if (name !== 'response' || parent !== 'multistatus' || resource.href === undefined || !isThere) return;
    found.push({ isFolder: false, ...resource, href: resource.href });
  });
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    parser.write(decoder.decode(chunk, { stream: true }));
    yield* found.splice(0);
  }
  parser.write(decoder.decode()).close();
  yield* found.splice(0);
  if (!isRoot) throw new Error('no list of files');
}

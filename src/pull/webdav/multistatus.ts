import { walkXml } from '../http/xml.ts';

/** A file or folder as a server describes it; what it does not say is undefined. */
export type Resource = { href: string; isFolder: boolean; size?: string; modified?: string; etag?: string };

/** What is asked of each; without a list some servers compute every property they have. */
export const PROPERTIES =
  '<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop>' +
  '<resourcetype/><getcontentlength/><getlastmodified/><getetag/></prop></propfind>';

/**
 * Reads the answer to PROPFIND (RFC 4918, 13) piece by piece, whatever prefixes its namespaces have. Throws an error in the words
 * of the parser.
 */
export async function* readMultistatus(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Resource> {
  const found: Resource[] = [];
  let [resource, prop]: [Partial<Resource>, Partial<Resource>] = [{}, {}];
  let isThere = true;
  let isRoot = false;
  const open = (path: readonly string[]) => {
    const name = path.at(-1);
    if (path.length === 1) isRoot = name === 'multistatus';
    if (name === 'response') [resource, isThere] = [{}, true];
    if (name === 'propstat') prop = {};
    if (name === 'collection' && path.at(-2) === 'resourcetype') prop.isFolder = true;
  };
  const close = (path: readonly string[], value: string) => {
    const [name, parent] = [path.at(-1), path.at(-2)];
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
  };
  const nameOf = ({ uri, local }: { uri: string; local: string }) => (uri === 'DAV:' ? local : '');
  yield* walkXml(chunks, { nameOf, open, close }, found);
  if (!isRoot) throw new Error('no list of files');
}

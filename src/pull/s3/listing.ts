import { XMLParser } from 'fast-xml-parser';
import type { Listed } from '../choose/choose.ts';
import { walkXml } from '../http/xml.ts';

const parser = new XMLParser({ parseTagValue: false, ignoreAttributes: true });

type Contents = { Key?: string; LastModified?: string; ETag?: string; Size?: string };

/** An object as a page has it: its key may be escaped as in addresses, which the page says at any place. */
export type PagedObject = { key: string } & Omit<Listed, 'name'>;

/** What a page says beside its objects. */
export type PageEnd = {
  /** The page says that its keys are escaped. */
  isEscaped: boolean;
  /** What asks for the next page: a token, or the name after which it begins. Absent on the last one. */
  next?: { token: string } | { after: string };
};

/**
 * Reads a page of ListObjectsV2, or of the first version, piece by piece: its objects, and what it says beside them. A page that
 * says it is cut and not how it goes on goes on after its last name. Throws when it is no such page.
 */
export async function* readPage(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<PagedObject, PageEnd, undefined> {
  const found: PagedObject[] = [];
  let object: Contents = {};
  let isPage = false;
  const said: Partial<Record<string, string>> = {};
  let [last, lastUnescaped] = ['', ''];
  const passed = (key: string) => {
    last = after(last, key);
    lastUnescaped = after(lastUnescaped, unescaped(key));
  };
  const close = (path: readonly string[], text: string) => {
    const [root, inRoot = '', name] = path;
    if (root !== 'ListBucketResult') return;
    isPage = true;
    if (inRoot === 'Contents') {
      if (path.length === 3) object[name as keyof Contents] = text;
      if (path.length !== 2) return;
      found.push(pagedObject(object));
      passed(object.Key ?? '');
      object = {};
    } else if (inRoot === 'CommonPrefixes' && path.length === 3) passed(text);
    else if (path.length === 2) said[inRoot] = text;
  };
  yield* walkXml(chunks, { nameOf: ({ local }) => local, close }, found);
  if (!isPage) throw new Error('no list of objects');
  const isEscaped = said['EncodingType']?.toLowerCase() === 'url';
  if (said['IsTruncated']?.toLowerCase() !== 'true') return { isEscaped };
  const token = said['NextContinuationToken'];
  if (token !== undefined && token !== '') return { isEscaped, next: { token } };
  const marker = said['NextMarker'];
  if (marker !== undefined && marker !== '')
    return { isEscaped, next: { after: isEscaped ? unescaped(marker) : marker } };
  return { isEscaped, next: { after: isEscaped ? lastUnescaped : last } };
}

/** The later one of two keys, as lists order them. */
function after(one: string, other: string): string {
  return Buffer.compare(Buffer.from(one), Buffer.from(other)) > 0 ? one : other;
}

function pagedObject({ Key = '', LastModified, ETag, Size }: Contents): PagedObject {
  const size = /^\d{1,15}$/u.test(Size ?? '') ? { size: Number(Size) } : { size: 0, inexact: true as const };
  return {
    key: Key,
    ...size,
    mtimeMs: inSeconds(Date.parse(LastModified ?? '')),
    ...(ETag === undefined ? {} : { id: tagOf(ETag) }),
  };
}

/** An ETag without its quotes and the sign of a weak one. */
export function tagOf(etag: string): string {
  return etag.replaceAll(/^(?:W\/)?"|"$/gu, '');
}

/**
 * What a key of a page may stand for, the likeliest first: XML cannot carry every character, so that keys are asked for as addresses
 * escape them. Servers that do not know the question send them as they are, some escape blanks only one way, and some do not say it.
 */
export function namesOf(key: string, isEscaped: boolean): string[] {
  // What an address would have escaped was not.
  const isPlain = /[^!-~]/u.test(key);
  const forms = [unescaped(key), unescaped(key.replaceAll('+', '%2B')), key];
  return [...new Set(isEscaped && !isPlain ? forms : forms.toReversed())];
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', '%20'));
  } catch {
    return key;
  }
}

/** Listings have fractions that the header of an object has not. */
export function inSeconds(mtimeMs: number): number | null {
  return Number.isNaN(mtimeMs) ? null : Math.floor(mtimeMs / 1000) * 1000;
}

/** What a refusal says of itself; empty where it is no XML. */
export function readRefusal(xml: string): {
  code?: string;
  message?: string;
  region?: string;
  requestTime?: string;
  serverTime?: string;
} {
  try {
    const { Error: error } = parser.parse(xml) as { Error?: Record<string, string> };
    if (error === undefined) return {};
    const { Code: code, Message: message, Region: region, RequestTime: requestTime, ServerTime: serverTime } = error;
    return Object.fromEntries(
      Object.entries({ code, message, region, requestTime, serverTime }).filter(
        ([, value]) => typeof value === 'string',
      ),
    );
  } catch {
    return {};
  }
}

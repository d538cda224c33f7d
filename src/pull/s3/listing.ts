import { XMLParser } from 'fast-xml-parser';
import type { Listed } from '../choose/choose.ts';
import { walkXml } from '../http/xml.ts';

const parser = new XMLParser({ parseTagValue: false, ignoreAttributes: true });

type Contents = { Key?: string; LastModified?: string; ETag?: string; Size?: string };

/**
 * Reads a page of ListObjectsV2 piece by piece: the objects that lie directly under `prefix`, by the rest of their keys; at last
 * what asks for the next page. Throws when it is no such page.
 */
export async function* readPage(
  chunks: AsyncIterable<Uint8Array>,
  prefix: string,
): AsyncGenerator<Listed, string | undefined, undefined> {
  const found: Listed[] = [];
  let object: Contents = {};
  let isPage = false;
  let isTruncated = false;
  let next: string | undefined;
  const close = (path: readonly string[], text: string) => {
    const [root, inRoot, name] = path;
    if (root !== 'ListBucketResult') return;
    isPage = true;
    if (inRoot === 'Contents') {
      if (path.length === 3) object[name as keyof Contents] = text;
      if (path.length !== 2) return;
      found.push(...asListed(object, prefix));
      object = {};
    } else if (path.length === 2 && inRoot === 'IsTruncated') isTruncated = text === 'true';
    else if (path.length === 2 && inRoot === 'NextContinuationToken') next = text;
  };
  yield* walkXml(chunks, { nameOf: ({ local }) => local, close }, found);
  if (!isPage) throw new Error('no list of objects');
  return isTruncated ? next : undefined;
}

/** Keys are asked for as addresses escape them, since XML cannot carry every character. */
function asListed({ Key, LastModified, ETag, Size }: Contents, prefix: string): Listed[] {
  const name = decodeURIComponent((Key ?? '').replaceAll('+', '%20')).slice(prefix.length);
  // The object of the prefix itself stands for an empty folder in consoles.
  if (name === '') return [];
  const mtimeMs = LastModified === undefined ? Number.NaN : Date.parse(LastModified);
  return [
    {
      name,
      size: Number(Size ?? '0'),
      mtimeMs: inSeconds(mtimeMs),
      ...(ETag === undefined ? {} : { id: ETag.replaceAll(/^"|"$/gu, '') }),
    },
  ];
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

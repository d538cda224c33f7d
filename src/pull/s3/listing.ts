import { XMLParser } from 'fast-xml-parser';
import type { Listed } from '../choose/choose.ts';

/** One page of a listing, with what asks for the next. */
export type Page = { files: Listed[]; next: string | undefined };

const parser = new XMLParser({ parseTagValue: false, ignoreAttributes: true, isArray: (name) => name === 'Contents' });

type Contents = { Key?: string; LastModified?: string; ETag?: string; Size?: string };

/**
 * Reads a page of ListObjectsV2: the objects that lie directly under `prefix`, by the rest of their keys. Throws when it is no
 * such page.
 */
export function readPage(xml: string, prefix: string): Page {
  const { ListBucketResult: page } = parser.parse(xml) as {
    ListBucketResult?: { Contents?: Contents[]; IsTruncated?: string; NextContinuationToken?: string };
  };
  if (page === undefined) throw new Error('no list of objects');
  const files = (page.Contents ?? []).flatMap((object) => asListed(object, prefix));
  return { files, next: page.IsTruncated === 'true' ? page.NextContinuationToken : undefined };
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

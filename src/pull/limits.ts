import { type Measure, type ReplyLimits, ReplyMeter } from '../io/peers/read-reply.ts';
import type { OfferlineError } from '../errors.ts';
import { grouped } from '../wording/words.ts';
import { pullError, type Place } from './http/errors.ts';

/** Files of a place, unless `source.maxFiles` says otherwise. */
const MOST_FILES = 50_000;

const KB = 1024;
const MB = 1024 * KB;
const MINUTE = 60_000;

/** A source whose place holds several files. */
type ManyFiles = { maxFiles?: number | undefined };

/** The limits of a reply, and what messages call it. */
export type Limited = ReplyLimits & { what: string };

/** What a server says in place of what was asked for. */
export const REFUSAL: Limited = { what: 'an answer', bytes: 256 * KB, time: MINUTE };
/** A token and what comes with it. */
export const TOKEN: Limited = { what: 'an answer to the request for a token', bytes: MB, time: MINUTE };
/** A page on which people sign in, and the one that follows. */
export const SIGN_IN: Limited = { what: 'a page', bytes: 4 * MB, time: 2 * MINUTE };
/** The beginning of a file, which shows what it is. */
export const BEGINNING: Limited = { what: 'the beginning of a file', bytes: 4 * MB, time: 2 * MINUTE };
/** A text of a mail; the library counts it too, before it is decoded. */
export const TEXT: Limited = { what: 'a text', bytes: 8 * MB, time: 2 * MINUTE };
/** An attachment that holds files, decoded; and what is sent for it. */
export const INSIDE = { what: 'an attachment with files in it', bytes: 32 * MB, time: 5 * MINUTE } satisfies Limited;
export const INSIDE_ASKED: Limited = { ...INSIDE, bytes: 2 * INSIDE.bytes };
/** What a mail server says before its mails are asked for. */
export const GREETING: Limited = { what: 'a greeting', bytes: MB, time: 2 * MINUTE };

/** What a file takes of a listing, at most and on average; and pages beside those. */
export type Listing = { bytes: number; pages?: number; spare?: number };

/** The limits of a listing: a short one may have long names, and pages that are empty. */
export function listingOf(source: ManyFiles, { bytes, pages = 1, spare = 1000 }: Listing): Limited {
  const entries = mostFilesOf(source);
  return {
    what: 'a listing',
    bytes: MB + entries * bytes,
    pages: spare + Math.ceil(entries * pages),
    entries,
    time: 15 * MINUTE,
  };
}

/** Counts a reply of a place, and ends it with `stop` at the first limit that it passes, which a `pull-failed` error names. */
export function meterOf(place: Place, { what, ...limits }: Limited, stop: () => void): ReplyMeter {
  return new ReplyMeter(limits, { stop, refuse: (measure, most) => limitError(place, what, measure, most) });
}

/** The refusal of a place with more files than are read. */
export function tooManyFiles({ url }: Pick<Place, 'url'>, source: ManyFiles): OfferlineError {
  return limitError({ url, timeout: 0 }, 'a listing', 'entries', mostFilesOf(source));
}

/** The most files of a place. */
export function mostFilesOf({ maxFiles = MOST_FILES }: ManyFiles): number {
  return maxFiles;
}

function limitError(place: Place, what: string, limit: Measure, most: number): OfferlineError {
  const counted = grouped(most);
  const message =
    limit === 'bytes'
      ? `sent ${what} of more than ${sizeOf(most)}, which is not read further; ask the supplier.`
      : limit === 'pages'
        ? `sent ${what} of more than ${counted} pages, which is not read further; ask the supplier.`
        : limit === 'entries'
          ? `has more than ${counted} files (source.maxFiles); have the old ones moved away, name a folder of its own for this feed, or raise source.maxFiles.`
          : `took longer than ${most / MINUTE} min to send ${what}; ask the supplier why it is so slow.`;
  return pullError(place, message, { limit, most });
}

function sizeOf(bytes: number): string {
  return bytes < MB ? `${Math.floor(bytes / KB)} KB` : `${Math.floor(bytes / MB)} MB`;
}

import { OfferlineError } from '../../errors.ts';
import { cleanName } from '../../io/file-name.ts';
import { refusedWith } from '../http/problem.ts';
import { tooLarge } from './receive-body.ts';

/** The bytes of a file that a request brings (`Content-Range`); a request without them asks how many have come. */
type Range = { total: number; bytes: { from: number; to: number } | null };

/** What the head of a request says of the file that it brings. */
export type Asked = {
  /** Bytes of the body, where that is said. */
  length: number | null;
  range: Range | null;
  /** The SHA-256 of the whole file, in hex, where it is said. */
  digest: string | null;
  /** What its sender calls the delivery. */
  key: string | null;
};

/** Longest Idempotency-Key. */
const LONGEST_KEY = 255;

/** Bodies that are no files: what `curl -F` and `curl -d` send. */
const NO_FILE = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/iu;

/** The name at the end of a path, decoded once, made safe as the names of all places are, and its letters composed: macOS sends them in pieces. */
export function nameIn({ pathname }: Pick<URL, 'pathname'>): string {
  const last = pathname.split('/').at(-1) ?? '';
  let decoded: string;
  try {
    decoded = decodeURIComponent(last);
  } catch {
    throw new OfferlineError('usage', `The name ${last} at the end of the address is not UTF-8 with % escapes.`);
  }
  const name = cleanName(cleanName(decoded).normalize()).toWellFormed();
  if (name !== '' && !name.includes('\uFFFD')) return name;
  throw new OfferlineError('usage', 'The address does not end in the name of a file, such as /deliveries/prices.csv.');
}

/** What the head of a request says; refused with 400, 413, 415 or 501 before its body comes. */
export function askedIn(headers: Headers, limit: number): Asked {
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.trim().toLowerCase() !== 'identity')
    throw refusedWith(
      415,
      `Send the file as it is, without Content-Encoding: ${encoding}; a file may be packed itself.`,
    );
  const coding = headers.get('transfer-encoding');
  if (coding !== null && coding.trim().toLowerCase() !== 'chunked')
    throw refusedWith(
      501,
      `Send the file as it is, without Transfer-Encoding: ${coding}; a file may be packed itself.`,
    );
  const type = headers.get('content-type') ?? '';
  if (NO_FILE.test(type))
    throw refusedWith(415, `The body is the file itself, not ${type.split(';')[0]}; with curl: -T FILE.`);
  const said = headers.get('content-length');
  const length = said === null ? null : Number(said);
  const range = rangeIn(headers.get('content-range'), length);
  if ((range?.total ?? length ?? 0) > limit) throw tooLarge(limit);
  const key = headers.get('idempotency-key');
  if (key !== null && (key.trim() === '' || key.length > LONGEST_KEY))
    throw new OfferlineError('usage', `Idempotency-Key has 1 to ${LONGEST_KEY} characters.`);
  return { length, range, digest: digestIn(headers), key };
}

const RANGE = /^bytes (?:(?<from>\d{1,15})-(?<to>\d{1,15})|\*)\/(?<total>\d{1,15})$/iu;

function rangeIn(text: string | null, length: number | null): Range | null {
  if (text === null) return null;
  const found = RANGE.exec(text.trim())?.groups;
  const [from, to, total] = [found?.['from'], found?.['to'], found?.['total']].map(Number) as [number, number, number];
  if (found === undefined) throw wrongRange(text);
  if (found['from'] === undefined) return { total, bytes: null };
  const fits = from <= to && to < total && (length === null || length === to - from + 1);
  if (!fits) throw wrongRange(text);
  return { total, bytes: { from, to } };
}

function wrongRange(text: string): OfferlineError {
  const advice = 'write the first byte, the last and the size of the file, such as bytes 5000-9999/10000';
  return new OfferlineError('usage', `Content-Range: ${text} does not fit the body; ${advice}.`);
}

/** The SHA-256 that a request says its file has (RFC 9530), in hex. */
function digestIn(headers: Headers): string | null {
  const said = headers.get('repr-digest') ?? (headers.has('content-range') ? null : headers.get('content-digest'));
  const [, text] = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/=]+):/u.exec(said ?? '') ?? [];
  return text === undefined ? null : Buffer.from(text, 'base64').toString('hex');
}

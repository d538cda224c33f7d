import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Blob } from '../../archive/archive.ts';
import { OfferlineError } from '../../errors.ts';
import { cleanName } from '../../io/file-name.ts';
import { problemOf, refusedWith } from '../http/problem.ts';
import type { Answer } from '../route.ts';
import { assertSees, type Visit } from '../visit.ts';
import { receiveBody, tooLarge } from './receive-body.ts';
import { enter } from './senders.ts';

/** Takes the file that is the body of a request as a delivery of a feed: 202 once archive and ledger have it, 200 for the same once more. */
export async function push(visit: Visit): Promise<Answer> {
  try {
    return await pushed(visit);
  } catch (error) {
    if (error instanceof OfferlineError && error.code !== 'internal') return problemOf(error);
    throw error;
  }
}

async function pushed(visit: Visit): Promise<Answer> {
  const { request, ctx, call, visitor } = visit;
  const feed = visit.params['feed'] ?? '';
  assertSees(feed, visit, `feed ${feed}`);
  const name = nameIn(visit.url);
  const asked = askedIn(request.headers, ctx.config.limits.fileSize);
  using _place = enter(visitor.name);
  const folder = await call('openPush', { feed, name });
  try {
    visit.letBodyCome();
    const path = join(folder, 'pushed');
    const { length, digest, key } = asked;
    const blob = await receiveBody(request, { folder, path, limit: ctx.config.limits.fileSize, length });
    assertDigest(blob, digest);
    const { delivery, run, again } = await call('takePush', { feed, name, path, blob, key });
    const link = `${visit.world.loaded.config.web.publicUrl?.replace(/\/$/u, '') ?? visit.url.origin}/runs/${run}`;
    const answer = { delivery, feed, name, bytes: blob.bytes, sha256: blob.sha256, run, again, link };
    return { json: answer, status: again ? 200 : 202, headers: { location: `/api/v1/runs/${run}` } };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The name at the end of the path, decoded once, and made safe as the names of all places are. */
export function nameIn({ pathname }: Pick<URL, 'pathname'>): string {
  const last = pathname.split('/').at(-1) ?? '';
  let decoded: string;
  try {
    decoded = decodeURIComponent(last);
  } catch {
    throw new OfferlineError('usage', `The name ${last} at the end of the address is not UTF-8 with % escapes.`);
  }
  const name = cleanName(decoded).toWellFormed();
  if (name !== '' && !name.includes('\uFFFD')) return name;
  throw new OfferlineError('usage', 'The address does not end in the name of a file, such as /deliveries/prices.csv.');
}

/** What a request says of the file that it brings. */
type Asked = { length: number | null; digest: string | null; key: string | null };

/** Longest Idempotency-Key. */
const LONGEST_KEY = 255;

/** Bodies that are no files: what \`curl -F\` and \`curl -d\` send. */
const NO_FILE = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/iu;

/** What the head of a request says; refused with 415 or 413 before its body comes. */
function askedIn(headers: Headers, limit: number): Asked {
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.trim().toLowerCase() !== 'identity')
    throw refusedWith(
      415,
      `Send the file as it is, without Content-Encoding: ${encoding}; a file may be packed itself.`,
    );
  const type = headers.get('content-type') ?? '';
  if (NO_FILE.test(type))
    throw refusedWith(415, `The body is the file itself, not ${type.split(';')[0]}; with curl: -T FILE.`);
  const length = headers.get('content-length');
  if (length !== null && Number(length) > limit) throw tooLarge(limit);
  const key = headers.get('idempotency-key');
  if (key !== null && (key.trim() === '' || key.length > LONGEST_KEY))
    throw new OfferlineError('usage', `Idempotency-Key has 1 to ${LONGEST_KEY} characters.`);
  return { length: length === null ? null : Number(length), digest: digestIn(headers), key };
}

/** The SHA-256 that a request says its file has (RFC 9530), in hex. */
function digestIn(headers: Headers): string | null {
  const said = headers.get('repr-digest') ?? headers.get('content-digest');
  const [, text] = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/=]+):/u.exec(said ?? '') ?? [];
  return text === undefined ? null : Buffer.from(text, 'base64').toString('hex');
}

function assertDigest({ sha256 }: Blob, digest: string | null): void {
  if (digest === null || digest === sha256) return;
  throw new OfferlineError(
    'usage',
    'The bytes that came do not have the digest that was sent with them. Send them again.',
  );
}

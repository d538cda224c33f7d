import { rm } from 'node:fs/promises';
import { isSecretOf, secretHash } from '../../access/secret.ts';
import { bytesOf, hashBytes } from '../../archive/durable.ts';
import type { PushSource } from '../../config/schema/sources/push.ts';
import { OfferlineError } from '../../errors.ts';
import { own } from '../../io/dictionary.ts';
import { countPushed } from '../../ledger/pushed.ts';
import { patternIn } from '../../pull/several/wanted.ts';
import { html } from '../../wording/html.ts';
import type { MessageFacts, MessageKey } from '../../wording/language/language.ts';
import { refusedWith } from '../http/problem.ts';
import { NO_FILE, receiveFile, TOO_LARGE } from '../pages/check/receive-file.ts';
import { holdRoom } from '../push/room.ts';
import { enter } from '../push/senders.ts';
import { allow } from './allowance.ts';
import { addressIn, SUPPLIER_LINK, type SupplierAnswer, type SupplierVisit } from './visit.ts';

/** Files that may be sent to a feed at the same time, and in an hour. */
const [AT_ONCE, IN_AN_HOUR] = [2, 30];
const HOUR = 3_600_000;

/** How much of a refused form is let pass, and for how many milliseconds, so that a browser that still sends it can show why. */
const [MOST_PASSED, LONGEST_PASS] = [128 * 1024 * 1024, 2 * 60_000];

/** What a form has beside its file. */
const AROUND = 64 * 1024;

/** Takes a file from the supplier as a delivery of its feed: guards look at it as at any other. */
export async function deliver(visit: SupplierVisit): Promise<SupplierAnswer> {
  const { ctx, feed, request } = visit;
  const source = own(ctx.config.feeds, feed)?.source;
  if (source?.type !== 'push') return null;
  const why = await taken(source, visit).catch((error: unknown) => whyNot(error, visit));
  if (why === null) return { redirect: `${addressIn(visit)}?sent=yes` };
  await pass(request);
  return refused(why, visit);
}

/** Takes the file; answers why it does not where no error says so. */
async function taken(source: PushSource, visit: SupplierVisit): Promise<WhyNot | null> {
  const { ctx, feed, call, request, formKey } = visit;
  const largest = ctx.config.limits.fileSize;
  using _place = enter(`${SUPPLIER_LINK}to ${feed}`, AT_ONCE);
  await call('assertPushable', { feed, name: null });
  const bytes = Number(request.headers.get('content-length') ?? largest);
  if (bytes > largest + AROUND) return tooLarge(largest);
  const now = ctx.clock.now();
  const known = await countPushed(ctx.ledger.db, feed, { by: SUPPLIER_LINK, since: now - HOUR });
  if (known >= IN_AN_HOUR) return full(HOUR);
  const allowed = allow(feed, { bytes, largest, now });
  if ('again' in allowed) return full(allowed.again);
  const folder = await call('makeFolder', {});
  let received = 0;
  try {
    using room = await holdRoom(folder, bytes);
    const came = (more: number) => {
      received += more;
      room.came(more);
    };
    const pattern = patternIn(source);
    const assertName = (name: string) => {
      if (!pattern.matches(name.normalize())) throw refusedWith(422, name);
    };
    const { path, name, fields } = await receiveFile(request, folder, largest, { assertName, came });
    if (!isSecretOf(secretHash(formKey), fields.get('key') ?? '')) return { status: 403, key: 'supplier.page.foreign' };
    const blob = await hashBytes(bytesOf(path));
    if (blob.bytes === 0) return { status: 400, key: 'supplier.page.refused.empty' };
    if (!(await visit.isStillOpen())) return { status: 404, key: 'supplier.page.none' };
    await call('takePush', { feed, name: name.normalize(), path, blob, key: null });
    return null;
  } finally {
    allowed.file.bytes = received;
    await rm(folder, { recursive: true, force: true });
  }
}

/** Why a file is not taken, in words for its sender. `again`: milliseconds after which it may be sent again. */
type WhyNot = { status: number; key: MessageKey; facts?: MessageFacts; again?: number };

function full(again: number): WhyNot {
  return { status: 429, key: 'supplier.page.refused.busy', again };
}

/** Bytes as people say them, in megabytes with at most one decimal. */
export function megabytes(bytes: number): number {
  return Math.round(bytes / 1e5) / 10;
}

function tooLarge(bytes: number): WhyNot {
  return { status: 413, key: 'supplier.page.refused.large', facts: { size: megabytes(bytes) } };
}

/** What an error says to a supplier: its own sentence is for those who work here. */
function whyNot(error: unknown, { ctx: { config }, feed }: SupplierVisit): WhyNot {
  if (!(error instanceof OfferlineError)) throw error;
  const { code, details } = error;
  const { answer, again } = details;
  const source = own(config.feeds, feed)?.source;
  if (answer === 422 && source?.type === 'push')
    return { status: 422, key: 'supplier.page.refused.name', facts: { pattern: patternIn(source).text } };
  if (answer === 429 || answer === 503)
    return {
      status: answer,
      key: 'supplier.page.refused.soon',
      ...(typeof again === 'number' && { again: again * 1000 }),
    };
  if (code === 'conflict') return { status: 409, key: 'supplier.page.refused.paused' };
  if (code !== 'usage') throw error;
  if (details['code'] === TOO_LARGE) return tooLarge(config.limits.fileSize);
  return {
    status: 400,
    key: details['code'] === NO_FILE ? 'supplier.page.refused.none' : 'supplier.page.refused.file',
  };
}

/** Lets what is still to come of a form pass. */
async function pass({ body }: Request): Promise<void> {
  if (body === null || body.locked) return;
  const end = performance.now() + LONGEST_PASS;
  let passed = 0;
  try {
    for await (const { length } of body) {
      passed += length;
      if (passed > MOST_PASSED || performance.now() > end) return;
    }
  } catch {
    // Whoever sent it has left.
  }
}

function refused({ status, key, facts, again }: WhyNot, visit: SupplierVisit): SupplierAnswer {
  const { say } = visit.language;
  const title = say('supplier.page.send');
  const body = html`<h1>${title}</h1>
    <p class="reason failed" role="alert">${say(key, facts)}</p>
    <p><a href="${addressIn(visit)}">${say('supplier.page.title')}</a></p>`;
  return { page: { title, body }, status, ...(again !== undefined && { again }) };
}

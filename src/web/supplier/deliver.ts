import { rm } from 'node:fs/promises';
import { secretHash } from '../../access/secret.ts';
import { bytesOf, hashBytes } from '../../archive/durable.ts';
import { OfferlineError } from '../../errors.ts';
import { own } from '../../io/dictionary.ts';
import { countPushed } from '../../ledger/pushed.ts';
import { patternIn } from '../../pull/several/wanted.ts';
import { html } from '../../wording/html.ts';
import type { MessageFacts, MessageKey } from '../../wording/language/language.ts';
import { receiveFile } from '../pages/check/receive-file.ts';
import { enter } from '../push/senders.ts';
import { addressIn, SUPPLIER_LINK, type SupplierAnswer, type SupplierVisit } from './visit.ts';

/** Files that a link may send at the same time, and those of a feed may send in an hour. */
const [AT_ONCE, IN_AN_HOUR] = [2, 30];
const HOUR = 3_600_000;

/** Takes a file from the supplier as a delivery of its feed: guards look at it as at any other. */
export async function deliver(visit: SupplierVisit): Promise<SupplierAnswer> {
  try {
    return await taken(visit);
  } catch (error) {
    const why = error instanceof OfferlineError ? whyNot(error) : undefined;
    if (why === undefined) throw error;
    return refused(why, visit);
  }
}

async function taken(visit: SupplierVisit): Promise<SupplierAnswer> {
  const { ctx, feed, link, call, request, formKey } = visit;
  const source = own(ctx.config.feeds, feed)?.source;
  if (source?.type !== 'push') return null;
  const sent = await countPushed(ctx.ledger.db, feed, { by: SUPPLIER_LINK, since: ctx.clock.now() - HOUR });
  if (sent >= IN_AN_HOUR) return refused(BUSY, visit);
  using _place = enter(`${SUPPLIER_LINK}${link}`, AT_ONCE);
  const folder = await call('makeFolder', {});
  try {
    const { path, name, fields } = await receiveFile(request, folder, ctx.config.limits.fileSize);
    // Hashes are compared, so that the time that it takes says nothing of the key.
    if (secretHash(fields.get('key') ?? '') !== secretHash(formKey))
      return refused({ status: 403, key: 'supplier.page.foreign' }, visit);
    const pattern = patternIn(source);
    if (!pattern.matches(name))
      return refused({ status: 422, key: 'supplier.page.refused.name', facts: { pattern: pattern.text } }, visit);
    const blob = await hashBytes(bytesOf(path));
    if (blob.bytes === 0) return refused({ status: 400, key: 'supplier.page.refused.empty' }, visit);
    await call('takePush', { feed, name, path, blob, key: null });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { redirect: `${addressIn(visit)}?sent=yes` };
}

/** Why a file is not taken, in words for its sender. */
type WhyNot = { status: number; key: MessageKey; facts?: MessageFacts };

const BUSY: WhyNot = { status: 429, key: 'supplier.page.refused.busy' };

/** What an error says to a supplier: its own sentence is for those who work here. */
function whyNot({ code, details }: OfferlineError): WhyNot | undefined {
  const { answer } = details;
  if (answer === 429 || answer === 503) return { ...BUSY, status: answer };
  if (code === 'usage') return { status: 400, key: 'supplier.page.refused.file' };
  if (code === 'conflict') return { status: 409, key: 'supplier.page.refused.paused' };
  return undefined;
}

function refused({ status, key, facts }: WhyNot, visit: SupplierVisit): SupplierAnswer {
  const { say } = visit.language;
  const title = say('supplier.page.send');
  const body = html`<h1>${title}</h1>
    <p class="reason failed" role="alert">${say(key, facts)}</p>
    <p><a href="${addressIn(visit)}">${say('supplier.page.title')}</a></p>`;
  return { page: { title, body }, status };
}

import type { Context } from '../../context.ts';
import { isServiceError, messageOf } from '../../errors.ts';
import type { DatasetRow, UploadRow } from '../../ledger/schema/schema.ts';
import { denialOf } from '../../ledger/uploads/denials.ts';
import type { OfferRecord } from '../../service/offers/schemas.ts';
import { compareSource } from '../../upload/receipt/compare-source.ts';

/** An answer of the service, or why there is none. */
export type Answer<T> = { value: T } | { why: string };

/** What the service shows now. `sameRows`: whether the file that it keeps has the rows that were sent; null: that cannot be told. */
export type Shown =
  { why: string } | { at: number; record: Answer<OfferRecord>; list: Answer<OfferRecord[]>; sameRows: boolean | null };

type Asked = { upload: UploadRow; dataset: DatasetRow; offline: boolean; signal: AbortSignal };

/** Records of the list that are shown. */
const LISTED = 20;

/** Asks for the record, the newest uploads of the login and the file of an upload. What fails is told, and nothing more is asked then. */
export async function askService({ upload, dataset, offline, signal }: Asked, ctx: Context): Promise<Shown> {
  if (offline) return { why: 'it was not asked (--offline)' };
  const { login, offer_id: offerId } = upload;
  if (ctx.config.logins[login] === undefined) return { why: 'the login is no longer in the configuration' };
  if ((await denialOf(ctx.ledger.db, login)) !== undefined)
    return { why: 'it refuses the credentials of the login and is not asked until they are corrected' };
  const offers = ctx.offers(login);
  const at = ctx.clock.now();
  const list = await answer(() => offers.list(0, LISTED, signal), signal);
  if ('why' in list) return { at, list, record: { why: 'it was not asked after that' }, sameRows: null };
  if (offerId === null) return { at, list, record: { why: 'it has given this upload no id' }, sameRows: null };
  const record = await answer(() => offers.get(offerId, signal), signal);
  const sameRows = 'why' in record ? null : await compareSource({ offerId, dataset, login, signal }, ctx);
  return { at, list, record, sameRows };
}

async function answer<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<Answer<T>> {
  try {
    return { value: await ask() };
  } catch (error) {
    signal.throwIfAborted();
    if (!isServiceError(error)) throw error;
    return { why: messageOf(error) };
  }
}

import { int64, Refusal, type Reply } from '../http/reply.ts';
import type { OffersContext } from './context.ts';
import { shownName, stateOf, type OfferFacts } from './state.ts';

/** The record as the interface describes it (UsOfferDto); optional fields are absent, not null. */
export function viewOf(ctx: OffersContext, facts: OfferFacts): Record<string, unknown> {
  const { state, rowsProcessed, lastModifiedTime } = stateOf(facts, ctx.now());
  const finished = state !== 'queued' && state !== 'processing';
  const sourceFile = shownName(facts);
  const header = ctx.settings.countHeader && (rowsProcessed > 0 || state === 'success') ? 1 : 0;
  const delimiter = facts.delimiter ?? facts.askedDelimiter;
  const charsetName = facts.charset ?? facts.askedCharset;
  return {
    id: int64(facts.id),
    state: finished ? state : (facts.fate?.state ?? state),
    createdTime: facts.createdAt,
    lastModifiedTime,
    linesProcessed: rowsProcessed + header,
    ...(finished && facts.error !== null && { error: facts.error }),
    ...(sourceFile !== null && { sourceFile }),
    errorFileExists: hasErrorFile(ctx, facts),
    ...(delimiter !== null && { delimiter }),
    ...(charsetName !== null && { charsetName }),
  };
}

/** Whether a successful upload has rejected rows to show. */
export function hasErrorFile(ctx: OffersContext, facts: OfferFacts): boolean {
  return facts.errorRows > 0 && stateOf(facts, ctx.now()).state === 'success';
}

/** The refusal that a login with an unfinished upload gets. */
export function unfinishedRefusal(ctx: OffersContext, facts: OfferFacts): Refusal {
  const { state } = stateOf(facts, ctx.now());
  const message = `Offer ${facts.id} of this login is still ${state}; upload again when it has finished.`;
  return new Refusal(409, 'UPLOAD_UNFINISHED', message);
}

/** A good JSON reply. */
export function ok(json: unknown): Reply {
  return { status: 200, json };
}

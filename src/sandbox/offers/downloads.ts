import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FaultOf } from '../faults/schema.ts';
import { Refusal, type Reply } from '../http/reply.ts';
import type { OffersContext } from './context.ts';
import { withoutRows } from './lost-rows.ts';
import { downloadHeader } from './receive/file-name.ts';
import { hasErrorFile } from './record-view.ts';
import { shownName, type OfferFacts } from './state.ts';
import { openText } from './text.ts';

/** The uploaded text, unpacked, as a file to save; without the rows that a fault loses. */
export async function sourceOf(ctx: OffersContext, facts: OfferFacts, lost?: FaultOf<'lose-rows'>): Promise<Reply> {
  const { bytes } = await openText(join(ctx.store.files, facts.file), facts, ctx.settings.limits.textBytes);
  const charset = (facts.charset ?? facts.askedCharset ?? 'UTF-8').toLowerCase();
  return {
    status: 200,
    stream: lost === undefined ? bytes : await withoutRows(bytes, facts, lost),
    headers: {
      'content-type': `text/plain; charset=${charset}`,
      'content-disposition': downloadHeader(shownName(facts), facts.id, '.offer'),
    },
  };
}

/** The rejected rows as a file to save; refuses with 404 when there are none. */
export async function errorsOf(ctx: OffersContext, facts: OfferFacts): Promise<Reply> {
  if (!hasErrorFile(ctx, facts)) throw new Refusal(404, 'NO_ERROR_FILE', `Offer ${facts.id} has no error file.`);
  const path = join(ctx.store.files, `${facts.file}.errors`);
  const { size } = await stat(path);
  return {
    status: 200,
    stream: createReadStream(path),
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(size),
      'content-disposition': downloadHeader(shownName(facts), facts.id, '.errors'),
    },
  };
}

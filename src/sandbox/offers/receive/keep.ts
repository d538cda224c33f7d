import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../store.ts';
import type { OffersContext } from '../context.ts';
import type { NewOffer } from '../records.ts';
import { unfinishedRefusal } from '../record-view.ts';
import type { OfferFacts } from '../state.ts';

/** Makes a file of the incoming folder an upload; refuses when one of the login is unfinished. */
export async function keep(ctx: OffersContext, file: string, describe: () => NewOffer): Promise<OfferFacts> {
  const { store, records } = ctx;
  let result: ReturnType<typeof records.accept>;
  try {
    const offer = describe();
    await rename(join(store.incoming, file), join(store.files, file));
    await syncFolder(store.files);
    result = records.accept(offer);
  } catch (error) {
    await rm(join(store.incoming, file), { force: true });
    throw error;
  }
  if ('unfinished' in result) {
    await rm(join(store.files, file), { force: true });
    throw unfinishedRefusal(ctx, result.unfinished);
  }
  ctx.processing.start(result.accepted);
  return result.accepted;
}

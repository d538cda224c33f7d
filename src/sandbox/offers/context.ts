import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Arrivals } from '../arrivals.ts';
import type { Stage } from '../calls/perform-faults.ts';
import type { Later } from '../later.ts';
import type { Pace, SandboxSettings } from '../settings.ts';
import type { Store } from '../store.ts';
import type { Processing } from './process/processing.ts';
import type { OfferRecords } from './records.ts';

/** What the offer operations share. */
export type OffersContext = {
  store: Store;
  records: OfferRecords;
  processing: Processing;
  settings: SandboxSettings;
  pace: Pace;
  now: () => number;
  arrivals: Arrivals;
  later: Later;
  stage: Stage;
};

const DAY = 86_400_000;

/** Uploads and history are kept for the retention time, the last successful upload for as long as it is the last. */
export async function forgetExpired(ctx: OffersContext, login: string): Promise<void> {
  const now = ctx.now();
  const files = ctx.records.forget(login, now - ctx.settings.retentionDays * DAY, now);
  for (const file of files) {
    await rm(join(ctx.store.files, file), { force: true });
    await rm(join(ctx.store.files, `${file}.errors`), { force: true });
  }
}

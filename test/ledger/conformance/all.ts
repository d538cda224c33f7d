import { copyLiveConformance } from './copy-live.ts';
import type { Engine } from './engine.ts';
import { incidentsConformance } from './incidents.ts';
import { leaseConformance } from './lease.ts';
import { ledgerConformance } from './ledger.ts';
import { mailsConformance } from './mails.ts';
import { retentionConformance } from './retention.ts';
import { runsConformance } from './runs.ts';
import { uploadsConformance } from './uploads.ts';

/** What every ledger promises. */
export function conformance(engine: Engine): void {
  ledgerConformance(engine);
  leaseConformance(engine);
  uploadsConformance(engine);
  runsConformance(engine);
  incidentsConformance(engine);
  mailsConformance(engine);
  retentionConformance(engine);
  copyLiveConformance(engine);
}

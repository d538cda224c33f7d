import { accessConformance } from './access.ts';
import { acceptedColumnsConformance } from './accepted-columns.ts';
import { callsConformance } from './calls.ts';
import { copyLiveConformance } from './copy-live.ts';
import type { Engine } from './engine.ts';
import { acceptedUploadsConformance } from './accepted-uploads.ts';
import { expectedConformance } from './expected.ts';
import { hooksConformance } from './hooks.ts';
import { incidentsConformance } from './incidents.ts';
import { intentsConformance } from './intents.ts';
import { jsonColumnsConformance } from './json-columns.ts';
import { leaseConformance } from './lease.ts';
import { ledgerConformance } from './ledger.ts';
import { listsConformance } from './lists.ts';
import { mailsConformance } from './mails.ts';
import { pushedConformance } from './pushed.ts';
import { retentionConformance } from './retention.ts';
import { runsConformance } from './runs.ts';
import { snapshotConformance } from './snapshot.ts';
import { standingConformance } from './standing.ts';
import { takenFilesConformance } from './taken-files.ts';
import { uploadsConformance } from './uploads.ts';
import { workersConformance } from './workers.ts';

/** What every ledger promises. */
export function conformance(engine: Engine): void {
  ledgerConformance(engine);
  leaseConformance(engine);
  intentsConformance(engine);
  uploadsConformance(engine);
  acceptedUploadsConformance(engine);
  runsConformance(engine);
  incidentsConformance(engine);
  hooksConformance(engine);
  mailsConformance(engine);
  listsConformance(engine);
  pushedConformance(engine);
  retentionConformance(engine);
  callsConformance(engine);
  jsonColumnsConformance(engine);
  copyLiveConformance(engine);
  acceptedColumnsConformance(engine);
  takenFilesConformance(engine);
  standingConformance(engine);
  expectedConformance(engine);
  accessConformance(engine);
  workersConformance(engine);
  snapshotConformance(engine);
}

import { join } from 'node:path';
import { tempFolder } from '../support/temp-folder.ts';
import type { Engine } from './conformance/engine.ts';
import { leaseConformance } from './conformance/lease.ts';
import { ledgerConformance } from './conformance/ledger.ts';
import { runsConformance } from './conformance/runs.ts';
import { uploadsConformance } from './conformance/uploads.ts';

const engine: Engine = {
  name: 'sqlite',
  place: () => Promise.resolve({ file: join(tempFolder(), 'state', 'ledger.sqlite') }),
};

ledgerConformance(engine);
leaseConformance(engine);
uploadsConformance(engine);
runsConformance(engine);

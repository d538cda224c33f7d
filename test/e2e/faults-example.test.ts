import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { FaultInput } from '../../src/sandbox/faults/schema.ts';
import { controlOf } from '../support/control.ts';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/faults.yaml');

test('with the faults of the example the upload is found without its name, and accepted exactly once', async () => {
  const { faults } = parse(readFileSync(EXAMPLE, 'utf8')) as { faults: FaultInput[] };
  const service = await sandboxForTest({ control: true, faults });
  const shop = install({ service: { baseUrl: service.url } });
  const rows = Array.from({ length: 40 }, (_, at) => `BOSCH;${at + 1}`).join('\n');
  shop.deliver('north', 'a.csv', `brand;oem\n${rows}\n`);
  expect(await shop.ingest('north')).toMatchObject({
    status: 0,
    outcome: 'partial',
    rows: { read: 40, live: 38, rejectedRemotely: 2, unexplained: 0 },
    upload: { state: 'success', attempts: 1, adopted: true },
    rejections: [
      { line: 2, message: 'Brand is not licensed', oem: '1', match: 'exact' },
      { line: 22, message: 'Brand is not licensed', oem: '21', match: 'exact' },
    ],
  });
  expect(await controlOf(service.url).uploads()).toMatchObject([
    { by: 'client', outcome: 'accepted', faults: ['lose-reply', 'reject-rows', 'error-columns', 'source-file'] },
  ]);
});

import { expect, test } from 'vitest';
import { OfferlineError } from '../../../src/errors.ts';
import { afterFailure } from '../../../src/jobs/feeds/failure.ts';
import { createRun, getRun } from '../../../src/ledger/runs/runs.ts';
import { contextFor } from '../../upload/upload-world.ts';

test('a source that failed is asked again at its own pace, whatever service.poll says', async () => {
  const ctx = await contextFor('http://127.0.0.1:1');
  const { db } = ctx.ledger;
  const { service } = ctx.config;
  const now = ctx.clock.now();
  const slow = {
    ...ctx,
    clock: { ...ctx.clock, now: () => now },
    config: { ...ctx.config, service: { ...service, poll: { ...service.poll, initial: 600_000, max: 600_000 } } },
  };
  const asked = { feed: 'north', login: 'main', cause: 'manual', options: {}, sandbox: false } as const;
  const id = await createRun(db, { ...asked, now });
  const failure = new OfferlineError('pull-failed', 'The supplier is away.', { retryable: true });
  expect(await afterFailure(await getRun(db, id), failure, slow)).toBe(now + 1000);
  expect(await afterFailure(await getRun(db, id), failure, slow)).toBe(now + 2000);
  expect(await afterFailure(await getRun(db, id), failure, slow)).toBeNull();
});

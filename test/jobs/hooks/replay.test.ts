import { expect, test } from 'vitest';
import { messageAnswers } from '../../../src/jobs/hooks/answer.ts';
import { replayHook, testHook } from '../../../src/jobs/hooks/test-hook.ts';
import { failureOf } from '../../../src/ledger/hooks/failures.ts';
import { pruneMessages } from '../../../src/ledger/hooks/messages.ts';
import { receiveHooks } from '../../support/hook-receiver.ts';
import { BY, goRight, goWrong, hookTo, hookWorld, HOUR, tell, typesOf } from './hook-world.ts';

const SIGNAL = new AbortController().signal;

/** A receiver that refuses the first requests, each after something else was done meanwhile. */
async function refusing(status: number, ...meanwhile: (() => Promise<unknown>)[]) {
  const left = [...meanwhile];
  return receiveHooks((response) => {
    const next = left.shift();
    if (next === undefined) response.writeHead(204).end();
    else void next().finally(() => response.writeHead(status).end());
  });
}

test.each([500, 422, 410])(
  'a replay that is asked for while the message is sent and answered with %i is not overwritten',
  async (status) => {
    const receiver = await refusing(status, async () => {
      time.now += 1;
      const [message] = await messageAnswers('ops', 1, ctx);
      expect(await replayHook('ops', message!.id, BY, ctx)).toBe(1);
    });
    const { ctx, time } = await hookWorld({ ops: hookTo(receiver, { events: ['incident.opened'] }) });
    await goWrong(ctx);
    await tell(ctx);
    expect(typesOf(receiver)).toEqual(['incident.opened', 'incident.opened']);
    expect(await messageAnswers('ops', 1, ctx)).toMatchObject([{ state: 'sent', failedTries: 0, error: null }]);
    expect(await failureOf(ctx.ledger.db, 'ops')).toBeUndefined();
  },
);

test('nor is a hook that was tested while a message of it failed left alone for an hour', async () => {
  const receiver = await refusing(
    500,
    async () => {},
    async () => {
      // The test is answered with 204.
      expect(await testHook('ops', BY, ctx, SIGNAL)).toMatchObject({ taken: true });
    },
  );
  const { ctx, time } = await hookWorld({ ops: hookTo(receiver, { events: ['incident.opened'] }) });
  await goWrong(ctx);
  await tell(ctx);
  time.now += HOUR;
  await tell(ctx);
  expect(typesOf(receiver)).toEqual(['incident.opened', 'incident.opened', 'hook.test', 'incident.opened']);
  expect(await messageAnswers('ops', 1, ctx)).toMatchObject([{ state: 'sent' }]);
});

test('the numbers of an incident go on after its messages are forgotten', async () => {
  const receiver = await receiveHooks();
  const { ctx, time } = await hookWorld({ ops: hookTo(receiver) });
  await goWrong(ctx);
  await goRight(ctx);
  await tell(ctx);
  time.now += 31 * 24 * HOUR;
  await ctx.ledger.transaction((trx) => pruneMessages(trx, time.now - 30 * 24 * HOUR));
  expect(await messageAnswers('ops', 10, ctx)).toEqual([]);
  await goWrong(ctx);
  await tell(ctx);
  expect(receiver.received.map(({ payload: { seq } }) => seq)).toEqual([1, 2, 3]);
});

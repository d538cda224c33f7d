import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTelling } from '../../../src/jobs/hooks/tell-hooks.ts';
import { raise, recover } from '../../../src/ledger/alerts/incidents.ts';
import { receiveHooks } from '../../support/hook-receiver.ts';
import { inScope } from '../../support/at-end.ts';
import { repetitions } from '../../support/repetitions.ts';
import { saying } from '../../support/reasons.ts';
import { hookTo, hookWorld, HOUR, MINUTE, tell } from './hook-world.ts';

const KINDS = ['credentials', 'unreachable', 'receipt'] as const;
type Kind = (typeof KINDS)[number];

/** What may happen: something goes wrong or right, time passes, one or two workers tell, one is stopped in the middle of it. */
const action = fc.oneof(
  fc.record({ do: fc.constantFrom('wrong' as const, 'right' as const), kind: fc.constantFrom(...KINDS) }),
  fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 0, max: 20 }) }),
  fc.record({ do: fc.constantFrom('tell' as const, 'both' as const, 'stopped' as const) }),
);

/** What the receiver does with each message in turn. */
const answer = fc.constantFrom<(number | 'cut')[]>(200, 200, 500, 422, 429, 'cut');

test('whatever fails, each incident is told in order, and all of it in the end', async () => {
  const property = fc.asyncProperty(
    fc.array(action, { maxLength: 18 }),
    fc.array(answer, { maxLength: 12 }),
    (actions, answers) => inScope(() => play(actions, answers)),
  );
  await fc.assert(property, { numRuns: repetitions(60) });
});

type Action = typeof action extends fc.Arbitrary<infer One> ? One : never;

async function play(actions: Action[], answers: (number | 'cut')[]): Promise<void> {
  const left = [...answers];
  const tried: { kind: Kind; type: string; id: string; isTaken: boolean }[] = [];
  const receiver = await receiveHooks((response, { headers, payload }) => {
    const status = left.shift() ?? 200;
    const facts = { kind: payload.data['kind'] as Kind, type: payload.type, id: String(headers['webhook-id']) };
    tried.push({ ...facts, isTaken: status === 200 });
    if (status === 'cut') response.socket?.destroy();
    else response.writeHead(status).end();
  });
  const { ctx, time } = await hookWorld({ ops: hookTo(receiver) });
  const { db } = ctx.ledger;
  const happened = new Map<Kind, string[]>(KINDS.map((kind) => [kind, []]));
  const isOpen = (kind: Kind) => happened.get(kind)!.at(-1) === 'incident.opened';
  for (const one of actions) {
    time.now += 1;
    if ('kind' in one && one.do === 'wrong') {
      if (!isOpen(one.kind)) happened.get(one.kind)!.push('incident.opened');
      await raise(db, { kind: one.kind, login: 'main', reason: saying('no') }, time.now);
    } else if ('kind' in one) {
      if (isOpen(one.kind)) happened.get(one.kind)!.push('incident.closed');
      await recover(db, { kind: one.kind, login: 'main', text: 'yes' }, time.now);
    } else if ('minutes' in one) time.now += one.minutes * MINUTE;
    else if (one.do === 'both') await Promise.all([tell(ctx), tell({ ...ctx, owner: 'another worker' })]);
    else if (one.do === 'tell') await tell(ctx);
    else {
      const stop = new AbortController();
      const telling = openTelling(ctx, stop.signal);
      await telling.tell();
      stop.abort();
      await telling.settled();
    }
  }
  // No pause is longer than an hour, and none of this takes a day, after which a message is given up.
  for (let round = 0; round < answers.length + 2; round++) {
    time.now += HOUR;
    await tell(ctx);
  }
  for (const kind of KINDS) {
    const ofKind = tried.filter((one) => one.kind === kind);
    const ids = [...new Set(ofKind.map(({ id }) => id))];
    const types = ids.map((id) => ofKind.find((one) => one.id === id)!.type);
    expect(types).toEqual(happened.get(kind));
    // No message is tried before the one before it was taken.
    for (const [at, id] of ids.entries()) {
      const before = ids[at - 1];
      const first = ofKind.findIndex((one) => one.id === id);
      if (before !== undefined)
        expect(ofKind.slice(0, first)).toContainEqual(expect.objectContaining({ id: before, isTaken: true }));
      expect(ofKind.some((one) => one.id === id && one.isTaken)).toBe(true);
    }
  }
}

import { type Arbitrary, assert, constantFrom, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import {
  deliveryIdentity,
  isSameDelivery,
  isSameRejection,
  rejectionIdentity,
} from '../../../src/jobs/alerts/identity.ts';
import { storeReason } from '../../../src/wording/reasons/reason.ts';
import { runSentence, type RunReason } from '../../../src/wording/reasons/run-reasons.ts';

const REASONS: RunReason[] = [
  { code: 'found', text: 'the file of north shrank by 60%' },
  { code: 'found', text: 'the file of north shrank by 70%' },
  { code: 'feed-frozen', at: 0, who: 'ann', reason: 'season end' },
  { code: 'feed-frozen', at: 60_000, who: 'ann', reason: 'season end' },
  { code: 'upload-refused', said: null },
];

const delivered = record({
  outcome: constantFrom('held' as const, 'rejected' as const, 'failed' as const),
  sha: constantFrom('a'.repeat(64), 'b'.repeat(64), null),
  reason: constantFrom(...REASONS),
});
type Delivered = typeof delivered extends Arbitrary<infer One> ? One : never;

/** A run as this version writes it, and as the version before did. */
function coded({ outcome, sha, reason }: Delivered) {
  return { outcome, delivery_sha: sha, reason: runSentence(reason), ...storeReason(reason) };
}

function uncoded(one: Delivered) {
  return { ...coded(one), reason_code: null, reason_facts: null };
}

const same = (a: Delivered, b: Delivered) => JSON.stringify(a) === JSON.stringify(b);
const sameEnd = (a: Delivered, b: Delivered) => a.outcome === b.outcome && a.sha === b.sha;

test('deliveries are the same when bytes, outcome and reason are, in each version', () => {
  assert(
    property(delivered, delivered, (known, now) => {
      for (const version of [coded, uncoded]) {
        const cause = deliveryIdentity(version(known));
        expect(isSameDelivery({ cause }, version(now))).toBe(same(known, now));
        expect(cause === deliveryIdentity(version(now))).toBe(same(known, now));
      }
    }),
  );
});

test('between versions the same bytes that ended the same way are the same delivery, and no others', () => {
  assert(
    property(delivered, delivered, (known, now) => {
      expect(isSameDelivery({ cause: deliveryIdentity(uncoded(known)) }, coded(now))).toBe(sameEnd(known, now));
      expect(isSameDelivery({ cause: deliveryIdentity(coded(known)) }, uncoded(now))).toBe(sameEnd(known, now));
    }),
  );
});

test('between versions the same bytes with as many rejected rows are the same rejection, and no others', () => {
  const count = constantFrom(1, 2);
  assert(
    property(delivered, delivered, count, count, (known, now, before, after) => {
      const numbers = { rejectedLocally: before };
      const old = { cause: rejectionIdentity(uncoded(known)), numbers };
      expect(isSameRejection(old, coded(now), { rejectedLocally: after })).toBe(
        known.sha === now.sha && before === after,
      );
    }),
  );
});

import * as fc from 'fast-check';

export const FEEDS = ['north', 'south', 'east'];
export const PARTS = [1, 2, 3, 4];

const bits = fc.nat(2 ** PARTS.length - 1);
const feed = fc.constantFrom(...FEEDS);
const sending = {
  /** Which parts are rejected from now on, or not any more. */
  turn: fc.tuple(bits, bits).map(([one, other]) => one & other),
  fate: mostly('proved', 'unproved', 'failed', 'aborted', 'refused', 'open'),
  /** How clearly the service says which rows it rejected. */
  manner: mostly('clear', 'illegible', 'no-errors', 'stray-lines'),
  count: fc.nat(3),
};
const delivery = fc.record({
  feed,
  parts: fc.tuple(bits, bits).map(([one, other]) => one | other),
  rejectedLocally: fc.nat(1),
  duplicates: fc.nat(1),
});

/** The first two times in three, else one of the others. */
function mostly<const Value extends string>(usual: Value, ...others: Value[]): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 2, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
}

/** Anything that may happen to a login. What cannot happen at the time does not. */
export const anyStep = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('deliver'),
      deliveries: fc.array(delivery, { minLength: 1, maxLength: 2 }),
      ...sending,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('finish'), ...sending }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('roll back'), to: fc.nat(), ...sending }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('look'), finds: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('somebody else'), succeeds: fc.boolean(), later: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('late'), isLive: fc.boolean(), ...sending }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('prioritise'), feed, priority: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave or return'), feed }) },
);

/** One of them. */
export type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

/** What becomes of an upload that is sent or finished. */
export type Sending = Pick<Extract<Step, { kind: 'finish' }>, keyof typeof sending>;

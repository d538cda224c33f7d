import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { stateOf, type OfferFacts } from '../../src/sandbox/offers/state.ts';

const facts: OfferFacts = {
  seq: 1,
  id: '1',
  login: 'l',
  file: 'f',
  sourceFile: null,
  kind: 'txt',
  askedDelimiter: null,
  askedCharset: null,
  createdAt: 0,
  startsAt: 0,
  dueAt: 0,
  rowsRead: 0,
  progressAt: 0,
  result: null,
  error: null,
  errorRows: 0,
  delimiter: null,
  charset: null,
  finishedAt: null,
  fate: null,
};

test('whatever the pace and however slowly the file is read, nothing a client sees ever goes back', () => {
  const whole = {
    queued: fc.nat(1000),
    processing: fc.nat(1000),
    rows: fc.nat(1000),
    readingTime: fc.integer({ min: 1, max: 3000 }),
  };
  fc.assert(
    fc.property(fc.record(whole), fc.array(fc.nat(4000)), ({ queued, processing, rows, readingTime }, times) => {
      const dueAt = queued + processing;
      const at = (now: number): OfferFacts => {
        const reading = {
          ...facts,
          startsAt: queued,
          dueAt,
          rowsRead: Math.floor((rows * now) / readingTime),
          progressAt: now,
        };
        if (now < readingTime) return reading;
        return {
          ...reading,
          rowsRead: rows,
          progressAt: readingTime,
          result: 'success',
          finishedAt: Math.max(dueAt, readingTime),
        };
      };
      const order = ['queued', 'processing', 'success'];
      const seen = times.toSorted((a, b) => a - b).map((now) => stateOf(at(now), now));
      for (const [index, { state, rowsProcessed, lastModifiedTime }] of seen.slice(1).entries()) {
        const before = seen[index]!;
        expect(order.indexOf(state)).toBeGreaterThanOrEqual(order.indexOf(before.state));
        expect(rowsProcessed).toBeGreaterThanOrEqual(before.rowsProcessed);
        expect(lastModifiedTime).toBeGreaterThanOrEqual(before.lastModifiedTime);
      }
      expect(stateOf(at(10_000), 10_000)).toMatchObject({ state: 'success', rowsProcessed: rows });
    }),
  );
});

import { describe, expect, test } from 'vitest';
import { raise } from '../../../src/ledger/alerts/incidents.ts';
import { openCallBook, type EndedCall } from '../../../src/ledger/calls/call-book.ts';
import { callsOfUpload, failedCalls } from '../../../src/ledger/calls/calls.ts';
import { serviceRecord } from '../../../src/ledger/calls/service-record.ts';
import { addUploadStep, stepsOfUpload } from '../../../src/ledger/calls/upload-steps.ts';
import { markPruned } from '../../../src/ledger/maintenance/retention.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { openAt, openTwice, type Engine } from './engine.ts';

const NOW = Date.UTC(2026, 4, 4, 6, 0, 0);
const DAY = 86_400_000;
const GOOD: EndedCall = {
  login: 'main',
  at: NOW,
  operation: 'get',
  ms: 12,
  status: 200,
  given_up: 0,
  request_id: 'r-1',
  error: null,
};
const BAD: EndedCall = { ...GOOD, status: 503, error: 'GET /get answered 503' };

/** What every ledger keeps of the calls of the service, and of what it showed of uploads. */
export function callsConformance(engine: Engine): void {
  describe(`calls on ${engine.name}`, () => {
    test('two workers note the calls of one upload, in the order of their times', async () => {
      const [one, other] = await openTwice(engine);
      const [a, b] = [one, other].map((ledger) => openCallBook(ledger, memoryLog().log));
      await a!.during('u1', async () => a!.note({ ...GOOD, at: NOW + 2, operation: 'process' }));
      await b!.during('u1', async () => b!.note({ ...GOOD, at: NOW + 1.4, ms: 0.6, operation: 'list' }));
      b!.note({ ...GOOD, operation: 'search' });
      await Promise.all([a!.flush(), b!.flush(), b!.flush()]);
      const { calls, total } = await callsOfUpload(other.db, 'u1', 10);
      expect(total).toBe(2);
      expect(calls.map(({ at, ms, operation }) => [at, ms, operation])).toEqual([
        [NOW + 1, 1, 'list'],
        [NOW + 2, 12, 'process'],
      ]);
      expect((await callsOfUpload(one.db, 'u1', 1)).calls.map(({ operation }) => operation)).toEqual(['process']);
    });

    test('of calls for no upload those are kept that the service failed, in short', async () => {
      const ledger = await openAt(await engine.place());
      const book = openCallBook(ledger, memoryLog().log);
      book.note(GOOD);
      book.note({ ...BAD, given_up: 1, status: null });
      book.note({ ...BAD, error: `${'long '.repeat(200)}\u0000\nend` });
      book.note({ ...BAD, login: 'other' });
      await book.flush();
      const [call, ...more] = await failedCalls(ledger.db, 'main', { from: NOW, to: NOW + 1, limit: 10 });
      expect(more).toEqual([]);
      expect(call!.error).toMatch(/^(?:long ){40,}.{0,20}$/u);
      expect(call!.error!.length).toBeLessThan(310);
      expect(await failedCalls(ledger.db, 'main', { from: NOW - DAY, to: NOW, limit: 10 })).toEqual([]);
    });

    test('calls that cannot be recorded cost nothing, are said once, and are recorded later; the oldest go', async () => {
      const ledger = await openAt(await engine.place());
      const { log, entries } = memoryLog();
      const book = openCallBook(ledger, log, { most: 3 });
      await ledger.db.schema.alterTable('calls').renameTo('away').execute();
      for (let at = 0; at < 5; at++) book.note({ ...BAD, at });
      await book.flush();
      await book.flush();
      expect(entries.filter(({ msg }) => msg === 'calls of the service cannot be recorded')).toHaveLength(1);
      await ledger.db.schema.alterTable('away').renameTo('calls').execute();
      await book.flush();
      const calls = await failedCalls(ledger.db, 'main', { from: 0, to: 10, limit: 10 });
      expect(calls.map(({ at }) => at)).toEqual([2, 3, 4]);
    });

    test('they are recorded by themselves after a while', async () => {
      const ledger = await openAt(await engine.place());
      const book = openCallBook(ledger, memoryLog().log, { every: 1 });
      book.note(BAD);
      await expect.poll(() => failedCalls(ledger.db, 'main', { from: 0, to: NOW + 1, limit: 1 })).toHaveLength(1);
    });

    test('figures are made of failed calls, stalls and closed uploads; old calls and steps go with the reports', async () => {
      const { db, ...ledger } = await openAt(await engine.place());
      const book = openCallBook({ db }, memoryLog().log);
      await book.during('u1', async () => book.note({ ...GOOD, at: NOW + 5 }));
      book.note(BAD);
      book.note({ ...BAD, status: null, at: NOW + 1 });
      await book.flush();
      const reason = { code: 'upload-stalled', upload: '7', since: NOW, note: null } as const;
      await raise(db, { kind: 'stuck-upload', login: 'main', reason }, NOW);
      const step = { login: 'main', service_state: null, lines: null, last_modified: null, note: null } as const;
      await addUploadStep(db, { ...step, upload: 'u1', at: NOW + 9, state: 'submitted', lines: 7 });
      await addUploadStep(db, { ...step, upload: 'u1', at: NOW, state: 'sending' });
      expect((await stepsOfUpload(db, 'u1')).map(({ state, lines }) => [state, lines])).toEqual([
        ['sending', null],
        ['submitted', 7],
      ]);
      expect(await serviceRecord(db, NOW)).toEqual({
        uploads: [],
        stalls: [NOW],
        failures: expect.arrayContaining([
          { at: NOW, status: 503 },
          { at: NOW + 1, status: null },
        ]) as unknown,
      });
      const nothing = { deliveries: [], reports: [], datasets: [] };
      const keep = { deliveries: DAY, datasets: 1, reports: DAY };
      await ledger.transaction((trx) => markPruned(trx, nothing, keep, NOW + DAY + 4));
      expect((await callsOfUpload(db, 'u1', 9)).total).toBe(1);
      expect(await failedCalls(db, 'main', { from: 0, to: NOW + DAY, limit: 9 })).toEqual([]);
      expect((await stepsOfUpload(db, 'u1')).map(({ at }) => at)).toEqual([NOW + 9]);
    });
  });
}

import { expect, test } from 'vitest';
import { OPEN_STATES } from '../../../src/ledger/schema/schema.ts';
import { openIntent, updateIntent } from '../../../src/ledger/uploads/intents.ts';
import {
  createAttempt,
  hurryUpload,
  newestAttempt,
  openUpload,
  otherTokens,
  tokensOfIntent,
  updateUpload,
} from '../../../src/ledger/uploads/uploads.ts';
import { toAttempt, toColumns } from '../../../src/upload/protocol/attempt-row.ts';
import { attempt, NOW } from '../../upload/attempt.ts';
import { openAt, openTwice, type Engine } from './engine.ts';
import { close, intend } from './intend.ts';

/** What every ledger promises about uploads. */
export function uploadsConformance(engine: Engine): void {
  const { name, place } = engine;

  test(`${name}: the database itself refuses a second unfinished upload of a login`, async () => {
    const [one, two] = await openTwice(engine);
    const intent = await intend(one);
    const first = await createAttempt(one.db, intent, 1, NOW);
    for (const state of OPEN_STATES) {
      await updateUpload(one.db, first.id, { state });
      await expect(createAttempt(two.db, intent, 2, NOW)).rejects.toThrow(/unique/i);
    }
    await createAttempt(two.db, await intend(two, 'other'), 1, NOW);
    for (const state of ['success', 'failed', 'aborted', 'refused', 'lost'] as const) {
      await updateUpload(one.db, first.id, { state });
      const next = await createAttempt(two.db, intent, 2, NOW);
      await expect(updateUpload(one.db, first.id, { state: 'unknown' })).rejects.toThrow(/unique/i);
      await two.db.deleteFrom('uploads').where('id', '=', next.id).execute();
    }
  });

  test(`${name}: of many who begin an upload at once one succeeds`, async () => {
    const [one, two] = await openTwice(engine);
    const intent = await intend(one);
    const begun = Array.from({ length: 10 }, (_, n) => createAttempt((n % 2 === 0 ? one : two).db, intent, n + 1, NOW));
    const settled = await Promise.allSettled(begun);
    expect(settled.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  test(`${name}: tokens are told apart by intent and login, the newest first`, async () => {
    const ledger = await openAt(await place());
    const tokens: string[] = [];
    const first = await intend(ledger);
    for (const number of [1, 2]) {
      const { id, token } = await createAttempt(ledger.db, first, number, NOW);
      await updateUpload(ledger.db, id, { state: 'lost' });
      tokens.push(token);
    }
    await close(ledger, first);
    const second = await intend(ledger);
    const { token } = await createAttempt(ledger.db, second, 1, NOW);
    await createAttempt(ledger.db, await intend(ledger, 'other'), 1, NOW);
    expect(await tokensOfIntent(ledger.db, first.id)).toEqual(tokens.toReversed());
    expect(await tokensOfIntent(ledger.db, second.id)).toEqual([token]);
    expect((await otherTokens(ledger.db, second)).toSorted()).toEqual(tokens.toSorted());
    expect(await newestAttempt(ledger.db, first.id)).toMatchObject({ attempt: 2, state: 'lost' });
    expect(await openUpload(ledger.db, 'main')).toMatchObject({ token, state: 'intended' });
  });

  test(`${name}: an attempt is read as it was written`, async () => {
    const ledger = await openAt(await place());
    const intent = await intend(ledger);
    const { id, token } = await createAttempt(ledger.db, intent, 1, NOW);
    const written = attempt({
      state: 'unknown',
      tokens: [token],
      known: ['9223372036854775807'],
      offerId: '9007199254740993',
      adopted: true,
      probes: 3,
      watched: 12_345,
      marks: { 'this machine': { at: 1_234_567.891, watched: 12_345 } },
      refusal: { status: 409, text: 'einen Moment "bitte"', listed: ['9007199254740993'] },
      waits: 7,
      nextAt: NOW + 0.5,
      wait: 500,
      note: 'wartet',
      service: { state: 'queued', linesProcessed: 5, lastModified: NOW, error: null, errorFileExists: false },
      progressAt: NOW,
      silentSince: NOW,
    });
    await updateUpload(ledger.db, id, toColumns(written, NOW));
    await updateIntent(ledger.db, intent.id, { known_ids: written.known });
    const read = await newestAttempt(ledger.db, intent.id);
    const kept = (await openIntent(ledger.db, 'main')) ?? intent;
    expect(read && toAttempt(read, kept, [token])).toEqual({ ...written, nextAt: NOW + 1 });
  });

  test(`${name}: news cut the pause between two questions, never the one between two looks for a lost upload`, async () => {
    const ledger = await openAt(await place());
    const { id, intent } = await createAttempt(ledger.db, await intend(ledger), 1, NOW);
    for (const [state, expected] of [
      ['intended', 0],
      ['submitted', 0],
      ['unknown', NOW],
      ['success', NOW],
    ] as const) {
      await updateUpload(ledger.db, id, { state, next_at: NOW });
      await hurryUpload(ledger.db, 'other');
      await hurryUpload(ledger.db, 'main');
      expect(await newestAttempt(ledger.db, intent)).toMatchObject({ state, next_at: expected });
    }
  });
}

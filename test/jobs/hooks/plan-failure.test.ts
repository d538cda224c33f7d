import { expect, test } from 'vitest';
import { planFailure } from '../../../src/jobs/hooks/plan-failure.ts';
import { HOUR, START } from './hook-world.ts';

const SETTINGS = { hook: 'ops', fingerprint: 'f' };
const FAILING = { ...SETTINGS, since: START, times: 1, next_at: 0, error: 'answered 500', gone: 0, lost: 0 };

function refused(about: 'hook' | 'message' | 'writing') {
  return { taken: false, about, why: 'answered 422', said: null, retryAfter: null } as const;
}

test('a message that is a day old after its first try is not given up, and one that was tried often is', () => {
  const now = START + 30 * HOUR;
  const plan = (about: 'hook' | 'message', tries: number, since: number) => {
    const failure = { ...FAILING, since, times: about === 'hook' ? tries : 1 };
    return planFailure(refused(about), { ...SETTINGS, message: { tries, at: START }, failure }, now).giveUp;
  };
  expect([plan('hook', 0, now), plan('message', 0, now)]).toEqual([null, null]);
  expect(plan('hook', 9, now - HOUR)).toEqual({ of: 'hook', before: now - 24 * HOUR });
  expect(plan('hook', 1, now - 25 * HOUR)).toEqual({ of: 'hook', before: now - 24 * HOUR });
  expect(plan('message', 9, now)).toEqual({ of: 'message', before: now - 24 * HOUR });
});

test('three messages that are refused in a row are about the hook; the same one three times is not', () => {
  const plan = (tries: number, times: number) => {
    const known = { ...SETTINGS, message: { tries, at: START }, failure: { ...FAILING, times } };
    return planFailure(refused('message'), known, START);
  };
  expect(plan(0, 1)).toMatchObject({ hookRests: false, failure: { times: 2, next_at: 0 } });
  expect(plan(5, 2)).toMatchObject({ hookRests: false, failure: { times: 2, next_at: 0 } });
  const { hookRests, failure, messageNext } = plan(0, 2);
  expect({ hookRests, times: failure.times }).toEqual({ hookRests: true, times: 3 });
  // The next one is tried first.
  expect([failure.next_at > START, messageNext > START]).toEqual([true, true]);
});

test('messages that cannot be written say nothing about the hook, however many there are', () => {
  const plan = (failure: typeof FAILING | undefined) =>
    planFailure(refused('writing'), { ...SETTINGS, message: { tries: 0, at: START }, failure }, START);
  expect(plan(undefined)).toMatchObject({ hookRests: false, giveUp: null, failure: { times: 0, next_at: 0 } });
  expect(plan({ ...FAILING, times: 5 })).toMatchObject({ hookRests: false, failure: { times: 5 } });
});

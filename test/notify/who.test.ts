import { describe, expect, test } from 'vitest';
import type { Manager } from '../../src/config/schema.ts';
import type { Outcome } from '../../src/model.ts';
import { brandsWatched, whoIsTold } from '../../src/notify/who.ts';
import { runAnswer } from '../support/answers.ts';

function manager(changes: Partial<Manager> = {}): Manager {
  return { email: 'parts@example.com', when: ['problem', 'recovered'], ...changes };
}

/** Whether this one manager is told that a run of the feed north ended so. */
function isTold(
  one: Manager,
  outcome: Outcome | null,
  previous: Outcome | null = null,
  touched: string[] = [],
): boolean {
  return whoIsTold([one], { answer: runAnswer({ outcome }), previous, touched: new Set(touched) }).length === 1;
}

const OUTCOMES: Outcome[] = ['live', 'partial', 'unchanged', 'nothing', 'held', 'rejected', 'failed'];

describe('when', () => {
  test('problem: a run that ended badly', () => {
    const told = OUTCOMES.filter((outcome) => isTold(manager({ when: ['problem'] }), outcome));
    expect(told).toEqual(['partial', 'held', 'rejected', 'failed']);
  });

  test('recovered: live after a problem, once', () => {
    const told = OUTCOMES.filter((previous) => isTold(manager({ when: ['recovered'] }), 'live', previous));
    expect(told).toEqual(['partial', 'held', 'rejected', 'failed']);
    expect(isTold(manager(), 'live', null)).toBe(false);
  });

  test('recovered: the good file is there again after a bad one, but rejected rows are not healed by that', () => {
    const told = OUTCOMES.filter((previous) => isTold(manager({ when: ['recovered'] }), 'unchanged', previous));
    expect(told).toEqual(['held', 'rejected', 'failed']);
  });

  test('always: each run that has ended', () => {
    expect(OUTCOMES.every((outcome) => isTold(manager({ when: ['always'] }), outcome))).toBe(true);
    expect(isTold(manager({ when: ['always'] }), null)).toBe(false);
  });

  test('daily: not after a run', () => {
    expect(OUTCOMES.some((outcome) => isTold(manager({ when: ['daily'] }), outcome))).toBe(false);
  });
});

describe('for whom', () => {
  test('feeds: all of them, or the named ones', () => {
    expect(isTold(manager(), 'failed')).toBe(true);
    expect(isTold(manager({ feeds: ['south', 'north'] }), 'failed')).toBe(true);
    expect(isTold(manager({ feeds: ['south'] }), 'failed')).toBe(false);
    expect(isTold(manager({ feeds: [] }), 'failed')).toBe(false);
  });

  test('brands: rejected rows concern those who sell the brand, a file that is stopped concerns all', () => {
    const brakes = manager({ brands: ['BREMBO', 'ATE'] });
    expect(isTold(brakes, 'partial', null, ['ATE'])).toBe(true);
    expect(isTold(brakes, 'partial', null, ['BOSCH'])).toBe(false);
    expect(isTold(brakes, 'held')).toBe(true);
    expect(isTold(brakes, 'live', 'failed')).toBe(true);
  });

  test('an address that is written twice is told once', () => {
    const managers = [
      manager({ when: ['always'] }),
      manager({ email: 'PARTS@example.com' }),
      manager({ email: 'b@x.de' }),
    ];
    const answer = runAnswer({ outcome: 'failed' });
    const told = whoIsTold(managers, { answer, previous: null, touched: new Set() });
    expect(told.map(({ email }) => email)).toEqual(['parts@example.com', 'b@x.de']);
  });
});

test('the brands worth looking for are those of the feed’s managers', () => {
  const managers = [manager({ brands: ['ATE'] }), manager({ feeds: ['south'], brands: ['BOSCH'] }), manager()];
  expect(brandsWatched(managers, 'north')).toEqual(new Set(['ATE']));
});

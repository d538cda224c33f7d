import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DatasetHeld } from '../../../src/jobs/guards/dataset-guard.ts';
import type { LaneStep } from '../../../src/jobs/lane/lane-facts.ts';
import { planLane } from '../../../src/jobs/lane/plan-lane.ts';
import { planUpload } from '../../../src/jobs/lane/plan-upload.ts';
import { accepted, anyLogin, factsOf, uploadFactsOf, type Login } from './login-model.ts';
import { nameOf, playLane, type Planned } from './model-steps.ts';

const RUNS = { numRuns: 4000 };

/** The dataset that a step decides to send again. */
function restoredBy(step: LaneStep) {
  return step.do === 'watch' && 'restore' in step.step ? step.step.restore : null;
}

const uploads = (step: LaneStep) => step.do === 'compose' || restoredBy(step) !== null;

/** Every step that any login leads to. */
function everyStep(check: (planned: Planned, all: Planned[]) => void): void {
  fc.assert(
    fc.property(anyLogin, (login) => {
      const all = playLane(login);
      for (const planned of all) check(planned, all);
    }),
    RUNS,
  );
}

/** Every step that a lane knows; those that may send a dataset again with that and without. */
const STEPS = [
  ...['answer-denied', 'drive', 'end-damage', 'give-up', 'take-apart', 'compose', 'wait', 'rest'],
  ...['look', 'postpone-look', 'recognise', 'read-attempt', 'check-archive', 'settle-late', 'take-over', 'confirm'],
  ...['verify-late', 'reverify', 'note-verified', 'look-later', 'compare-rows'],
  ...['record-late', 'note-unproved', 'note-foreign'].flatMap((step) => [step, `${step} and restore`]),
];

test('the logins that are tried lead to every step', () => {
  const seen = fc
    .sample(anyLogin, { numRuns: 6000, seed: 12 })
    .flatMap((login) => playLane(login).map(({ step }) => step))
    .map((step) => (restoredBy(step) === null ? nameOf(step) : `${nameOf(step)} and restore`));
  expect([...new Set(seen)].sort()).toEqual([...STEPS].sort());
});

test('every lane comes to rest or to a wait, and a plan that is made again says the same', () => {
  everyStep(({ step, facts }) => expect(planLane(facts)).toEqual(step));
});

test('a lane that has come to rest plans nothing more for a login that did not change', () => {
  fc.assert(
    fc.property(anyLogin, (start) => {
      const { step, login } = playLane(start).at(-1)!;
      fc.pre(step.do === 'rest');
      const again = planLane(factsOf(login));
      // A login that is denied answers those who came to wait since.
      expect(login.denied ? 'answer-denied' : 'rest').toBe(again.do);
    }),
    RUNS,
  );
});

test('while an intent is open nothing is done but to drive it', () => {
  everyStep(({ step, facts }) => {
    if (facts.intent !== null) expect(['drive', 'wait']).toContain(step.do);
  });
});

test('a login whose credentials are denied asks the service nothing', () => {
  everyStep(({ step, facts }) => {
    if (facts.denial !== null) expect(['answer-denied', 'rest']).toContain(step.do);
  });
});

test('nothing of a paused login is composed or sent again', () => {
  everyStep(({ step, login }) => {
    if (login.paused) expect(uploads(step)).toBe(false);
  });
});

test('nothing is composed before what is live has been looked at', () => {
  everyStep(({ step, facts }) => {
    if (step.do !== 'compose') return;
    const { current, found } = facts.idle!.watch;
    expect(found.look).not.toBe('skipped');
    if (current === null) expect(found.look).toMatchObject({ records: expect.any(Array) as unknown[] });
    else expect(found.look).toBeDefined();
  });
});

test('a foreign upload stays live under `onForeign: alarm`', () => {
  everyStep(({ step, login }) => {
    if (step.do !== 'watch' || step.step.do !== 'note-foreign' || login.onForeign !== 'alarm') return;
    const { offerId } = step.step.foreign;
    if (offerId.startsWith('foreign')) expect(step.step.restore).toBeNull();
  });
});

test('a foreign upload is replaced once, and never one with the same rows', () => {
  everyStep(({ step }) => {
    if (step.do !== 'watch' || step.step.do !== 'note-foreign') return;
    const { restoredBy: before, text } = step.step.foreign;
    if (before !== null || text.endsWith('with the same rows')) expect(step.step.restore).toBeNull();
  });
});

test('a dataset is sent again only when its bytes are archived, and twice in a day at most', () => {
  everyStep(({ step, login, facts }) => {
    const target = restoredBy(step);
    if (target === null) return;
    expect(login.restores).toBeLessThan(2);
    expect(facts.idle?.watch.found.archived).toMatchObject({ [target.dataset.id]: true });
  });
});

test('what is sent again was proved, or is the current dataset where nothing was', () => {
  everyStep(({ step, facts }) => {
    const target = restoredBy(step);
    if (target === null) return;
    const { current, verified } = facts.idle!.watch;
    expect([current?.upload.id, verified?.upload.id]).toContain(target.upload.id);
    if (verified !== null && verified.intent.cause !== 'baseline') expect(target.intent.result).toBe('met');
  });
});

test('nothing is sent again while an upload is due: it takes the place of what is live anyway', () => {
  everyStep(({ step, facts }) => {
    if (facts.idle?.watch.sending === true) expect(restoredBy(step)).toBeNull();
  });
});

test('no question is asked twice in one look', () => {
  fc.assert(
    fc.property(anyLogin, (login) => {
      let asked: string[] = [];
      for (const { step, facts } of playLane(login)) {
        if (facts.idle?.watch.found.look === undefined) asked = [];
        expect(asked).not.toContain(nameOf(step));
        asked.push(nameOf(step));
      }
    }),
    RUNS,
  );
});

const hash = fc.constantFrom('a', 'b', 'c');
const held = fc.constantFrom<DatasetHeld | null | undefined>(undefined, null, { reason: 'it shrank', culprits: [] });

function isForced({ runs }: Login): boolean {
  return runs.some(({ options }) => options.includes('force'));
}

test('a composed dataset is uploaded only when the guards let it pass', () => {
  fc.assert(
    fc.property(anyLogin, hash, held, (login, sha256, verdict) => {
      const step = planUpload({ ...uploadFactsOf(login, sha256), held: verdict });
      if (step.do === 'intend') expect(verdict).toBeNull();
      if (step.do === 'hold') expect(verdict).toBe(step.held);
      if (step.do === 'guard') expect(verdict).toBeUndefined();
    }),
    RUNS,
  );
});

test('a composed dataset that is live for certain is not uploaded again, unless someone insists', () => {
  fc.assert(
    fc.property(anyLogin, hash, held, (login, sha256, verdict) => {
      const facts = { ...uploadFactsOf(login, sha256), held: verdict };
      const { current, uncertain } = facts;
      const isLive = current?.dataset.sha256 === sha256 && current.intent.result === 'met' && !uncertain;
      expect(planUpload(facts).do === 'keep-live').toBe(isLive && !isForced(login));
    }),
    RUNS,
  );
});

test('a dataset that was accepted and not proved is uploaded again, and guards measure by the one before it', () => {
  const answers = { uncertain: false } as Login['answers'];
  const successes = [accepted(1, 'a'), accepted(2, 'b', { result: 'unproved' })];
  const facts = uploadFactsOf({ successes, answers, runs: [] as Login['runs'] } as Login, 'b');
  expect(planUpload(facts)).toEqual({ do: 'guard', verified: successes[0] });
});

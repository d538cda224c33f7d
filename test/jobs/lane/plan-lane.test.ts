import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DatasetHeld } from '../../../src/jobs/guards/dataset-guard.ts';
import type { LaneStep } from '../../../src/jobs/lane/lane-facts.ts';
import { planLane, planUpload } from '../../../src/jobs/lane/plan-lane.ts';
import type { StepOf, WatchStep } from '../../../src/jobs/watch/watch-facts.ts';
import { accepted, anyLogin, factsOf, SHRANK, uploadFactsOf, uploadsOf, type Login } from './login-model.ts';
import { nameOf, playLane, type Planned } from './model-steps.ts';
import { repetitions } from '../../support/repetitions.ts';

const RUNS = { numRuns: repetitions(4000) };

/** The dataset that a step decides to send again. */
function restoredBy(step: LaneStep) {
  return step.do === 'watch' && 'restore' in step.step ? step.step.restore : null;
}

const sends = (step: LaneStep) => step.do === 'compose' || restoredBy(step) !== null;

/** The first way to a step, as far as they are found, that breaks a rule; null when none does. */
function brokenBy(rule: (planned: Planned) => boolean): string[] | null {
  const property = fc.property(anyLogin, (login) => playLane(login).every(rule));
  const login = fc.check(property, RUNS).counterexample?.[0];
  return login === undefined ? null : playLane(login).map(({ step }) => nameOf(step));
}

/** The step of the watch by its name, if it is one. */
function stepOf<Kind extends WatchStep['do']>(step: LaneStep, kind: Kind): StepOf<Kind> | null {
  return step.do === 'watch' && step.step.do === kind ? (step.step as StepOf<Kind>) : null;
}

/** Every step that a lane knows; those that may send a dataset again with that and without. */
const RESTORING = ['record-late', 'note-unproved', 'note-foreign', 'note-overtaken'];
const STEPS = [
  'answer-denied drive end-damage give-up take-apart compose wait rest look postpone-look recognise read-attempt',
  'check-archive settle-late take-over confirm verify-late reverify note-verified look-later compare-rows',
].flatMap((line) => line.split(' '));

test('the logins that are tried lead to every step', () => {
  const seen = fc
    .sample(anyLogin, { numRuns: 6000, seed: 12 })
    .flatMap((login) => playLane(login).map(({ step }) => step))
    .map((step) => (restoredBy(step) === null ? nameOf(step) : `${nameOf(step)} and restore`));
  const all = [...STEPS, ...RESTORING.flatMap((step) => [step, `${step} and restore`])];
  expect([...new Set(seen)].sort()).toEqual(all.sort());
});

test('every lane comes to rest or to a wait, and a plan that is made again says the same', () => {
  expect(brokenBy(({ step, facts }) => isDeepStrictEqual(planLane(facts), step))).toBeNull();
});

test('a lane that has come to rest plans nothing more for a login that did not change', () => {
  fc.assert(
    fc.property(anyLogin, (start) => {
      const { step, login } = playLane(start).at(-1)!;
      fc.pre(step.do === 'rest');
      // A login that is denied answers those who came to wait since.
      expect(planLane(factsOf(login)).do).toBe(login.denied ? 'answer-denied' : 'rest');
    }),
    RUNS,
  );
});

test('while an intent is open nothing is done but to drive it', () => {
  const isDriven = (step: LaneStep) => step.do === 'drive' || step.do === 'wait';
  expect(brokenBy(({ step, facts }) => facts.intent === null || isDriven(step))).toBeNull();
});

test('a login whose credentials are denied asks the service nothing', () => {
  const isSilent = (step: LaneStep) => step.do === 'answer-denied' || step.do === 'rest';
  expect(brokenBy(({ step, facts }) => facts.denial === null || isSilent(step))).toBeNull();
});

test('nothing of a paused login is composed or sent again', () => {
  expect(brokenBy(({ step, login }) => !login.paused || !sends(step))).toBeNull();
});

test('nothing is composed before what is live has been looked at, which must succeed before the first upload', () => {
  const rule = ({ step, facts }: Planned) => {
    if (step.do !== 'compose') return true;
    const look = facts.idle?.watch.found.look;
    return typeof look === 'object' || (look === 'failed' && step.current !== null);
  };
  expect(brokenBy(rule)).toBeNull();
});

test('a foreign upload stays live under `onForeign: alarm`', () => {
  const rule = ({ step, login }: Planned) => {
    const noted = stepOf(step, 'note-foreign');
    const isForeign = noted?.foreign.offerId.startsWith('foreign') === true;
    return !isForeign || login.onForeign === 'restore' || noted.restore === null;
  };
  expect(brokenBy(rule)).toBeNull();
});

test('an older upload of ours that arrived late is replaced under either `onForeign`, as soon as nothing keeps it', () => {
  const rule = ({ step, login, facts }: Planned) => {
    const noted = stepOf(step, 'note-overtaken');
    if (noted === null || noted.restore !== null || facts.idle?.watch.sending === true) return true;
    return login.paused || !login.answers.isArchived || login.restores >= 2;
  };
  expect(brokenBy(rule)).toBeNull();
});

test('a foreign upload is replaced once, and never one with the same rows', () => {
  const rule = ({ step, login }: Planned) => {
    const noted = stepOf(step, 'note-foreign');
    return noted?.restore == null || (login.met?.restored !== true && !noted.foreign.sameRows);
  };
  expect(brokenBy(rule)).toBeNull();
});

test('a dataset is sent again only when its bytes are archived, and twice in a day at most', () => {
  const rule = ({ step, login, facts }: Planned) => {
    const target = restoredBy(step);
    if (target === null) return true;
    return login.restores < 2 && facts.idle?.watch.found.archived?.[target.dataset.id] === true;
  };
  expect(brokenBy(rule)).toBeNull();
});

test('what is sent again was proved, or is the current dataset where nothing of ours was', () => {
  const rule = ({ step, login }: Planned) => {
    const target = restoredBy(step);
    if (target === null) return true;
    const { current, verified } = uploadsOf(login);
    const isKnown = target.upload.id === verified?.upload.id || target.upload.id === current?.upload.id;
    const isAnyProved = verified !== null && verified.intent.cause !== 'baseline';
    return isKnown && (!isAnyProved || target.intent.result === 'met');
  };
  expect(brokenBy(rule)).toBeNull();
});

test('nothing is sent again while an upload is due: it takes the place of what is live anyway', () => {
  expect(brokenBy(({ step, facts }) => facts.idle?.watch.sending !== true || restoredBy(step) === null)).toBeNull();
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
const held = fc.constantFrom<DatasetHeld | null | undefined>(undefined, null, SHRANK);

function isForced({ runs }: Login): boolean {
  return runs.some(({ options }) => options.force === true);
}

test('a composed dataset is uploaded only when the guards let it pass', () => {
  fc.assert(
    fc.property(anyLogin, hash, held, (login, sha256, verdict) => {
      const step = planUpload({ ...uploadFactsOf(login, sha256), held: verdict });
      const decided = verdict === undefined ? 'guard' : verdict === null ? 'intend' : 'hold';
      expect([decided, 'keep-live']).toContain(step.do);
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

test('a dataset that was accepted but could not be confirmed as live is uploaded again, and guards measure by the one before it', () => {
  const answers = { uncertain: false } as Login['answers'];
  const successes = [accepted(1, 'a'), accepted(2, 'b', { result: 'unproved' })];
  const facts = uploadFactsOf({ successes, answers, runs: [] as Login['runs'] } as Login, 'b');
  expect(planUpload(facts)).toEqual({ do: 'guard', verified: successes[0] });
});

import { expect, test } from 'vitest';
import { findabilityAnswer } from '../../../src/jobs/findability/answer.ts';
import { lookAtFeed } from '../../../src/jobs/findability/look.ts';
import { knownDemand, lastLook } from '../../../src/ledger/uploads/findability.ts';
import { createDemand } from '../../../src/parts/demand.ts';
import { incidentAnswers } from '../../../src/jobs/standing/incident-answer.ts';
import { listIncidents } from '../../../src/ledger/alerts/incidents.ts';
import { referenceForTests } from '../../sandbox/search-world.ts';
import { findabilityWorld } from './findability-world.ts';

const reference = referenceForTests();
const NORTH = { login: 'main', feed: 'north' };
const SETTINGS = { sample: 100, rate: 1000, locale: 'en_US' };
const NEVER = new AbortController().signal;

type World = Awaited<ReturnType<typeof findabilityWorld>>;

const look = async ({ ctx }: World, settings: Partial<typeof SETTINGS> = {}) =>
  findabilityAnswer(await lookAtFeed(NORTH, { ...SETTINGS, ...settings }, { signal: NEVER }, ctx));

const known = () =>
  reference
    .rows('SELECT brand, oem FROM parts WHERE original = 0 ORDER BY id LIMIT 3')
    .map(({ brand, oem }) => [String(brand), String(oem), '', '']);
const OWN = ['NOBODY', 'XY12345', 'Something', ''];

test('parts of the reference database are known, others are only what their file says', async () => {
  const world = await findabilityWorld(reference);
  await world.upload(...known(), OWN);
  const answer = await look(world);
  expect(answer).toMatchObject({
    parts: 4,
    asked: 4,
    known: 3,
    own: 1,
    otherBrand: 0,
    missing: 0,
    namesShown: true,
    note: null,
  });
  expect(answer.share).toEqual({ share: 0.75, from: 0.75, to: 0.75 });
  expect(answer.answers.every(({ saleCategory }) => saleCategory !== undefined)).toBe(true);
  expect(findabilityAnswer((await lastLook(world.ctx.ledger.db, NORTH))!)).toEqual(answer);
});

test('a number that is live under a known brand as well is known under that one', async () => {
  const world = await findabilityWorld(reference);
  const [[brand = '', oem = ''] = []] = known();
  await world.upload([brand, oem, '', ''], ['OTHER', oem, '', '']);
  const answer = await look(world);
  expect(answer).toMatchObject({ known: 1, otherBrand: 1 });
  expect(answer.otherBrands).toEqual([{ brand: 'OTHER', knownAs: brand, parts: 1, examples: [oem] }]);
});

test('it is asked no faster than the settings allow, and once for a part that is known', async () => {
  const world = await findabilityWorld(reference);
  await world.upload(...known());
  await look(world, { rate: 5000 });
  expect(world.pauses).toEqual([5000, 5000]);
});

test('a language in which the reference database has no names: nothing is said of what it knows', async () => {
  const world = await findabilityWorld(reference);
  await world.upload(OWN);
  expect(await look(world)).toMatchObject({ own: 1, namesShown: false, share: null });
});

test('a part that is live and not found is an incident, until all are found', async () => {
  const world = await findabilityWorld(reference, { faults: [{ fault: 'index-lag', for: '1h', nth: 2 }] });
  await world.upload(OWN);
  await world.upload(...known());
  expect(await look(world)).toMatchObject({ missing: 3 });
  const [incident] = await incidentAnswers(await listIncidents(world.ctx.ledger.db), world.ctx);
  expect(incident).toMatchObject({ kind: 'not-found', feed: 'north' });
  expect(incident!.sentence).toMatch(
    /^north: live parts are not found by the search — 3 of 3 parts that upload \d+ made live are not found/,
  );
  await world.ctx.clock.wait(3_600_000);
  expect(await look(world)).toMatchObject({ missing: 0 });
  expect(await listIncidents(world.ctx.ledger.db)).toEqual([]);
});

test('an upload of the login goes first, and nothing is recorded', async () => {
  const world = await findabilityWorld(reference);
  await world.upload(...known());
  await world.intend(OWN);
  expect(await look(world)).toMatchObject({ asked: 0, note: 'an upload of the login goes first' });
  expect(await lastLook(world.ctx.ledger.db, NORTH)).toBeNull();
});

test('a service that refuses ends the look, with what was answered until then', async () => {
  const world = await findabilityWorld(reference);
  await world.upload(...known());
  await world.control.add({ fault: 'refuse', status: 403, operation: 'search', nth: 2 });
  const answer = await look(world);
  expect(answer).toMatchObject({ asked: 1, known: 1, missing: 0 });
  expect(answer.note).toMatch(/403/);
  expect(await listIncidents(world.ctx.ledger.db)).toEqual([]);
});

test('a stopped look records nothing', async () => {
  const world = await findabilityWorld(reference);
  await world.upload(...known());
  const stop = new AbortController();
  const onAsked = (asked: number) => {
    if (asked === 1) stop.abort(new Error('stopped'));
  };
  await expect(lookAtFeed(NORTH, SETTINGS, { signal: stop.signal, onAsked }, world.ctx)).rejects.toThrow('stopped');
  expect(await lastLook(world.ctx.ledger.db, NORTH)).toBeNull();
});

test('without a proved upload there is nothing to look for', async () => {
  const world = await findabilityWorld(reference);
  await expect(look(world)).rejects.toMatchObject({ code: 'conflict' });
});

test('a look that was cut short does not take the place of a whole one', async () => {
  const world = await findabilityWorld(reference);
  await world.upload(...known());
  const whole = await look(world);
  await world.control.add({ fault: 'refuse', status: 503, operation: 'search', times: 'forever' });
  world.clock.time += 1000;
  expect(await look(world)).toMatchObject({ asked: 0 });
  expect(findabilityAnswer((await lastLook(world.ctx.ledger.db, NORTH))!)).toEqual(whole);
});

test('what was not found is looked for again beside the sample, and only its being found ends the incident', async () => {
  const world = await findabilityWorld(reference, { faults: [{ fault: 'index-lag', for: '1h', nth: 2 }] });
  const own = (from: number) => Array.from({ length: 40 }, (_, at) => ['NOBODY', `XY${from + at}`, '', '']);
  await world.upload(...own(1000));
  await world.upload(...own(1000), ...own(5000));
  const first = await look(world, { sample: 10 });
  expect(first.missing).toBeGreaterThan(0);
  await world.ctx.clock.wait(60_000);
  const second = await look(world, { sample: 10 });
  expect(second.asked).toBe(10 + first.missing);
  expect(second.missingParts).toEqual(expect.arrayContaining(first.missingParts));
  await world.ctx.clock.wait(3_600_000);
  expect(await look(world, { sample: 10 })).toMatchObject({ missing: 0, asked: 10 + second.missing });
  expect(await listIncidents(world.ctx.ledger.db)).toEqual([]);
});

test('parts that are not live any more are not missing', async () => {
  const world = await findabilityWorld(reference, { faults: [{ fault: 'index-lag', for: '24h', nth: 2 }] });
  await world.upload(OWN);
  await world.upload(...known());
  expect(await look(world)).toMatchObject({ missing: 3 });
  await world.upload();
  expect(await look(world)).toMatchObject({ parts: 0, asked: 0 });
  const [over] = await listIncidents(world.ctx.ledger.db, { all: true });
  expect(over).toMatchObject({ kind: 'not-found', recovery: 'nothing of it is live any more' });
});

test('the demand for what is gone and is offered under its number still is asked for, within the sample', async () => {
  const world = await findabilityWorld(reference);
  const [[brand = '', oem = ''] = [], ...others] = known();
  await world.upload([brand, oem, '', ''], ['GONE', oem, '', ''], ['GONE', 'ZZ98765', '', ''], ...others);
  await world.upload([brand, oem, '', ''], ...others);
  const answer = await look(world, { sample: 12 });
  const { saleCategory } = answer.answers.find((one) => one.oem === oem)!;
  expect(answer.wanted).toEqual([
    { brand: 'GONE', oem, why: 'gone', saleCategory },
    { brand: 'GONE', oem: 'ZZ98765', why: 'gone' },
  ]);
  expect(answer).toMatchObject({ asked: 3, parts: 3 });
  const demand = createDemand(await knownDemand(world.ctx.ledger.db, NORTH));
  expect(demand.of({ brand: 'GONE', oem })).toBe(saleCategory);
  expect(demand.of({ brand: 'GONE', oem: 'ZZ98765' })).toBeNull();
  expect(await look(world)).toMatchObject({ wanted: [] });
});

test('the demand of a part that was looked for while it was live is known, and not asked for when it is gone', async () => {
  const world = await findabilityWorld(reference);
  await world.upload(...known(), ['GONE', 'ZZ98765', '', '']);
  expect(await look(world)).toMatchObject({ asked: 4, wanted: [] });
  await world.upload(...known());
  expect(await look(world)).toMatchObject({ asked: 3, wanted: [] });
  const demand = createDemand(await knownDemand(world.ctx.ledger.db, NORTH));
  expect(demand.of({ brand: 'GONE', oem: 'ZZ98765' })).not.toBeNull();
});

test('no more than a quarter of the sample is for what is not live', async () => {
  const world = await findabilityWorld(reference);
  const own = (from: number) => Array.from({ length: 40 }, (_, at) => ['NOBODY', `XY${from + at}`, '', '']);
  await world.upload(...own(1000), ...own(5000));
  await world.upload(...own(1000));
  const answer = await look(world, { sample: 10 });
  expect(answer.asked).toBe(8);
  expect(answer.wanted).toHaveLength(2);
});

test('an answer that comes after an upload of the login has begun does not count', async () => {
  const world = await findabilityWorld(reference);
  await world.upload(...known());
  await world.upload(OWN, ...known());
  let asked = 0;
  const clock = {
    ...world.ctx.clock,
    wait: async () => {
      asked += 1;
      if (asked === 2) await world.upload(OWN);
    },
  };
  const look2 = await lookAtFeed(NORTH, SETTINGS, { signal: NEVER }, { ...world.ctx, clock });
  expect(look2).toMatchObject({ note: 'another dataset has become live meanwhile' });
  expect(look2.answers.every(({ found }) => found !== 'missing')).toBe(true);
  expect(await listIncidents(world.ctx.ledger.db)).toEqual([]);
});

test('a look of a clock that was ahead does not hide those that follow', async () => {
  const world = await findabilityWorld(reference);
  await world.upload(...known());
  world.clock.time += 366 * 86_400_000;
  await look(world);
  world.clock.time -= 366 * 86_400_000;
  const now = await look(world);
  expect(findabilityAnswer((await lastLook(world.ctx.ledger.db, NORTH))!)).toEqual(now);
});

test('what is asked again is counted, and asked no faster', async () => {
  const world = await findabilityWorld(reference, { retries: 2 });
  await world.upload(...known());
  await world.control.add({ fault: 'refuse', status: 503, operation: 'search', nth: 2 });
  const whole = await lookAtFeed(NORTH, { ...SETTINGS, rate: 5000 }, { signal: NEVER }, world.ctx);
  expect(whole).toMatchObject({ note: null, calls: 4 });
  expect(world.pauses.filter((pause) => pause > 2000)).toHaveLength(3);
});

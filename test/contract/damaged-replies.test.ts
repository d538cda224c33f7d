import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/service/operations.ts';
import { OfferlineError } from '../../src/service/service.ts';
import { everyCall, type Reply } from './every-call.ts';

const world = await everyCall();
const rest = world.calls(world.client({}));
const command = world.catalogCalls(world.client({ catalogForm: 'command' }));

/** What a value of a reply may be instead. */
const INSTEAD: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  '',
  'x',
  '9223372036854775808',
  [],
  {},
  [[]],
  [null],
  { data: null },
  [{ id: {} }],
  'x'.repeat(200_000),
  Array.from({ length: 5000 }, () => 'x'),
  JSON.parse('['.repeat(600) + ']'.repeat(600)),
];

type Place = { holder: Record<string, unknown>; key: string };

/** Every place of a value, itself in `root`. */
function placesOf(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found;
  const holder = value as Record<string, unknown>;
  for (const key of Object.keys(holder)) {
    found.push({ holder, key });
    placesOf(holder[key], found);
  }
  return found;
}

/** JSON with one value missing, one more, or one that is something else. */
function damagedJson(text: string): fc.Arbitrary<string> {
  const instead = fc.record({
    at: fc.nat(),
    what: fc.constantFrom('missing', 'extra', 'other'),
    by: fc.constantFrom(...INSTEAD),
  });
  return instead.map(({ at, what, by }) => {
    const whole = { root: JSON.parse(text) as unknown };
    const places = placesOf(whole);
    const { holder, key } = places[at % places.length]!;
    if (what === 'missing') delete holder[key];
    else holder[what === 'extra' ? `${key}New` : key] = by;
    return JSON.stringify(whole.root) ?? '';
  });
}

const XML_PARTS = [
  '',
  '<row/>',
  '<row><row/></row>',
  '</row>',
  ' a="b"',
  '&amp;',
  '&#0;',
  '&nbsp;',
  '<![CDATA[x]]>',
  '<',
];
const XML_INSTEAD = [
  ...XML_PARTS,
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  'x'.repeat(200_000),
  '<row>'.repeat(600) + '</row>'.repeat(600),
];

/** XML in which a tag, an attribute or a text is missing or something else. */
function damagedXml(text: string): fc.Arbitrary<string> {
  const parts = text.split(/(<[^>]*>|\s[\w-]+="[^"]*")/);
  return fc
    .record({ at: fc.nat(parts.length - 1), by: fc.constantFrom(...XML_INSTEAD) })
    .map(({ at, by }) => parts.with(at, by).join(''));
}

function truncated(text: string): fc.Arbitrary<string> {
  return fc.nat(text.length).map((at) => text.slice(0, at));
}

/** A reply that is wrong as HTTP: cut, encoded in another way, without a body, of any status. */
function badHttp(truth: Reply): fc.Arbitrary<Reply> {
  const length = String(Buffer.byteLength(truth.body) + 5);
  const withStatus = (status: number): Reply => ({ ...truth, status });
  const ofStatus = fc.constantFrom(301, 400, 401, 404, 409, 429, 500, 503).map(withStatus);
  const broken = fc.constantFrom<Reply>(
    { ...truth, status: 0 },
    { ...truth, headers: { 'content-length': length, connection: 'close' } },
    { ...truth, headers: { 'content-encoding': 'gzip' } },
    { ...truth, status: 204, body: '' },
    { ...truth, body: Buffer.from([0xff, 0xfe, 0x00, 0xd8]) },
  );
  return fc.oneof(broken, ofStatus);
}

/** Fails when a call fails with anything but a named error. */
async function survive(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof OfferlineError) || error.message.length > 2000) throw error;
  }
}

/** A reply that makes a call crash, or null: it is answered from replies that are its own, each with some damage. */
async function crashOf(call: () => Promise<unknown>, damaged: (truth: Reply) => fc.Arbitrary<Reply>, numRuns: number) {
  const truth = await world.truth(call);
  if (truth.status !== 200) throw new Error(`The sandbox answered ${truth.status}: ${String(truth.body)}`);
  const property = fc.asyncProperty(damaged(truth), async (reply) => {
    world.answer(reply);
    await survive(call);
  });
  const { counterexample, errorInstance } = await fc.check(property, { numRuns });
  return counterexample === null ? null : { reply: counterexample[0], error: errorInstance };
}

const bodied = (truth: Reply, bodies: fc.Arbitrary<string>) => bodies.map((body) => ({ ...truth, body }));

const FILES = ['source', 'errors'];
const restCalls = Object.entries(rest);
const commandCalls = Object.entries(command);

test('every operation of the client is called', () => {
  const names = Object.keys(rest).filter((name) => OPERATIONS.has(name));
  expect(names.toSorted()).toEqual([...OPERATIONS.keys()].toSorted());
  expect(Object.keys(command)).toHaveLength(9);
});

describe('a reply of the service with something wrong gives a value or a named error', () => {
  test.each(restCalls.filter(([name]) => !FILES.includes(name)))('%s, JSON', async (_name, call) => {
    expect(await crashOf(call, (truth) => bodied(truth, damagedJson(String(truth.body))), 25)).toBeNull();
    expect(await crashOf(call, (truth) => bodied(truth, truncated(String(truth.body))), 5)).toBeNull();
  });

  test.each(commandCalls)('%s, XML', async (_name, call) => {
    expect(await crashOf(call, (truth) => bodied(truth, damagedXml(String(truth.body))), 25)).toBeNull();
    expect(await crashOf(call, (truth) => bodied(truth, truncated(String(truth.body))), 5)).toBeNull();
  });

  test.each([...restCalls, ...commandCalls])('%s, HTTP', async (_name, call) => {
    expect(await crashOf(call, badHttp, 8)).toBeNull();
  });
});

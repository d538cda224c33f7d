import { expect } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import { inScope } from '../support/at-end.ts';
import { controlOf } from '../support/control.ts';
import { canFakeTime, clockTest, fakeTime } from '../support/fake-time.ts';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

/** Longer than the service needs to accept what it received, and far shorter than the clock jumps. */
const POLL = { initial: '50ms', max: '200ms', settle: '6s', patience: '60s', deadline: '10m', index: '1s' };

/** A run whose upload is accepted three seconds after its connection broke; the machine's clock is set while nobody knows. */
async function whileUnknown(...jumps: number[]) {
  const service = await sandboxForTest({ control: true });
  const control = controlOf(service.url);
  const time = fakeTime();
  const shop = install({ service: { baseUrl: service.url, poll: POLL } }, time.env);
  shop.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\nBOSCH;2\n');
  await control.faults({ fault: 'late-accept', after: '3s' });
  const run = shop.start('ingest', 'north', '--wait', '--json');
  const said = (text: string) => until(() => (run.stderr().includes(text) ? true : undefined));
  for (const [nth, seconds] of jumps.entries()) {
    await said(`look ${nth + 1} saw nothing`);
    time.jump(seconds);
  }
  const { stdout, stderr } = await run.ended;
  const accepted = (await control.uploads()).filter(({ acceptedAt }) => acceptedAt !== null);
  return { answer: JSON.parse(stdout) as RunAnswer, stderr, accepted: accepted.length };
}

const JUMPS: Record<string, number[]> = {
  'an hour forward': [3600],
  'a day forward': [86_400],
  'an hour back': [-3600],
  'a day back': [-86_400],
  'forward and back again': [3600, -3600, 3600, -7200],
};

// All at the same time: mostly they wait.
const played = Object.entries(JUMPS).map(([name, jumps]) => ({
  name,
  jumps,
  seen: canFakeTime ? inScope(() => whileUnknown(...jumps)) : undefined,
}));
for (const { seen } of played) seen?.catch(() => undefined);

clockTest.each(played)(
  'the clock is set $name while the outcome of an upload is unknown: it is uploaded once, and that is found out',
  async ({ jumps, seen }) => {
    expect(await seen).toMatchObject({
      accepted: 1,
      answer: { outcome: 'live', upload: { attempts: 1, adopted: true } },
    });
    expect((await seen)?.stderr.match(/clock jumped/g)?.length).toBe(jumps.length);
  },
);

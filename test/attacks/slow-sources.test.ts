import { expect, test } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import { serve } from '../support/http-server.ts';
import { install, type Installation } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

/** A supplier whose server sends a byte now and then: it is never silent, and never done. */
async function drip() {
  const asked = Promise.withResolvers<void>();
  const { url } = await serve((_, response) => {
    response.write('brand;oem\nBOSCH;1');
    asked.resolve();
    const timer = setInterval(() => response.write('1'), 20);
    response.on('close', () => clearInterval(timer));
  });
  return { url, asked: asked.promise };
}

/** Records a run of a feed, for whoever works. */
async function record(shop: Installation, feed: string, ...args: string[]): Promise<string> {
  const { stdout } = await shop.offerline('ingest', feed, '--json', ...args);
  return (JSON.parse(stdout) as { run: string }).run;
}

async function answer(shop: Installation, run: string): Promise<RunAnswer & { stage: string }> {
  return JSON.parse((await shop.offerline('show', run, '--json')).stdout) as RunAnswer & { stage: string };
}

async function done(shop: Installation, run: string) {
  return until(async () => {
    const now = await answer(shop, run);
    return now.stage === 'done' ? now : undefined;
  });
}

/** A shop with one place for pulls and five dripping suppliers, all of them being pulled. */
async function besieged(deadline: string) {
  const service = await sandboxForTest();
  const drips = await Promise.all([drip(), drip(), drip(), drip(), drip()]);
  const slow = drips.map(({ url }, at) => [`slow-${at}`, { source: { type: 'http', url, deadline } }] as const);
  const feeds = { north: {}, ...Object.fromEntries(slow) };
  const shop = install({ service: { baseUrl: service.url }, worker: { pulls: 1 }, feeds });
  const runs: string[] = [];
  for (const [feed] of slow) runs.push(await record(shop, feed));
  shop.start('up');
  await Promise.all(drips.map(({ asked }) => asked));
  return { shop, runs };
}

test('five suppliers that drip hold back no file that is at hand, no folder, nor what is done with it', async () => {
  const { shop, runs } = await besieged('1h');
  const file = shop.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\nATE;2\n');
  expect(await done(shop, await record(shop, 'north', '--file', file))).toMatchObject({ outcome: 'live' });
  shop.deliver('north', 'b.csv', 'brand;oem\nBOSCH;1\nATE;2\nTRW;3\n');
  expect(await done(shop, await record(shop, 'north'))).toMatchObject({ outcome: 'live', rows: { live: 3 } });
  for (const run of runs) expect(await answer(shop, run)).toMatchObject({ stage: 'pull', outcome: null });
});

test('suppliers that drip are given up at source.deadline, and others are pulled', async () => {
  const { shop, runs } = await besieged('3s');
  shop.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\nATE;2\n');
  expect(await done(shop, await record(shop, 'north'))).toMatchObject({ outcome: 'live', rows: { live: 2 } });
  for (const run of runs) {
    expect(await done(shop, run)).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('took longer than 3 s (source.deadline)'),
    });
  }
});

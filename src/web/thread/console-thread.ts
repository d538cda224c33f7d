import { parentPort, workerData } from 'node:worker_threads';
import { LISTS } from '../../app/lists/lists.ts';
import { openReading } from '../../app/open-reader.ts';
import { loadConfig } from '../../config/load.ts';
import { createLog } from '../../log.ts';
import { toThread } from '../../threads/thread.ts';
import { hideFromNowOn } from '../../wording/redact.ts';
import { createApp } from '../http/app.ts';
import { listen } from '../http/listen.ts';
import { createLive } from '../live/live.ts';
import { createMemo } from '../memo.ts';
import { callsTo } from './calls.ts';
import { mirrorGauges } from './gauges.ts';
import type { FromThread, ThreadStart, ToThread } from './protocol.ts';

const port = parentPort!;
const { config, env, credentials } = workerData as ThreadStart;
for (const credential of credentials) hideFromNowOn(credential);

const say = (message: FromThread) => port.postMessage(message);
const gauges = mirrorGauges();
const calls = callsTo(say);

async function serve(): Promise<() => Promise<void>> {
  const loaded = await loadConfig({ ...config, env, lists: LISTS });
  const log = await createLog({ level: loaded.logLevel, pretty: process.stderr.isTTY });
  const { ctx, close } = await openReading(loaded, log, gauges);
  const world = { ctx, loaded, gauges, call: calls.call, memo: createMemo(ctx.ledger) };
  const live = createLive(ctx.ledger, gauges, log);
  const server = await listen(createApp(world, live), loaded.config.web, { log }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  say({ listening: server.address });
  return async () => {
    live.close();
    await server.close();
    await close();
  };
}

let serving: Promise<(() => Promise<void>) | null>;

port.on('message', (message: ToThread) => {
  if ('gauges' in message) gauges.take(message.gauges);
  else if ('answer' in message) calls.take(message);
  else void serving.then((end) => end?.()).finally(() => port.close());
});

serving = serve().catch((error: unknown) => {
  say({ refused: toThread(error) });
  port.close();
  return null;
});

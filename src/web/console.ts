import { Worker } from 'node:worker_threads';
import type { LoadedConfig } from '../config/load.ts';
import type { Context } from '../context.ts';
import { OfferlineError } from '../errors.ts';
import { toThread } from '../threads/thread.ts';
import { hiddenCredentials } from '../wording/redact.ts';
import { operations } from './actions/operations.ts';
import type { World } from './actions/world.ts';
import type { Call, FromThread, ThreadStart, ToThread } from './thread/protocol.ts';

/** The console of a process that works: a thread of its own that serves pages and asks this one to act. */
export type Console = { close: () => Promise<void> };

/** How often the thread is told how far long work is, in milliseconds. */
const GAUGE_EVERY = 500;
/** A thread that ended is started again after so many milliseconds, and an address that is taken is tried again. */
const AGAIN_AFTER = 10_000;
/** A console that wants more megabytes ends alone, before the process that holds leases does. */
const MOST_MEMORY = 1024;
/** Megabytes for new objects, most of which live no longer than a page. */
const YOUNG = 3;
/** How long open pages and downloads may take to end, in milliseconds. */
const CLOSING_TIME = 3000;

/**
 * Serves the console while this process works. Pages are made in a thread with a connection of its own, so that a slow one never
 * delays a lease. What keeps the console from listening is logged and tried again: it never keeps the worker from working.
 */
export function startConsole(loaded: LoadedConfig, ctx: Context): Console {
  let worker: Worker | undefined;
  let again: NodeJS.Timeout | undefined;
  let closing = false;
  let refused = '';
  const start = () => {
    const thread = new Worker(new URL('./thread/console-thread.ts', import.meta.url), {
      workerData: startOf(loaded),
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY, maxYoungGenerationSizeMb: YOUNG },
    });
    worker = thread;
    thread.on('message', (message: FromThread) => {
      if ('call' in message) void answer(message, { ctx, redisUrl: loaded.redisUrl, asker: message.asker }, thread);
      else if ('listening' in message) {
        refused = '';
        ctx.log.info({ url: urlOf(loaded, message.listening) }, 'console ready');
      } else {
        const { message: reason } = message.refused;
        if (reason !== refused) ctx.log.error({ reason }, 'console cannot be served, is tried again');
        refused = reason;
      }
    });
    thread.on('error', (error) => ctx.log.error({ err: error }, 'console ended, is started again'));
    thread.on('exit', () => {
      worker = undefined;
      if (!closing) again = setTimeout(start, AGAIN_AFTER);
    });
  };
  start();
  const gauges = tellGauges(ctx, (message) => worker?.postMessage(message));
  return {
    close: async () => {
      closing = true;
      clearTimeout(again);
      clearInterval(gauges);
      if (worker !== undefined) await end(worker);
    },
  };
}

function startOf({ file, home, env }: LoadedConfig): ThreadStart {
  return { config: { file, home }, env: { ...env }, credentials: hiddenCredentials() };
}

/** What people write into their browsers. */
function urlOf({ config }: LoadedConfig, { host, port }: { host: string; port: number }): string {
  return config.web.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}/`;
}

function tellGauges({ gauges }: Context, tell: (message: ToThread) => void): NodeJS.Timeout {
  let told = '';
  return setInterval(() => {
    const all = [...gauges.all()];
    const text = JSON.stringify(all);
    if (text !== told) tell({ gauges: all });
    told = text;
  }, GAUGE_EVERY).unref();
}

async function answer({ call, name, args }: Call, world: World, thread: Worker): Promise<void> {
  const operation = operations()[name] as (args: unknown, world: World) => Promise<unknown>;
  const result = await operation(args, world).then(
    (ok) => ({ ok }),
    (error: unknown) => {
      if (!(error instanceof OfferlineError))
        world.ctx.log.error({ err: error, operation: name }, 'console action failed');
      return { error: toThread(error) };
    },
  );
  thread.postMessage({ answer: call, result } satisfies ToThread);
}

async function end(worker: Worker): Promise<void> {
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.postMessage({ close: true } satisfies ToThread);
  const late = setTimeout(() => void worker.terminate(), CLOSING_TIME);
  await ended;
  clearTimeout(late);
}

/**
 * Refuses to serve beyond this machine while nobody could sign in: fails with `config`. On this machine the console is read-only
 * then.
 */
export async function assertMayListen(loaded: LoadedConfig, { ledger }: Context): Promise<void> {
  const { listen, oidc, proxy } = loaded.config.web;
  if (listen === null || oidc !== undefined || proxy !== undefined) return;
  const [{ isLoopback }, { countUsers }] = await Promise.all([
    import('../config/loopback.ts'),
    import('../ledger/access/users.ts'),
  ]);
  if (isLoopback(listen.host) || (await countUsers(ledger.db)) > 0) return;
  throw new OfferlineError(
    'config',
    `web.listen is ${listen.host}:${listen.port}, which other machines can reach, and nobody may sign in yet. Add a user first: offerline user add NAME --role admin; or listen on 127.0.0.1.`,
  );
}

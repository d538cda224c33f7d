import { once } from 'node:events';
import type { Command } from 'commander';
import type { LoadedConfig } from '../../config/load.ts';
import type { Context } from '../../context.ts';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Console } from '../../web/console.ts';
import type { Io } from '../io.ts';
import { withSession } from '../session.ts';

/** Adds `up` and `worker`: the processes that stay. */
export function define(program: Command, io: Io): void {
  program
    .command('up')
    .description('Run schedules, sweep, worker and console in one process until stopped.')
    .option('--heartbeat <file>', HEARTBEAT)
    .option('--name <name>', NAME)
    .option('--serves <labels>', SERVES)
    .addHelpText('after', '\nExample:\n  offerline up --config /etc/offerline/offerline.yaml\n')
    .action((options: Stay, command: Command) => stay(command, io, { ...options, schedules: true }));
}

/** Options of both commands. */
export const HEARTBEAT = 'write the time to this file after each successful sweep; a health check can watch its age';

export const NAME = 'what this worker is called; default: OFFERLINE_WORKER_NAME, worker.name, the name of the machine';
export const SERVES =
  'labels of the places that this worker reaches, with commas in between; default: OFFERLINE_WORKER_SERVES, worker.serves';

/** The options of both commands. */
export type Stay = { heartbeat?: string; name?: string; serves?: string };

/** Starts a worker and waits for SIGINT or SIGTERM; work under way is handed back. */
export async function stay(command: Command, io: Io, options: Stay & { schedules: boolean }): Promise<void> {
  const stop = io.stopSignal();
  await withSession(
    command,
    io,
    async ({ ctx, loaded }) => {
      const [{ openRedis }, { startWorker }, { logStages }, { workerName }] = await Promise.all([
        import('../../jobs/redis/open.ts'),
        import('../../jobs/queue/worker.ts'),
        import('../../jobs/queue/log-stages.ts'),
        import('../../jobs/workers/show-life.ts'),
      ]);
      const console = options.schedules ? await prepareConsole(loaded, ctx) : null;
      const redis = await openRedis({
        redisUrl: loaded.redisUrl,
        prefix: loaded.redisPrefix,
        home: loaded.home,
        log: ctx.log,
      });
      try {
        if (redis.notice !== null) ctx.log.warn({ notice: redis.notice }, 'no redis program was found');
        if (ctx.sandbox)
          ctx.log.warn('SANDBOX: service.baseUrl names no service, the built-in sandbox stands in for it');
        logStages(ctx, 'debug');
        const { schedules, heartbeat } = options;
        const onSwept = () => (heartbeat === undefined ? Promise.resolve() : beat(heartbeat, ctx.log));
        const worker = await startWorker(redis, ctx, { schedules, checks: true, stays: true, onSwept });
        const feeds = Object.values(ctx.config.feeds).filter((feed) => feed.schedule !== undefined).length;
        const { serves } = ctx.config.worker;
        const worksAs = { name: workerName(ctx.config), ...(serves.length === 0 ? {} : { serves }) };
        ctx.log.info(
          { ...worksAs, home: ctx.home, redis: redis.describe, scheduledFeeds: feeds, pid: process.pid },
          'ready',
        );
        const serving = console?.();
        if (!stop.aborted) await once(stop, 'abort');
        ctx.log.info({ signal: String(stop.reason) }, 'stopping');
        await Promise.all([serving?.close(), worker.close()]);
      } finally {
        await redis.close();
      }
    },
    'serves',
  );
  io.exit(stop.reason === 'SIGINT' ? 130 : 0);
}

/** What starts the console, unless there is to be none; refused where it would be open to everybody. */
async function prepareConsole(loaded: LoadedConfig, ctx: Context): Promise<(() => Console) | null> {
  if (loaded.config.web.listen === null) return null;
  const { assertMayListen, startConsole } = await import('../../web/console.ts');
  await assertMayListen(loaded, ctx);
  return () => startConsole(loaded, ctx);
}

/** A health check that sees an old file says the same as one that sees none; the work itself must not suffer. */
async function beat(file: string, log: Log): Promise<void> {
  const [{ access, writeFile }, { giveUsersMode }] = await Promise.all([
    import('node:fs/promises'),
    import('../umask.ts'),
  ]);
  try {
    const isNew = await access(file).then(
      () => false,
      () => true,
    );
    await writeFile(file, `${new Date().toISOString()}\n`);
    // The health check may run as another user. What was there already, perhaps a device, keeps its mode.
    if (isNew) await giveUsersMode(file);
  } catch (error) {
    log.warn({ file, reason: messageOf(error) }, 'heartbeat could not be written');
  }
}

import { Option, type Command } from 'commander';
import { finishRun } from '../running/ingest.ts';
import type { Io } from '../io.ts';
import { RERUN_STAGES, type RerunFrom } from '../../jobs/decisions/rerun-stages.ts';
import { OfferlineError } from '../../errors.ts';
import { counted } from '../../wording/words.ts';
import { byThisUser } from './decision.ts';
import { RUN, decideRun, withSession } from '../session.ts';
import { readSince, type Since } from '../since.ts';

type Options = {
  from?: RerunFrom;
  failed?: true;
  since?: Since;
  feed?: string;
  login?: string;
  dryRun?: true;
  wait?: true;
  rehearse?: true;
  json?: true;
};

const HELP = `
  pull      fetch the file from the feed's source again
  validate  read the archived file again, with the current settings
  upload    compose the archived accepted rows afresh with the current rows of the login's other feeds, and upload
  report    only write the report of this run again

Of a feed whose deliveries are changes, only the rows of this file are read again: those before it stay as they were read.

--failed runs the last run of each feed again, if it failed: from the last stage that has what it needs, unless --from says otherwise.
Nothing is sent twice: an upload with an unknown outcome is looked up first.

Example:
  offerline rerun latest:north --from validate --wait
  offerline rerun --failed --since 1d --dry-run
`;

/** Adds `rerun`: again from a stage, with the archived bytes. */
export function define(program: Command, io: Io): void {
  program
    .command('rerun')
    .description('Run again from a given stage; every stage but pull uses the archived bytes.')
    .argument('[run]', RUN)
    .addOption(new Option('--from <stage>', 'where to start (default: pull)').choices(RERUN_STAGES))
    .option('--failed', 'instead of a run: those that failed last')
    .option(
      '--since <time>',
      'with --failed: only runs that began after this: 6h, 1d (the default) or a date',
      readSince,
    )
    .option('--feed <feed>', 'with --failed: only of this feed')
    .option('--login <login>', 'with --failed: only of this login')
    .option('--dry-run', 'with --failed: only list what would be run again')
    .option('--wait', 'work in this process until the outcome is known')
    .option('--rehearse', 'only show what would happen, in a private sandbox; nothing real is touched')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((name: string | undefined, options: Options, command: Command) => {
      assertOneWay(name, options);
      if (name === undefined) return rerunFailed(options, command, io);
      if (options.rehearse === true) return rehearse(name, options, command, io);
      return decideRun(command, io, name, async (run, session) => {
        const { rerun } = await import('../../jobs/decisions/rerun.ts');
        const again = await rerun(
          run,
          { from: options.from ?? 'pull', wait: options.wait === true, by: byThisUser() },
          session.ctx,
        );
        await finishRun(again, options, session, io);
      });
    });
}

async function rehearse(name: string, options: Options, command: Command, io: Io): Promise<void> {
  const { rehearseRerunning } = await import('./rehearse-decision.ts');
  await rehearseRerunning(name, options.from ?? 'pull', options, command, io);
}

function assertOneWay(name: string | undefined, options: Options): void {
  const { failed, since, feed, login, dryRun, wait, rehearse: tried } = options;
  const usage = (message: string) => new OfferlineError('usage', `${message} See \`offerline rerun --help\`.`);
  if (name === undefined && failed !== true) throw usage('Name a run, or give --failed.');
  if (name !== undefined && failed === true) throw usage('Name a run, or give --failed, not both.');
  if (failed === true && wait === true) throw usage('--failed leaves the work to the workers: leave out --wait.');
  if (tried === true && failed === true) throw usage('--rehearse is for one run; --failed has --dry-run.');
  if (tried === true && wait === true) throw usage('--rehearse only shows what would happen: leave out --wait.');
  if (failed !== true && [since, feed, login, dryRun].some((option) => option !== undefined)) {
    throw usage('--since, --feed, --login and --dry-run go with --failed.');
  }
}

function rerunFailed(options: Options, command: Command, io: Io): Promise<void> {
  return withSession(
    command,
    io,
    async ({ ctx, loaded }) => {
      const [{ failedRuns, stageToRepeat }, { rerun }, { assertKnown }] = await Promise.all([
        import('../../jobs/decisions/failed-runs.ts'),
        import('../../jobs/decisions/rerun.ts'),
        import('../queries/runs.ts'),
      ]);
      const { feed, login, since = readSince('1d') } = options;
      assertKnown('feed', feed, Object.keys(ctx.config.feeds));
      assertKnown('login', login, Object.keys(ctx.config.logins));
      const filter = {
        since: since(ctx.clock.now()),
        ...(feed === undefined ? {} : { feed }),
        ...(login === undefined ? {} : { login }),
      };
      const reruns: { of: string; feed: string; from: RerunFrom; run: string | null; refused: string | null }[] = [];
      for (const run of await failedRuns(filter, ctx)) {
        const from = options.from ?? stageToRepeat(run);
        const one = { of: run.id, feed: run.feed, from, run: null, refused: null };
        if (options.dryRun === true) reruns.push(one);
        else {
          const done = await rerun(run.id, { from, wait: false, by: byThisUser() }, ctx).then(
            (id) => ({ run: id }),
            (error: unknown) => {
              if (!(error instanceof OfferlineError)) throw error;
              return { refused: error.message };
            },
          );
          reruns.push({ ...one, ...done });
        }
      }
      const { wakeElsewhere } = await import('../../jobs/queue/wake-elsewhere.ts');
      let waiting = 0;
      for (const { run } of reruns) {
        if (run === null) continue;
        // Without its queue a run is still recorded, and found by the next worker.
        const woken = await wakeElsewhere(run, { redisUrl: loaded.redisUrl }, ctx);
        if (!woken) waiting += 1;
      }
      if (reruns.some(({ refused }) => refused !== null)) io.exit(1);
      if (options.json === true) return io.json({ reruns });
      if (reruns.length === 0) return io.out('No feed\u2019s last run has failed.');
      const { table } = await import('../table.ts');
      const lines = reruns.map(({ of, feed: name, from, run, refused }) => [
        of,
        name,
        from,
        run ?? refused ?? '(not yet: --dry-run)',
      ]);
      io.out(table(['failed run', 'feed', 'from', 'run again as'], lines));
      if (waiting > 0)
        io.out(
          `\nRecorded: ${counted(waiting, 'run')}. Work begins when \`offerline up\` or \`offerline worker\` runs.`,
        );
    },
    options.dryRun === true ? 'writes' : 'decides',
  );
}

import { InvalidArgumentError, type Command } from 'commander';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import type { Io } from '../io.ts';
import { inSession, withReader } from '../session.ts';
import type { StatusAnswer } from '../../jobs/standing/status.ts';

type Options = { watch?: true; every: number; json?: true };

const HELP = `
Each login and feed is one line, the worst first, with the command that comes next below it.
--watch draws it again until Ctrl-C; with --json it prints one line each time something has changed.

Examples:
  offerline status
  offerline status --watch --every 5
`;

/** Adds `status`: what is live, what is in progress, and what needs attention. */
export function define(program: Command, io: Io): void {
  program
    .command('status')
    .description('Show on one screen what is live, what is in progress, and what needs attention, worst first.')
    .option('--watch', 'draw it again until Ctrl-C')
    .option('--every <seconds>', 'with --watch: how often', seconds, 2)
    .option('--json', 'answer with one JSON value; with --watch one line for each change')
    .addHelpText('after', HELP)
    .action(async (options: Options, command: Command) => {
      const look = () => inSession(command, io, ({ ctx }) => statusOf(ctx), 'reads');
      if (options.watch === true) return watch(look, options, io);
      const status = await withReader(command, io, ({ ctx }) => statusOf(ctx));
      if (options.json === true) return io.json(status);
      const [{ statusScreen }, { terminalSize }] = await Promise.all([import('./screen.ts'), import('../fit.ts')]);
      io.styled(statusScreen(status, terminalSize(), io.color));
    });
}

async function watch(look: () => Promise<StatusAnswer>, { every, json }: Options, io: Io): Promise<void> {
  if (json !== true && !process.stdout.isTTY) {
    throw new OfferlineError('usage', '--watch draws on a terminal; where there is none, write --watch --json.');
  }
  const [{ watchScreen, watchLines }, { statusScreen }, { terminalSize }] = await Promise.all([
    import('./watch.ts'),
    import('./screen.ts'),
    import('../fit.ts'),
  ]);
  const pace = { every: every * 1000, signal: io.stopSignal() };
  if (json === true) return watchLines(async () => look(), io.json, pace);
  await watchScreen(async () => statusScreen(await look(), terminalSize(), io.color), pace);
}

async function statusOf(ctx: Context): Promise<StatusAnswer> {
  const standing = await import('../../jobs/standing/status.ts');
  return standing.statusAnswer(await standing.statusOf(ctx));
}

function seconds(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/u.test(text) || value < 0.2 || value > 86_400)
    throw new InvalidArgumentError('Expected seconds, 0.2 or more.');
  return value;
}

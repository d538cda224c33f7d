import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { assertKnown } from '../queries/runs.ts';
import { withReader } from '../session.ts';
import { paintHead, showIncident } from './show-incident.ts';
import { defineWork } from './work.ts';

type Options = { all?: true; login?: string; feed?: string; json?: true };

const HELP = `
Managers get one mail when an incident begins, one a day while it lasts, and one when it is over. While somebody has taken it, others
are reminded only after a day in which nothing happened.

Example:
  offerline incidents --login main
  offerline incidents take k3f9x --as anna
`;

/** Adds `incidents`: what is wrong, since when, and what to do about it; and who works on it. */
export function define(program: Command, io: Io): void {
  const incidents = program
    .command('incidents')
    .description('List what is wrong now: since when, what it means, what to do next, and who works on it.')
    .option('--all', 'include those that are over')
    .option('--login <login>', 'only of this login and its feeds')
    .option('--feed <feed>', 'only of this feed')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((options: Options, command: Command) => list(options, command, io));
  // What it does anyway; its options are those above.
  incidents
    .command('list', { hidden: true })
    .action((_options: object, command: Command) => list(command.optsWithGlobals<Options>(), command, io));
  defineWork(incidents, io);
}

async function list(options: Options, command: Command, io: Io): Promise<void> {
  await withReader(command, io, async ({ ctx }) => {
    const { all = false, login, feed } = options;
    assertKnown('login', login, Object.keys(ctx.config.logins));
    assertKnown('feed', feed, Object.keys(ctx.config.feeds));
    const [{ listIncidents }, { incidentAnswers }] = await Promise.all([
      import('../../ledger/alerts/incidents.ts'),
      import('../../jobs/standing/incident-answer.ts'),
    ]);
    const rows = await listIncidents(ctx.ledger.db, {
      all,
      ...(login === undefined ? {} : { login }),
      ...(feed === undefined ? {} : { feed }),
    });
    const answers = await incidentAnswers(rows, ctx);
    if (options.json === true) return io.json(answers);
    if (answers.length === 0) return io.out(all ? 'No incidents.' : 'No open incidents.');
    const { fitText } = await import('../fit.ts');
    io.styled(answers.map((answer) => paintHead(fitText(showIncident(answer)), answer, io.color)).join('\n\n'));
  });
}

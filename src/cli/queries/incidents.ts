import type { Command } from 'commander';
import { INCIDENTS } from '../../incidents.ts';
import type { IncidentAnswer } from '../../jobs/standing/incident-answer.ts';
import { printable, printableText } from '../../wording/printable.ts';
import { showTime } from '../../wording/words.ts';
import type { Io } from '../io.ts';
import { paint } from '../tone.ts';
import { assertKnown } from './runs.ts';
import { withReader } from '../session.ts';

type Options = { all?: true; login?: string; feed?: string; json?: true };

const HELP = `
Managers get one mail when an incident begins, one a day while it lasts, and one when it is over.

Example:
  offerline incidents --login main
`;

/** Adds `incidents`: what is wrong, since when, and what to do about it. */
export function define(program: Command, io: Io): void {
  program
    .command('incidents')
    .description('List what is wrong now: since when, what it means, and what to do next.')
    .option('--all', 'include those that are over')
    .option('--login <login>', 'only of this login and its feeds')
    .option('--feed <feed>', 'only of this feed')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((options: Options, command: Command) =>
      withReader(command, io, async ({ ctx }) => {
        const { all = false, login, feed } = options;
        assertKnown('login', login, Object.keys(ctx.config.logins));
        assertKnown('feed', feed, Object.keys(ctx.config.feeds));
        const [{ listIncidents }, { incidentAnswer }] = await Promise.all([
          import('../../ledger/alerts/incidents.ts'),
          import('../../jobs/standing/incident-answer.ts'),
        ]);
        const rows = await listIncidents(ctx.ledger.db, {
          all,
          ...(login === undefined ? {} : { login }),
          ...(feed === undefined ? {} : { feed }),
        });
        const answers = rows.map(incidentAnswer);
        if (options.json === true) return io.json(answers);
        if (answers.length === 0) return io.out(all ? 'No incidents.' : 'No open incidents.');
        const { fitText } = await import('../fit.ts');
        io.styled(answers.map((answer) => paintHead(fitText(showIncident(answer)), answer, io.color)).join('\n\n'));
      }),
    );
}

/** An incident for a terminal: what, since when, what it means, what next. */
function showIncident(incident: IncidentAnswer): string {
  const { sentence, since, until, recovery, times, lastSeen, meaning, steps } = incident;
  const seen = times === 1 ? '' : `, seen ${times} times, last ${showTime(lastSeen)}`;
  const over = until === null ? [] : [`  until ${showTime(until)}: ${printable(recovery ?? '')}`];
  const next = until === null ? [`  ${meaning}`, ...steps.map((step) => `  - ${step.replaceAll('`', '')}`)] : [];
  return [printable(sentence), `  since ${showTime(since)} UTC${seen}`, ...over, ...next].join('\n');
}

/** Puts what is wrong, the first line of a shown incident, into its colour. */
function paintHead(shown: string, { until, kind }: IncidentAnswer, color: boolean): string {
  const [head = '', ...rest] = printableText(shown).split('\n');
  const tone = until !== null ? 'quiet' : INCIDENTS[kind].severity === 'high' ? 'bad' : 'waiting';
  return [paint(tone, head, color), ...rest].join('\n');
}

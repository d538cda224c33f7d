import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import type { Worker } from '../../jobs/decisions/incident/work.ts';
import type { Io } from '../io.ts';
import { OfferlineError } from '../../errors.ts';
import { AS } from '../decisions/asked.ts';
import { byThisUser } from '../decisions/decision.ts';
import { toDecide } from '../session.ts';
import { paintHead, showIncident } from './show-incident.ts';

const INCIDENT = 'an incident: its id, or the beginning or end of it; see `offerline incidents`';
const FORCE = ['--force', 'also when somebody else has it'] as const;
const JSON_OPTION = ['--json', 'answer with one JSON value'] as const;

type Asked = { as?: string; force?: true; json?: true };

/** Adds what people say of an incident: that they work on it, or give it to somebody, a note, and that nobody is to be reminded. */
export function defineWork(incidents: Command, io: Io): void {
  incidents
    .command('take')
    .description('Say that you work on an incident: while something happens, only you are reminded of it.')
    .argument('<incident>', INCIDENT)
    .option(...AS)
    .option(...FORCE)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  offerline incidents take k3f9x --as anna\n')
    .action((id: string, asked: Asked, command: Command) =>
      work(id, asked, command, io, async (incident, worker, ctx) => {
        const { takeIncident } = await import('../../jobs/decisions/incident/work.ts');
        await takeIncident(incident, { force: asked.force }, worker, ctx);
      }),
    );
  incidents
    .command('give')
    .description('Give an incident to somebody, who gets a mail about it.')
    .argument('<incident>', INCIDENT)
    .requiredOption('--to <name>', 'a user of the console, or an address of managers')
    .option(...AS)
    .option(...FORCE)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  offerline incidents give k3f9x --to bernd\n')
    .action((id: string, asked: Asked & { to: string }, command: Command) =>
      work(id, asked, command, io, async (incident, worker, ctx) => {
        const { giveIncident } = await import('../../jobs/decisions/incident/work.ts');
        await giveIncident(incident, { to: asked.to, force: asked.force }, worker, ctx);
      }),
    );
  incidents
    .command('note')
    .description('Write a note about an incident, for everybody who sees it.')
    .argument('<incident>', INCIDENT)
    .argument('<text>', 'what you found or did; at most 2000 characters')
    .option(...AS)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  offerline incidents note k3f9x "called them, the file comes at noon"\n')
    .action((id: string, text: string, asked: Asked, command: Command) =>
      work(id, asked, command, io, async (incident, worker, ctx) => {
        const { noteIncident } = await import('../../jobs/decisions/incident/work.ts');
        await noteIncident(incident, text, worker, ctx);
      }),
    );
  defineQuiet(incidents, io);
  incidents
    .command('release')
    .description('Give an incident back: nobody has it, it is not quiet, and everybody is reminded again.')
    .argument('<incident>', INCIDENT)
    .option(...AS)
    .option(...FORCE)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  offerline incidents release k3f9x\n')
    .action((id: string, asked: Asked, command: Command) =>
      work(id, asked, command, io, async (incident, worker, ctx) => {
        const { releaseIncident } = await import('../../jobs/decisions/incident/work.ts');
        await releaseIncident(incident, { force: asked.force }, worker, ctx);
      }),
    );
}

const QUIET_HELP = `
  delivery   until its feed delivers next
  3d         for three days; also m, h and w
  2026-12-01T08:00   until then, UTC unless it names a zone
  worse      only until it gets worse, which ends the others, too
  now        reminders come again

Example:
  offerline incidents quiet k3f9x --until delivery
`;

function defineQuiet(incidents: Command, io: Io): void {
  incidents
    .command('quiet')
    .description('Have nobody reminded of an incident for a while.')
    .argument('<incident>', INCIDENT)
    .requiredOption('--until <end>', 'delivery, worse, a span, a time, or now')
    .option(...AS)
    .option(...JSON_OPTION)
    .addHelpText('after', QUIET_HELP)
    .action((id: string, asked: Asked & { until: string }, command: Command) =>
      work(id, asked, command, io, async (incident, worker, ctx) => {
        const { quietIncident } = await import('../../jobs/decisions/incident/work.ts');
        await quietIncident(incident, asked.until, worker, ctx);
      }),
    );
}

/** Does something about an incident, and shows it as it is then. */
async function work(
  id: string,
  { as }: Asked,
  command: Command,
  io: Io,
  act: (incident: string, worker: Worker, ctx: Context) => Promise<void>,
): Promise<void> {
  // The command above takes these from wherever they stand.
  const { all, login, feed, json } = command.optsWithGlobals<Record<'all' | 'login' | 'feed' | 'json', unknown>>();
  if (all !== undefined || login !== undefined || feed !== undefined)
    throw new OfferlineError(
      'usage',
      'The options --all, --login and --feed belong to the list; name one incident by its id.',
    );
  await toDecide(command, io, async ({ ctx }) => {
    const [{ getIncident }, { incidentAnswers }] = await Promise.all([
      import('../../ledger/alerts/named-incident.ts'),
      import('../../jobs/standing/incident-answer.ts'),
    ]);
    const { id: incident } = await getIncident(ctx.ledger.db, id);
    await act(incident, { ...byThisUser(), as }, ctx);
    const [answer] = await incidentAnswers([await getIncident(ctx.ledger.db, incident)], ctx);
    if (answer === undefined) return;
    if (json === true) return io.json(answer);
    const { fitText } = await import('../fit.ts');
    io.styled(paintHead(fitText(showIncident(answer)), answer, io.color));
  });
}

import type { Command } from 'commander';
import { listRequests, requestAnswer } from '../../ledger/alerts/requests.ts';
import type { DecisionRequest } from '../../model.ts';
import { printable } from '../../wording/printable.ts';
import type { Io } from '../io.ts';
import { toDecide, withReader } from '../session.ts';
import { AS, requestInWords } from './asked.ts';
import { decisionOf } from './decision.ts';

const REQUEST = 'a request: its id; see `offerline requests`';
const REASON = ['--reason <text>', 'why; recorded with your name'] as const;
const JSON_OPTION = ['--json', 'answer with one JSON value'] as const;

type Deciding = { reason: string; as?: string };

const HELP = `
The configuration says what needs a second person (decisions). Whoever asked cannot agree; after a day a request ends by itself, and what it
was about stays as it was.

Examples:
  offerline requests
  offerline requests agree 20261121-060512-m2x8d --reason "checked by phone, too"
`;

/** Adds `requests`: what people asked for and a second person has to agree to. */
export function define(program: Command, io: Io): void {
  const requests = program
    .command('requests')
    .description('List the approvals and rollbacks that wait for a second person; agree to one, or decline it.')
    .option('--all', 'include those that are over')
    .option(...JSON_OPTION)
    .addHelpText('after', HELP)
    .action((options: { all?: true; json?: true }, command: Command) => list(options, command, io));
  const decision = (name: string, example: string, description: string) =>
    requests
      .command(name)
      .description(description)
      .argument('<request>', REQUEST)
      .requiredOption(...REASON)
      .option(...AS)
      .option(...JSON_OPTION)
      .addHelpText('after', `\nExample:\n  offerline requests ${name} 20261121-060512-m2x8d --reason "${example}"\n`);
  decision(
    'agree',
    'checked by phone, too',
    'Agree to what somebody else asked for: it is carried out, with both names in the audit.',
  ).action((id: string, options: Deciding, command: Command) => agree(id, options, command, io));
  decision(
    'decline',
    'half of the brands are missing',
    'Decline what somebody else asked for, or withdraw what you asked for; what it was about stays as it was.',
  ).action((id: string, options: Deciding, command: Command) => decline(id, options, command, io));
}

async function list({ all = false, json }: { all?: boolean; json?: true }, command: Command, io: Io): Promise<void> {
  await withReader(command, io, async ({ ctx }) => {
    const now = await ctx.ledger.now();
    const answers = (await listRequests(ctx.ledger.db, { all })).map((row) => requestAnswer(row, now));
    const shown = answers.filter(({ ended }) => all || ended === null);
    if (json === true) return io.json(shown);
    if (shown.length === 0)
      return io.out(all ? 'Nobody asked for anything yet.' : 'Nothing waits for a second person.');
    io.out(shown.map(lineOf).join('\n'));
  });
}

function lineOf(request: DecisionRequest): string {
  const { request: id, action, run, feed, login, upload } = request;
  const what = action === 'approve' ? `approve run ${run} of ${feed}` : `roll ${login} back to upload ${upload}`;
  return `${id}  ${what}: asked for ${printable(requestInWords(request))}`;
}

async function agree(id: string, { reason, as }: Deciding, command: Command, io: Io): Promise<void> {
  await toDecide(command, io, async ({ ctx, loaded: { redisUrl } }) => {
    const [jobs, { wakeElsewhere, wakeLaneElsewhere }] = await Promise.all([
      import('../../jobs/decisions/second/decide.ts'),
      import('../../jobs/queue/wake-elsewhere.ts'),
    ]);
    const { request } = await jobs.agree(id, { ...decisionOf(reason), as }, ctx);
    const { run, login } = request;
    const woken = await (run === null
      ? wakeLaneElsewhere(login, { redisUrl }, ctx)
      : wakeElsewhere(run, { redisUrl }, ctx));
    if (isJson(command)) return io.json({ request: id, run, login, woken });
    const next = woken ? '' : ' Work on it begins when `offerline up` or `offerline worker` runs.';
    io.out(`Agreed: ${run === null ? `${login} goes back` : `run ${run} has been approved`}.${next}`);
  });
}

async function decline(id: string, { reason, as }: Deciding, command: Command, io: Io): Promise<void> {
  await toDecide(command, io, async ({ ctx }) => {
    const jobs = await import('../../jobs/decisions/second/decide.ts');
    const row = await jobs.decline(id, { ...decisionOf(reason), as }, ctx);
    if (isJson(command)) return io.json(requestAnswer(row, await ctx.ledger.now()));
    const did = row.ended_how === 'withdrawn' ? 'withdrawn' : 'declined';
    io.out(`Request ${id} has been ${did}; what it was about stays as it was.`);
  });
}

/** The command above takes the option from wherever it stands. */
function isJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: true }>().json === true;
}

import { InvalidArgumentError, type Command } from 'commander';
import { OfferlineError } from '../../errors.ts';
import { finishRun } from '../running/ingest.ts';
import type { Io } from '../io.ts';
import { type Session, decideRun } from '../session.ts';
import { AS, sayAsked } from './asked.ts';
import { assertReason, decisionOf } from './decision.ts';

type Options = {
  reason?: string;
  columns?: string | true;
  reading?: number;
  as?: string;
  revoke?: true;
  wait?: true;
  rehearse?: true;
  json?: true;
};

/** Those of a decision that is made. */
type Decided = Options & { reason: string };

const HELP = `
With --columns the run's file is read again with the columns that you accept, and guards still look at it. Without a value they
are taken as proposed (\`offerline show RUN\`); with one, as you say: by the name in the header, or by position from 1. They are
used for every later file of the feed with the same header, until they are revoked. feeds.NAME.columns of the configuration wins.
A run that was rejected because a column is missing can be given its columns in the same way.
With --columns --revoke they are taken back; <run> is the run they were accepted with, or any run of the feed with that header.
What is live stays live; the next file is held again.

With --reading the run's file, which can be read in several ways, is read again in one of them: by its number from 1, in the order
in which \`offerline show RUN\` names them. Guards still look at it. It counts for this file only; feeds.NAME.dialect of the
configuration counts for all.

Where the configuration asks for a second person (decisions.approve.second), the first who approves asks, and the exit status is 6; somebody
else who approves the same run, or agrees to the request, carries it out (\`offerline requests\`).

With --rehearse nothing is decided: a private sandbox, in which live is what is really live, shows what would go live and what
would change.

Examples:
  offerline approve 20261121-060000-k3f9x --rehearse
  offerline approve 20261121-060000-k3f9x --reason "season end, checked by phone" --wait
  offerline approve 20261121-060000-k3f9x --columns --reason "looked at the file" --wait
  offerline approve 20261121-060000-k3f9x --columns 'brand=Producator,oem="Cod articol"' --reason "asked the supplier"
  offerline approve 20261121-060000-k3f9x --reading 2 --reason "the names are right in this one" --wait
  offerline approve 20261121-060000-k3f9x --columns --revoke --reason "these were the buyer's numbers"
`;

/** Adds `approve`: release a held contribution, or accept the columns of a held file. */
export function define(program: Command, io: Io): void {
  program
    .command('approve')
    .description(
      'Release a held run: its rows are uploaded without being checked by a guard again; or accept its columns, or a reading.',
    )
    .argument('<run>', 'a held run; `offerline runs --outcome held` lists them')
    .option('--reason <text>', 'why; recorded with your name (required, unless it is rehearsed)')
    .option('--columns [columns]', 'accept columns, as proposed or KEY=COLUMN,…, and read the file again with them')
    .option(
      '--reading <number>',
      'take a reading of a file that can be read in several ways, and read it again',
      wholeReading,
    )
    .option(...AS)
    .option('--revoke', 'with --columns: take back what was accepted for this header')
    .option('--wait', 'work in this process until the outcome is known')
    .option('--rehearse', 'only show what would happen, in a private sandbox; nothing real is touched')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((name: string, options: Options, command: Command) => {
      assertOneDecision(options);
      return options.rehearse === true ? rehearse(name, options, command, io) : approve(name, options, command, io);
    });
}

function wholeReading(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Expected the number of a reading, from 1.');
  return Number(text);
}

function assertOneDecision({ reading, columns, revoke, as }: Options): void {
  if (as !== undefined && [reading, columns, revoke].some((one) => one !== undefined))
    throw new OfferlineError('usage', 'Columns and readings need no second person: leave out --as.');
  if (reading === undefined || (columns === undefined && revoke !== true)) return;
  throw new OfferlineError('usage', 'A reading is taken first, and columns then: leave out --columns and --revoke.');
}

async function rehearse(name: string, options: Options, command: Command, io: Io): Promise<void> {
  if (options.revoke === true || options.wait === true)
    throw new OfferlineError('usage', '--rehearse only shows what approving would do: leave out --wait and --revoke.');
  const { rehearseApprove } = await import('./rehearse-decision.ts');
  await rehearseApprove(name, options, command, io);
}

/** What a command says about columns or a reading, to be repeated: without it another decision is meant. */
function decisionGiven({ columns, reading, revoke }: Options): string {
  if (reading !== undefined) return ` --reading ${reading}`;
  if (columns === undefined) return '';
  const named = columns === true ? '' : ` '${columns.replaceAll("'", String.raw`'\''`)}'`;
  return ` --columns${named}${revoke === true ? ' --revoke' : ''}`;
}

async function approve(name: string, options: Options, command: Command, io: Io): Promise<void> {
  const { reason } = options;
  const given = name + decisionGiven(options);
  assertReason(reason, `offerline approve ${given} --reason TEXT`);
  const decided: Decided = { ...options, reason };
  if (options.revoke === true) assertRevocation(options);
  await decideRun(command, io, name, async (run, session) => {
    if (options.revoke === true) return revoke(run, decided, session, io);
    if (options.reading !== undefined) await read(run, options.reading, decided, session, io);
    else if (options.columns !== undefined) await accept(run, options.columns, decided, session, io);
    else {
      const { approveOrAsk } = await import('../../jobs/decisions/second/decide.ts');
      const asked = await approveOrAsk(run, { ...decisionOf(reason), as: options.as }, session.ctx);
      if (asked !== null) return sayAsked(asked, options, session.ctx, io);
    }
    await finishRun(run, options, session, io);
  });
}

async function read(run: string, reading: number, options: Decided, { ctx }: Session, io: Io): Promise<void> {
  const [{ takeReading }, { readingName }] = await Promise.all([
    import('../../jobs/decisions/take-reading.ts'),
    import('../../wording/files/side-by-side.ts'),
  ]);
  if (options.wait === true) await assertGoesOn(run, ctx);
  const taken = await takeReading(run, reading, decisionOf(options.reason), ctx);
  if (options.json !== true) io.out(`Taken for this file: ${readingName(taken)}. The file is read again.`);
}

function assertRevocation({ columns, wait }: Options): void {
  if (columns === true && wait !== true) return;
  const wrong = columns === true ? '--wait has nothing to wait for' : '--revoke goes with --columns, without a value';
  throw new OfferlineError('usage', `${wrong}: offerline approve RUN --columns --revoke --reason TEXT.`);
}

async function accept(run: string, columns: string | true, options: Decided, { ctx }: Session, io: Io): Promise<void> {
  const [{ acceptRunColumns }, { columnInWords }, { parseColumns }] = await Promise.all([
    import('../../jobs/decisions/accept-columns.ts'),
    import('../../wording/columns/accepted-column.ts'),
    import('./columns-option.ts'),
  ]);
  const asked = columns === true ? null : parseColumns(columns);
  if (options.wait === true) await assertGoesOn(run, ctx);
  const { accepted, warnings } = await acceptRunColumns(run, asked, decisionOf(options.reason), ctx);
  const advice = `To take them back: offerline approve ${run} --columns --revoke --reason TEXT`;
  // With --wait the run goes on, and says more.
  const say = options.wait === true ? io.progress : io.note;
  for (const warning of warnings) say(`Warning: ${warning}.`);
  if (warnings.length > 0) say(advice);
  if (options.json !== true) say(`Accepted: ${accepted.map(columnInWords).join(', ')}. The file is read again.`);
}

/** Waiting for a run whose feed is paused would not end. */
async function assertGoesOn(run: string, ctx: Session['ctx']): Promise<void> {
  const [{ assertNotPaused }, { getRun }] = await Promise.all([
    import('../../jobs/decisions/pause.ts'),
    import('../../ledger/runs/runs.ts'),
  ]);
  const { feed, login } = await getRun(ctx.ledger.db, run);
  await assertNotPaused(feed, login, ctx);
}

async function revoke(run: string, options: Decided, { ctx, loaded }: Session, io: Io): Promise<void> {
  const { revokeRunColumns } = await import('../../jobs/decisions/accept-columns.ts');
  const { feed, readAgain } = await revokeRunColumns(run, decisionOf(options.reason), ctx);
  if (readAgain !== null) {
    const { wakeElsewhere } = await import('../../jobs/queue/wake-elsewhere.ts');
    await wakeElsewhere(readAgain, { redisUrl: loaded.redisUrl }, ctx);
  }
  if (options.json === true) return io.json({ run, feed, revoked: true, readAgain });
  const waiting =
    readAgain === null ? '' : ` The rows of run ${readAgain}, which waited to be uploaded, are read again.`;
  io.out(`The columns accepted for this header of ${feed} no longer count; what is live stays live.${waiting}`);
}

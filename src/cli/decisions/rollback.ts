import type { Command } from 'commander';
import { OfferlineError } from '../../errors.ts';
import type { IntentRow } from '../../ledger/schema/schema.ts';
import { counted, moment, showTime } from '../../wording/words.ts';
import { AS, sayAsked } from './asked.ts';
import { assertReason, decisionOf } from './decision.ts';
import type { Io } from '../io.ts';
import { assertKnown } from '../queries/runs.ts';
import { withReader, toDecide, type Session } from '../session.ts';

type Options = { list?: true; to?: string; reason?: string; as?: string; wait?: true; rehearse?: true; json?: true };

const HELP = `
Without --to, each call goes back one dataset further. The feeds of the login are frozen so that the next delivery does not
undo the rollback: new deliveries are held until \`offerline release\`.

Where the configuration asks for a second person (decisions.rollback.second), the first who rolls back asks, and the exit status is 6; somebody
else who rolls back to the same upload, or agrees to the request, carries it out (\`offerline requests\`).

Examples:
  offerline rollback main --list
  offerline rollback main --rehearse
  offerline rollback main --reason "prices were in the wrong currency" --wait
`;

/** Adds `rollback`: make an earlier good dataset live again. */
export function define(program: Command, io: Io): void {
  program
    .command('rollback')
    .description('Make an earlier good dataset of a login live again by uploading its archived bytes.')
    .argument('<login>', 'a login of the configuration')
    .option('--list', 'only show the datasets that it could go back to')
    .option('--to <upload>', 'the upload to go back to: its id, its token or its offer id')
    .option('--reason <text>', 'why; recorded with your name (required, unless it is rehearsed)')
    .option(...AS)
    .option('--wait', 'work in this process until the outcome is known')
    .option('--rehearse', 'only show what would happen, in a private sandbox; nothing real is touched')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((login: string, options: Options, command: Command) =>
      options.list === true ? list(login, options, command, io) : goBack(login, options, command, io),
    );
}

async function goBack(login: string, options: Options, command: Command, io: Io): Promise<void> {
  const { reason, to } = options;
  if (options.rehearse === true) return rehearse(login, options, command, io);
  assertReason(reason, `offerline rollback ${login} --reason TEXT; --list only shows where it could go back to`);
  await toDecide(command, io, async (session) => {
    const { ctx } = session;
    assertKnown('login', login, Object.keys(ctx.config.logins));
    const { rollBackOrAsk } = await import('../../jobs/decisions/second/decide.ts');
    const done = await rollBackOrAsk(login, to, { ...decisionOf(reason), as: options.as }, ctx);
    if (done.asked !== null) return sayAsked(done.asked, options, ctx, io);
    const { intent, target } = done;
    const { offer_id: offerId, closed_at: at } = target.upload;
    const say = options.wait === true ? io.progress : io.note;
    say(`Going back to upload ${offerId} of ${moment(at ?? 0)}: ${counted(target.dataset.rows, 'row')}.`);
    await finish(intent, options, session, io);
  });
}

async function rehearse(login: string, options: Options, command: Command, io: Io): Promise<void> {
  if (options.wait === true)
    throw new OfferlineError('usage', '--rehearse only shows what a rollback would do: leave out --wait.');
  const { rehearseGoingBack } = await import('./rehearse-decision.ts');
  await rehearseGoingBack(login, options, command, io);
}

async function list(
  login: string,
  { to, reason, as, wait, rehearse: tried, json }: Options,
  command: Command,
  io: Io,
): Promise<void> {
  if (to !== undefined || reason !== undefined || as !== undefined || wait === true || tried === true)
    throw new OfferlineError('usage', '--list only shows: leave out --to, --reason, --as, --wait and --rehearse.');
  await withReader(command, io, async ({ ctx }) => {
    assertKnown('login', login, Object.keys(ctx.config.logins));
    const { rollbackTargets } = await import('../../jobs/decisions/rollback-targets.ts');
    const targets = await rollbackTargets(login, ctx);
    if (json === true) return io.json(targets);
    if (targets.length === 0) return io.out(`No dataset of ${login} has been verified as live yet.`);
    const { table } = await import('../table.ts');
    const rows = targets.map(({ upload, offerId, at, rows: count, difference, feeds, state, rollbackTo }) => [
      offerId ?? upload,
      showTime(at),
      String(count),
      state === 'live' ? '' : `${difference > 0 ? '+' : ''}${difference}`,
      rollbackTo === null ? STATES[state] : `${STATES[state]} (a rollback)`,
      Object.keys(feeds).join(', '),
    ]);
    io.out(
      table(['upload', 'live since (UTC)', 'rows', 'against live', 'state', 'feeds'], rows, {
        numeric: ['rows', 'against live'],
      }),
    );
    if (targets.some(({ state }) => state === 'next' || state === 'good'))
      io.out(`\nTo go back: offerline rollback ${login} [--to UPLOAD] --reason TEXT`);
  });
}

const STATES = {
  live: 'live',
  next: 'next to go back to',
  good: 'can be named',
  missing: 'not in the archive',
  pruned: 'pruned (keep.datasets)',
  empty: 'empty, no target',
};

async function finish(intent: IntentRow, options: Options, session: Session, io: Io): Promise<void> {
  const { ctx, loaded } = session;
  const { redisUrl } = loaded;
  if (options.wait === true) {
    const { workUntilClosed } = await import('../../jobs/queue/work-until.ts');
    const say = options.json === true ? () => undefined : io.progress;
    await workUntilClosed(intent, ctx, {
      redisUrl,
      signal: io.stopSignal(),
      notice: io.progress,
      say,
      gauge: io.gauge,
    });
  } else {
    const { wakeLaneElsewhere } = await import('../../jobs/queue/wake-elsewhere.ts');
    await wakeLaneElsewhere(intent.login, { redisUrl }, ctx);
  }
  const { answerOfIntent } = await import('../../jobs/queries/answer-of-intent.ts');
  const answer = await answerOfIntent(intent.id, ctx);
  if (options.json === true) io.json(answer);
  else if (answer.result === 'met')
    io.out(
      `Live again as upload ${answer.upload?.offerId}: ${counted(answer.rows, 'row')} sent. ${frozen(intent.login)}`,
    );
  else if (answer.result === null)
    io.out(`Recorded; the upload starts when \`offerline up\` or \`offerline worker\` runs. ${frozen(intent.login)}`);
  if (answer.result !== null && answer.result !== 'met') {
    throw new OfferlineError(
      'service-refused',
      `The rollback of ${intent.login} failed: ${answer.reason ?? answer.result}. ${frozen(intent.login)}`,
    );
  }
}

function frozen(login: string): string {
  return `The feeds are frozen until \`offerline release ${login} --reason TEXT\`.`;
}

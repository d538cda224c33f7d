import type { Command } from 'commander';
import { OfferlineError } from '../../errors.ts';
import type { IntentRow } from '../../ledger/schema/schema.ts';
import { counted, moment } from '../../wording/words.ts';
import { decisionOf } from './decision.ts';
import type { Io } from '../io.ts';
import { assertKnown } from '../queries/runs.ts';
import { stopSignal, withSession, type Session } from '../session.ts';

type Options = { to?: string; reason: string; wait?: true; json?: true };

const HELP = `
Without --to, each call goes back one dataset further. The feeds of the login are frozen so that the next delivery does not
undo the rollback: new deliveries are held until \`offerline release\`.

Example:
  offerline rollback main --reason "prices were in the wrong currency" --wait
`;

/** Adds `rollback`: make an earlier good dataset live again. */
export function define(program: Command, io: Io): void {
  program
    .command('rollback')
    .description('Make an earlier good dataset of a login live again by uploading its archived bytes.')
    .argument('<login>', 'a login of the configuration')
    .option('--to <upload>', 'the upload to go back to: its id, its token or its offer id')
    .requiredOption('--reason <text>', 'why; recorded with your name')
    .option('--wait', 'work in this process until the outcome is known')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((login: string, options: Options, command: Command) =>
      withSession(command, async (session) => {
        const { ctx } = session;
        assertKnown('login', login, Object.keys(ctx.config.logins));
        const { rollback } = await import('../../jobs/decisions/rollback.ts');
        const { intent, target } = await rollback(login, options.to, decisionOf(options.reason), ctx);
        const { offer_id: offerId, closed_at: at } = target.upload;
        const say = options.wait === true ? io.progress : io.note;
        say(`Going back to upload ${offerId} of ${moment(at ?? 0)}: ${counted(target.dataset.rows, 'row')}.`);
        await finish(intent, options, session, io);
      }),
    );
}

async function finish(intent: IntentRow, options: Options, session: Session, io: Io): Promise<void> {
  const { ctx, loaded } = session;
  const { redisUrl } = loaded;
  if (options.wait === true) {
    const { workUntilClosed } = await import('../../jobs/queue/work-until.ts');
    const say = options.json === true ? () => undefined : io.progress;
    await workUntilClosed(intent, ctx, { redisUrl, signal: stopSignal(), notice: io.progress, say });
  } else {
    const { wakeLaneElsewhere } = await import('../../jobs/queue/wake-elsewhere.ts');
    await wakeLaneElsewhere(intent.login, { redisUrl }, ctx);
  }
  const { answerOfIntent } = await import('../../jobs/queries/answer-of-intent.ts');
  const answer = await answerOfIntent(intent.id, ctx);
  if (options.json === true) io.json(answer);
  else if (answer.result === 'met')
    io.out(
      `Live again as upload ${answer.upload?.offerId}: ${counted(answer.rows, 'row')} sent. The feeds are frozen.`,
    );
  else if (answer.result === null)
    io.out('Recorded; the upload starts when `offerline up` or `offerline worker` runs. The feeds are frozen.');
  if (answer.result !== null && answer.result !== 'met') {
    throw new OfferlineError(
      'service-refused',
      `The rollback of ${intent.login} failed: ${answer.reason ?? answer.result}. The feeds are frozen.`,
    );
  }
}

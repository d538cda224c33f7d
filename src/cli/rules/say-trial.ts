import type { Context } from '../../context.ts';
import type { TriedRules } from '../../jobs/trial/try-rules.ts';
import { whileGauged } from '../files/while-gauged.ts';
import type { Io } from '../io.ts';

type Asked = { feed: string; login: string; within: number | undefined };

/** Tries the rules; without `--json` each part is said as soon as it is there. */
export async function sayTrial(
  { feed, login, within }: Asked,
  { since, json }: { since: number; json?: true },
  ctx: Context,
  io: Io,
): Promise<TriedRules> {
  const [{ tryRules }, { deliveryLines, liveLines, inAllLines }, { printable }] = await Promise.all([
    import('../../jobs/trial/try-rules.ts'),
    import('./describe-trial.ts'),
    import('../../wording/printable.ts'),
  ]);
  const say = (lines: string[]) => {
    if (json !== true) for (const line of lines) io.out(printable(line));
  };
  const answer = await tryRules({ feed, login, since: ctx.clock.now() - since }, ctx, {
    signal: io.stopSignal(),
    within,
    during: (subject, work) => whileGauged(subject, 'read', io, work),
    tried: (part) => say('live' in part ? liveLines(part.live, login) : deliveryLines(part.delivery)),
  });
  say(inAllLines(answer));
  return answer;
}

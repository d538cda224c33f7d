import type { DecisionRequest } from '../../model.ts';
import { askedFor, type Deciding } from './asked.ts';
import { decisionOf, wakeLane, wakeRun, type Woken, type World } from './world.ts';

/** Agrees to what somebody else asked for, as `offerline requests agree` does. */
export async function agree({ request, reason, owner }: { request: string } & Deciding, world: World): Promise<Woken> {
  const jobs = await import('../../jobs/decisions/second/decide.ts');
  const agreed = await jobs.agree(request, { ...decisionOf(reason, world), owner }, world.ctx);
  const { run, login } = agreed.request;
  return run === null ? wakeLane(login, world) : wakeRun(run, world);
}

/** Declines what somebody else asked for, or withdraws what one asked for, as `offerline requests decline` does. */
export async function decline(
  { request, reason, owner }: { request: string } & Deciding,
  world: World,
): Promise<DecisionRequest> {
  const jobs = await import('../../jobs/decisions/second/decide.ts');
  return askedFor(await jobs.decline(request, { ...decisionOf(reason, world), owner }, world.ctx), world).asked;
}

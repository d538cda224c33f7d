import type { Refusal } from '../../../access/oidc/flow.ts';
import { targetOf } from '../../parts/target.ts';
import type { Answer, SetCookie } from '../../route.ts';
import type { Visit } from '../../visit.ts';

/** So long somebody may take at the provider, in seconds. */
const LONGEST = 600;
/** Characters of an address to come back to that a cookie has room for. */
const LONGEST_TARGET = 1500;

const FLOW_OVER: SetCookie = { name: 'flow', value: null };

/** Leads to the provider, who sends the browser back to us. */
export async function beginAtProvider({ url, call }: Visit): Promise<Answer> {
  const wanted = targetOf(url.searchParams.get('to'));
  const begun = await call('beginSignIn', { to: wanted.length > LONGEST_TARGET ? '/' : wanted });
  if ('refused' in begun) return refusedBy(begun.refused);
  return { redirect: begun.url, cookies: [{ name: 'flow', value: begun.flow, maxAge: LONGEST }] };
}

/** Signs in whom the provider sent back: a new session at each time. What began it is of use once. */
export async function returnFromProvider({ url, flow, visitor, call }: Visit): Promise<Answer> {
  const done = await call('finishSignIn', { search: url.search, kept: flow, address: visitor.origin });
  if ('refused' in done) return refusedBy(done.refused);
  return { redirect: targetOf(done.to), cookies: [{ name: 'session', value: done.session }, FLOW_OVER] };
}

/** Leads to where somebody signs out at the provider, too. */
export async function endAtProvider({ call }: Visit): Promise<Answer> {
  const end = await call('endAtProvider', {});
  if ('refused' in end) return refusedBy(end.refused);
  return { redirect: end.url ?? '/sign-in' };
}

/** The sign-in page says why. */
function refusedBy(refused: Refusal): Answer {
  return { redirect: `/sign-in?refused=${refused}`, cookies: [FLOW_OVER] };
}

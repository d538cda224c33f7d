import type { ProxyRefusal } from '../../access/proxy.ts';
import { sayWith } from '../../wording/ops/kept-said.ts';
import { saidHtml } from '../../wording/ops/said.ts';
import { messageOf, OfferlineError, STATUS, type ErrorCode } from '../../errors.ts';
import { prose, type Part } from '../../wording/html.ts';
import { readsOps } from '../parts/reasons/said.ts';
import type { Language } from '../../wording/language/language.ts';
import { collectCells, type Cells } from '../live/cells.ts';
import { isForPrograms, type Answer, type Route } from '../route.ts';
import { askerOf, type Looker, type Visit, type WebWorld } from '../visit.ts';
import { parseJson, readSmall } from './body.ts';
import { once } from './once.ts';
import { problem } from './problem.ts';
import { refusal } from './refusal.ts';

/** A request to a route: by whom (null: nobody is known), and in which language they read. */
export type Asked = {
  route: Route;
  visitor: Looker | null;
  /** Why nobody is known whom the proxy names; null where it names nobody, or somebody who is known. */
  refused: ProxyRefusal | null;
  language: Language;
  address: string | null;
  session: string | null;
  device: string | null;
  flow: string | null;
  params: Record<string, string>;
  request: Request;
  letBodyCome: () => void;
  lookAgain: () => Promise<Looker | null>;
  url: URL;
};

/** What a request is answered with, and the cells of the page where it is live. */
export type Answered = { answer: Answer; cells: Cells | null };

/** Whoever may look at nothing: the pages that everybody may see have no more of a visitor. */
const NOBODY: Looker = { name: '', role: 'viewer', feeds: [], via: 'console', origin: null, signedIn: false };

/** Answers a request, or says plainly why not; a fault is logged with its details and shown without. */
export async function answerTo(asked: Asked, world: WebWorld): Promise<Answered> {
  const { route, visitor, request, url } = asked;
  const refused = refuseVisitor(asked, world);
  if (refused !== null) return { answer: refused, cells: null };
  try {
    const isRead = ['GET', 'HEAD'].includes(request.method) || route.body === 'stream' || route.body === 'file';
    const body = isRead ? { text: '' } : await readSmall(request);
    if ('refused' in body)
      return { answer: said(asked, body.refused, asked.language.say('web.bodyRefused')), cells: null };
    const { visit, cells } = visitOf(
      asked,
      visitor ?? { ...NOBODY, origin: asked.address },
      { text: body.text, onlyCells: false },
      world,
    );
    const whose = `${visit.visitor.name} ${url.pathname}`;
    // Nobody without a rule fills the memory of forms, so that those of others are forgotten.
    const key = route.may === 'everybody' ? null : visit.form.get('once');
    const answer = await once(key, whose, () => route.handle(visit), request.signal);
    return { answer, cells: route.live !== undefined && visitor !== null ? cells : null };
  } catch (error) {
    return { answer: failed(asked, error, world), cells: null };
  }
}

/**
 * Whether a visitor may call a route. Who sees some feeds only is kept from what is of no single feed, whatever their role: those
 * routes answer for all.
 */
export function maySee({ route: { may }, visitor }: Pick<Asked, 'route' | 'visitor'>): boolean {
  if (may === 'everybody') return true;
  if (visitor === null || !may.includes(visitor.role)) return false;
  return visitor.feeds === null || may.includes('manager');
}

/** Refuses what no page of ours sent. A program that nobody knows is told what it lacks: it has no session to be misused. */
export function refuseForm(asked: Asked, world: WebWorld): Answer {
  if (asked.visitor === null && isForPrograms(asked.route)) return tokenFirst(asked, world);
  record(asked, 'the form is not of a page of the console', world);
  return said(asked, 403, asked.language.say('web.foreignForm'));
}

/** Refuses an address with a token in it, whether or not the token is known: it stands in logs and histories now. */
export function refuseAddress(asked: Asked, world: WebWorld): Answer {
  record({ ...asked, visitor: null }, 'a token stood in the address', world);
  return said(asked, 400, asked.language.say('web.tokenInAddress'));
}

/** A program needs a token that is known. */
function tokenFirst(asked: Asked, world: WebWorld): Answer {
  const { request, language } = asked;
  record(asked, request.headers.has('authorization') ? 'the token is unknown or over' : 'there was no token', world);
  const message = language.say(request.headers.has('authorization') ? 'web.tokenUnknown' : 'web.tokenFirst');
  return { ...said(asked, 401, message), headers: { 'www-authenticate': 'Bearer' } };
}

/** The cells of a page as its visitor sees them now; null when that visitor may not see it, or it is no page any more. */
export async function cellsOf(asked: Asked, world: WebWorld): Promise<Cells | null> {
  if (asked.visitor === null || !maySee(asked)) return null;
  const { visit, cells } = visitOf(asked, asked.visitor, { text: '', onlyCells: true }, world);
  const answer = await asked.route.handle(visit);
  return 'page' in answer && (answer.status ?? 200) === 200 ? cells : null;
}

/** Why nobody is signed in whom the proxy names, as the audit says it. */
const PROXY_REFUSALS: Record<ProxyRefusal, string> = {
  odd: 'its header cannot be read',
  noRole: 'it gives them no role here',
  disabled: 'the user is disabled',
  alike: 'it wrote the name in another way before',
};

/** Says why a visitor may not call a route; null when it may. Who is not signed in is led to do so, and back. */
function refuseVisitor(asked: Asked, world: WebWorld): Answer | null {
  const { route, visitor, refused, language, url } = asked;
  if (refused !== null) {
    record(asked, `the proxy: ${PROXY_REFUSALS[refused]}`, world);
    return refuseProxied(asked, language.say(`web.proxy.${refused}`), world);
  }
  if (maySee(asked)) return null;
  if (visitor?.signedIn === true) {
    const isOfAll = route.may.includes(visitor.role);
    record(asked, isOfAll ? 'it concerns more than their feeds' : `the role ${visitor.role} may not`, world);
    return said(
      asked,
      403,
      isOfAll ? language.say('web.ofAll') : language.say('web.forbidden', { role: visitor.role }),
    );
  }
  if (visitor !== null) return said(asked, 403, language.say('web.readOnly'));
  if (isForPrograms(route)) return tokenFirst(asked, world);
  if (route.method !== 'GET') {
    record(asked, 'nobody is signed in', world);
    return signInFirst(asked);
  }
  return { redirect: `/sign-in?to=${encodeURIComponent(url.pathname + url.search)}` };
}

/** Refuses whom the proxy names, who can leave for the proxy to come back as somebody else. */
function refuseProxied(asked: Asked, why: string, { loaded }: WebWorld): Answer {
  const { language, route } = asked;
  const to = loaded.config.web.proxy?.signOutUrl;
  if (to === undefined || route.body === 'file' || isForPrograms(route)) return said(asked, 403, why);
  const link = { to, name: 'web.proxy.outThere' } as const;
  return { page: refusal(language, 'web.refused', prose(why), link), status: 403 };
}

/** Has the working process write down what was refused; what nobody who is known asked for, by its route alone. */
function record({ visitor, route, url, address }: Asked, reason: string, { call }: WebWorld): void {
  const who = visitor?.signedIn === true ? visitor.name : null;
  const what = `${route.method} ${who === null ? route.path : url.pathname}`;
  const via = isForPrograms(route) ? 'api' : 'console';
  const asker = { who: who ?? '', via, origin: address } as const;
  // A ledger that cannot be written just now must not keep anybody from being refused.
  call('recordRefusal', { who, what, reason }, asker).catch(() => undefined);
}

/** The session has ended under a page: what its form said is not done, and whoever signs in comes back to it. */
function signInFirst({ request, url, language }: Asked): Answer {
  const from = URL.parse(request.headers.get('referer') ?? '');
  const back = from?.host === url.host ? from.pathname + from.search : '/';
  const link = { to: `/sign-in?to=${encodeURIComponent(back)}`, name: 'web.signIn.button' } as const;
  return { page: refusal(language, 'web.refused', language.say('web.signInFirst'), link), status: 401 };
}

function visitOf(
  asked: Asked,
  visitor: Looker,
  { text, onlyCells }: { text: string; onlyCells: boolean },
  world: WebWorld,
): { visit: Visit; cells: Cells } {
  const { route, language, params, request, letBodyCome, lookAgain, url, session, device, flow } = asked;
  const { cell, cells } = collectCells();
  const visit: Visit = {
    ctx: world.ctx,
    world,
    visitor,
    language,
    url,
    params,
    form: new URLSearchParams(route.body === 'json' ? '' : text),
    json: route.body === 'json' ? parseJson(text) : null,
    session,
    device,
    flow,
    request,
    letBodyCome,
    lookAgain,
    onlyCells,
    cell,
    call: (name, args) => world.call(name, args, askerOf(visitor)),
  };
  return { visit, cells };
}

function failed(asked: Asked, error: unknown, { ctx }: WebWorld): Answer {
  if (error instanceof OfferlineError && error.code !== 'internal') {
    const { http } = STATUS[error.code];
    if (http >= 500) ctx.log.warn({ path: asked.route.path, reason: error.message }, 'console request failed');
    return said(asked, http, error.message, { code: error.code, why: whyRefused(error, asked.language) });
  }
  // Whoever goes away while a command runs for them ends it.
  if (asked.request.signal.aborted) ctx.log.debug({ path: asked.route.path }, 'console request left by its sender');
  else ctx.log.error({ err: error, path: asked.route.path }, 'console request failed');
  return said(asked, 500, isForPrograms(asked.route) ? messageOf(error) : asked.language.say('web.fault'), {
    code: 'internal',
  });
}

/** A refusal in the form in which the route answers. */
function said(
  { route, language }: Asked,
  status: number,
  message: string,
  { code = 'usage', why }: { code?: ErrorCode; why?: Part } = {},
): Answer {
  if (route.body === 'file') return problem(status, code, message);
  if (isForPrograms(route)) return { json: { error: { code, message } }, status };
  return { page: refusal(language, 'web.refused', why ?? prose(message)), status };
}

/** In English the error as the command line says it; else what kind of error it is, with its own words behind. */
function whyRefused({ code, message }: OfferlineError, language: Language): Part {
  if (code === 'internal' || readsOps(language)) return prose(message);
  return saidHtml(sayWith(language.say(`web.error.${code}`), message, language));
}

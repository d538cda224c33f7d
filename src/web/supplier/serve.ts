import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { secretHash } from '../../access/secret.ts';
import { isGuess, letIn, supplierSince, type LetIn } from '../../access/supplier-links.ts';
import { supplierLanguage, supplierName, supplierZone } from '../../config/supplier.ts';
import { OfferlineError, STATUS } from '../../errors.ts';
import { dictionary } from '../../io/dictionary.ts';
import { html } from '../../wording/html.ts';
import { languages, openLanguage, type Language, type MessageKey } from '../../wording/language/language.ts';
import type { Asker } from '../actions/world.ts';
import { readLinkCookie, writeLinkCookie } from '../auth/cookies.ts';
import { markKnown } from '../http/connections.ts';
import { fileHeaders, SUPPLIER_HEADERS } from '../http/headers.ts';
import type { Exchange } from '../http/identify.ts';
import { arrivalOf, isFromOwnPage, type Arrival } from '../http/origin.ts';
import type { WebWorld } from '../visit.ts';
import { deliver } from './deliver.ts';
import { deliveriesPage } from './deliveries-page.ts';
import { deliveryPage, downloadWorkbook } from './delivery-page.ts';
import { supplierFrame } from './frame.ts';
import { addressIn, SUPPLIER_LINK, type SupplierAnswer, type SupplierRoute, type SupplierVisit } from './visit.ts';

/** The link in a mail; only here a secret is in an address. */
const OPEN = '/supplier/open/:secret';

/** So much is read of what a browser says of languages. */
const LONGEST_WISH = 200;

/**
 * Everything that a link opens. None of it is in the table of the console, whose routes know nothing of links, as these know nothing of users.
 * @internal exported for tests
 */
export const SUPPLIER_ROUTES: readonly SupplierRoute[] = [
  { method: 'GET', path: '/supplier/:link', handle: deliveriesPage },
  { method: 'POST', path: '/supplier/:link/deliveries', handle: deliver },
  { method: 'GET', path: '/supplier/:link/deliveries/:run', handle: deliveryPage },
  { method: 'GET', path: '/supplier/:link/deliveries/:run/workbook', handle: downloadWorkbook },
];

/** Serves the pages of suppliers. Whatever is not there is answered alike, whether or not it ever was. */
export function serveSuppliers(app: Hono<{ Bindings: HttpBindings }>, world: WebWorld): void {
  app.use('/supplier/*', async (c, next) => {
    for (const [name, value] of Object.entries(SUPPLIER_HEADERS)) c.header(name, value);
    await next();
  });
  app.get(OPEN, (c) => guarded(c, OPEN, world, () => openLink(c, world)));
  for (const route of SUPPLIER_ROUTES)
    app.on(route.method, route.path, (c) => guarded(c, route.path, world, () => serve(c, route, world)));
  app.all('/supplier/*', (c) => nothing(c, world));
}

/** Answers in any case. What failed is logged by its route: the address may have a secret in it. */
async function guarded(c: Exchange, path: string, world: WebWorld, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    return failed(c, { path, error, language: strangersLanguage(c, world) }, world);
  }
}

function failed(
  c: Exchange,
  { path, error, language }: { path: string; error: unknown; language: Language },
  world: WebWorld,
): Response | Promise<Response> {
  const { log } = world.ctx;
  if (error instanceof OfferlineError && typeof error.details['again'] === 'number') {
    const { answer, again } = error.details;
    sayAgain(c, again * 1000);
    return say(c, { key: 'supplier.page.soon', status: answer === 429 ? 429 : 503, language }, world);
  }
  const status = error instanceof OfferlineError ? STATUS[error.code].http : 500;
  if (c.req.raw.signal.aborted) log.debug({ path }, 'console request left by its sender');
  else if (error instanceof OfferlineError && error.code !== 'internal')
    log.warn({ path, reason: error.message }, 'console request failed');
  else log.error({ err: error, path }, 'console request failed');
  return say(c, { key: 'supplier.page.fault', status, language }, world);
}

/**
 * Lets a supplier in: from here on the browser has the secret, and no address. It goes on from a page of ours, because browsers do not send a cookie of
 * this kind when a link of another site or of a mail leads here.
 */
async function openLink(c: Exchange, world: WebWorld): Promise<Response> {
  const arrival = arrivalAt(c, world);
  const { secret = '' } = paramsOf(c);
  const found = await letIn({ secret, id: null, address: arrival.address }, world.ctx);
  if (found === null || 'again' in found) return turnAway(c, found, { secret, arrival }, world);
  const { id, feed, expires_at: expires } = found.link;
  // A ledger that cannot be written just now must not keep anybody from reading.
  await world.call('openedSupplierLink', { id, feed }, askerOf(id, arrival)).catch(() => undefined);
  const path = addressIn({ link: id });
  writeLinkCookie(c, arrival, { secret, path, maxAge: (expires - (await world.ctx.ledger.now())) / 1000 });
  const language = languageFor(feed, world);
  const title = supplierName(world.ctx.config, feed);
  const body = html`<h1><bdi>${title}</bdi></h1>
    <p><a href="${path}">${language.say('supplier.page.title')}</a></p>`;
  return c.html(supplierFrame({ title, body, next: path }, { language, ctx: world.ctx }).markup);
}

async function serve(c: Exchange, route: SupplierRoute, world: WebWorld): Promise<Response> {
  const arrival = arrivalAt(c, world);
  const secret = readLinkCookie(c, arrival);
  if (secret === null) return nothing(c, world);
  const params = paramsOf(c);
  const shown = { secret, id: params['link'] ?? '', address: arrival.address };
  const found = await letIn(shown, world.ctx);
  if (found === null || 'again' in found) return turnAway(c, found, { secret, arrival }, world);
  markKnown(c.env.incoming.socket);
  const { id, feed } = found.link;
  const language = languageFor(feed, world);
  if (route.method !== 'GET' && !isOwnForm(c.req.raw.headers, world))
    return say(c, { key: 'supplier.page.foreign', status: 403, language }, world);
  const visit: SupplierVisit = {
    ctx: world.ctx,
    world,
    language,
    feed,
    since: await supplierSince(feed, world.ctx),
    link: id,
    formKey: secretHash(`form ${secret}`),
    isStillOpen: async () => {
      const now = await letIn(shown, world.ctx);
      return now !== null && 'link' in now;
    },
    url: new URL(c.req.url),
    params,
    request: c.req.raw,
    call: (name, args) => world.call(name, args, askerOf(id, arrival)),
  };
  try {
    return await write(c, await route.handle(visit), language, world);
  } catch (error) {
    return failed(c, { path: route.path, error, language }, world);
  }
}

function write(c: Exchange, answer: SupplierAnswer, language: Language, world: WebWorld): Response | Promise<Response> {
  if (answer === null) return nothing(c, world);
  if ('redirect' in answer) return c.redirect(answer.redirect, 303);
  if ('file' in answer) return c.body(answer.file, 200, fileHeaders(answer));
  if (answer.again !== undefined) sayAgain(c, answer.again);
  const foot = html`<p>${language.moment(world.ctx.clock.now())}</p>`;
  const status = (answer.status ?? 200) as ContentfulStatusCode;
  return c.html(supplierFrame({ ...answer.page, foot }, { language, ctx: world.ctx }).markup, status);
}

/** Counts what opened nothing, and has those wait who try too much. */
async function turnAway(
  c: Exchange,
  found: Extract<LetIn, { again: number }> | null,
  { secret, arrival }: { secret: string; arrival: Arrival },
  world: WebWorld,
): Promise<Response> {
  if (found === null && !(await isGuess(secret, world.ctx))) return nothing(c, world);
  const again = found?.again ?? (await world.call('countWrongSupplierLink', {}, askerOf('', arrival)));
  if (again === null) return nothing(c, world);
  sayAgain(c, again);
  return say(c, { key: 'supplier.page.wait', status: 429, language: strangersLanguage(c, world) }, world);
}

function sayAgain(c: Exchange, again: number): void {
  c.header('retry-after', String(Math.ceil(again / 1000)));
}

/** The one answer for all that is not there: a link that never was, one that ended or expired, a feed without a page, a page that is none. */
function nothing(c: Exchange, world: WebWorld): Response | Promise<Response> {
  return say(c, { key: 'supplier.page.none', status: 404, language: strangersLanguage(c, world) }, world);
}

function say(
  c: Exchange,
  { key, status, language }: { key: MessageKey; status: number; language: Language },
  { ctx }: WebWorld,
): Response | Promise<Response> {
  const title = language.say('supplier.page.title');
  const body = html`<h1>${title}</h1>
    <p>${language.say(key)}</p>`;
  return c.html(supplierFrame({ title, body }, { language, ctx }).markup, status as ContentfulStatusCode);
}

/** Whether a form was sent by a page of ours, as far as browsers say. Pages that hide where they are have no origin. */
function isOwnForm(headers: Headers, { loaded }: WebWorld): boolean {
  const site = headers.get('sec-fetch-site');
  if (headers.get('origin') === 'null' || !headers.has('origin')) return site === null || site === 'same-origin';
  return isFromOwnPage(headers, loaded.config.web);
}

function arrivalAt(c: Exchange, { loaded }: WebWorld): Arrival {
  return arrivalOf(c.req.raw.headers, c.env.incoming.socket.remoteAddress, loaded.config.web);
}

function paramsOf(c: Exchange): Record<string, string> {
  return dictionary(Object.entries(c.req.param()));
}

function askerOf(link: string, { address }: Arrival): Asker {
  return { who: `${SUPPLIER_LINK}${link}`, via: 'console', origin: address };
}

function languageFor(feed: string, { ctx: { config } }: WebWorld): Language {
  return openLanguage(supplierLanguage(config, feed), supplierZone(config, feed) ?? config.web.timezone);
}

/** What those read of whom nothing is known: the first language of their browser that there is, else that of mails. */
function strangersLanguage(c: Exchange, { ctx: { config } }: WebWorld): Language {
  const asked = (c.req.header('accept-language') ?? '').slice(0, LONGEST_WISH).toLowerCase();
  const wished = asked.split(',').map((one) => one.trim().split(/[-;]/u, 1)[0]);
  const name = wished.find((one) => one !== undefined && languages().includes(one)) ?? config.mail.language;
  return openLanguage(name, config.web.timezone);
}

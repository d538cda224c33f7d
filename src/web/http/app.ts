import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { hasToken } from '../../access/tokens.ts';
import { OfferlineError } from '../../errors.ts';
import { writeCookie } from '../auth/cookies.ts';
import type { Live } from '../live/live.ts';
import { shell } from '../parts/shell.ts';
import { HEALTH_CHECKS, type Route } from '../route.ts';
import { ROUTES } from '../routes.ts';
import { serveSuppliers } from '../supplier/serve.ts';
import type { WebWorld } from '../visit.ts';
import { answerTo, refuseAddress, refuseForm, type Answered } from './answer.ts';
import { serveAssets } from './assets.ts';
import { followLive } from './follow.ts';
import { fileHeaders, safeHeaders } from './headers.ts';
import { identify, type Exchange, type Identity } from './identify.ts';
import { isFromOwnPage, isOwnHost } from './origin.ts';
import { refusal } from './refusal.ts';

const LEDGER_AWAY =
  'The ledger does not answer now, and nothing was done. Try again in a minute; the log has the details.';

/** The console as an HTTP application: each route of the table, behind the same checks. */
export function createApp(world: WebWorld, live: Live): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const { web } = world.loaded.config;
  const headers = Object.entries(safeHeaders(web.publicUrl?.startsWith('https:') ?? false));
  app.use(async (c, next) => {
    for (const [name, value] of headers) c.header(name, value);
    // An address may name a host itself, which counts before the header then.
    const hosts = [c.req.header('host'), URL.parse(c.req.url)?.host];
    if (hosts.every((host) => isOwnHost(host, web)) || HEALTH_CHECKS.includes(c.req.path)) return next();
    return c.text(
      'The console does not answer to this host. Set web.publicUrl to the address that its users open.',
      421,
    );
  });
  app.use(async (c, next) => {
    await next();
    // Only its head is sent: nobody would ever read or close the file or the live stream of its body.
    if (c.req.method === 'HEAD') await c.res.body?.cancel();
  });
  serveAssets(app);
  serveSuppliers(app, world);
  app.get('/live', (c) => followLive(c, world, live));
  for (const route of ROUTES) app.on(route.method, route.path, (c) => serve(c, route, world));
  app.notFound((c) => serve(c, c.req.path.startsWith('/api/') ? NO_OPERATION : NO_PAGE, world));
  app.onError((error, c) => {
    // Nobody can be known while the ledger is away. Whoever asks may be a stranger, so its address is for the log alone.
    if (error instanceof OfferlineError && error.code === 'ledger') {
      world.ctx.log.warn({ path: c.req.path, reason: error.message }, 'console page failed');
      if (!c.req.path.startsWith('/api/')) return c.text(LEDGER_AWAY, 503);
      return c.json({ error: { code: error.code, message: LEDGER_AWAY } }, 503);
    }
    world.ctx.log.error({ err: error, path: c.req.path }, 'console page failed');
    return c.text('A fault of offerline; its log has the details.', 500);
  });
  return app;
}

const NO_OPERATION: Route = {
  method: 'GET',
  path: '/api/*',
  may: 'everybody',
  handle: async ({ url }) => {
    const advice = 'GET /api/v1/openapi.json describes what there is.';
    throw new OfferlineError('not-found', `There is no operation ${url.pathname} of this method. ${advice}`);
  },
};

const NO_PAGE: Route = {
  method: 'GET',
  path: '*',
  may: 'everybody',
  handle: async ({ language }) => ({ page: refusal(language, 'web.notFound'), status: 404 }),
};

async function serve(c: Exchange, route: Route, world: WebWorld): Promise<Response> {
  const identity = await identify(c, route, world);
  const { asked } = identity;
  const request = c.req.raw;
  // What a program asks for with its token is no form of a page.
  const isForm = !['GET', 'HEAD'].includes(request.method) && asked.visitor?.via !== 'api';
  const whole = { ...asked, request, url: new URL(c.req.url) };
  if (hasToken(c.req.url)) return write(c, { answer: refuseAddress(whole, world), cells: null }, identity, world);
  if (isForm && !isFromOwnPage(request.headers, world.loaded.config.web)) {
    return write(c, { answer: refuseForm(whole, world), cells: null }, identity, world);
  }
  return write(c, await answerTo(whole, world), identity, world);
}

function write(
  c: Exchange,
  { answer, cells }: Answered,
  identity: Identity,
  world: WebWorld,
): Response | Promise<Response> {
  const status = ('status' in answer ? (answer.status ?? 200) : 200) as ContentfulStatusCode;
  for (const cookie of ('cookies' in answer ? answer.cookies : undefined) ?? [])
    writeCookie(c, identity.names, cookie, identity.secure);
  if ('redirect' in answer) return c.redirect(answer.redirect, 303);
  if ('json' in answer) return c.json(answer.json as object, status, answer.headers);
  if ('text' in answer) return c.body(answer.text, status, { ...answer.headers, 'content-type': answer.type });
  if ('file' in answer) return c.body(answer.file, 200, fileHeaders(answer));
  return c.html(shell(answer.page, { ...identity.asked, url: new URL(c.req.url), cells }, world).markup, status);
}

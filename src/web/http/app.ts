import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context as HonoContext } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { cookieNames, readCookie, writeCookie, type CookieNames } from '../auth/cookies.ts';
import { lookerOf } from '../auth/looker.ts';
import { openLanguage, languages } from '../../wording/language/language.ts';
import type { Live } from '../live/live.ts';
import { shell } from '../parts/shell.ts';
import type { Answer, Route } from '../route.ts';
import { ROUTES } from '../routes.ts';
import type { WebWorld } from '../visit.ts';
import { serveAssets } from './assets.ts';
import { answerTo, type Asked } from './answer.ts';
import { followLive } from './follow.ts';
import { safeHeaders } from './headers.ts';
import { isHealthCheck } from './health.ts';
import { arrivalOf, isFromOwnPage, isOwnHost } from './origin.ts';
import { refusal } from './refusal.ts';

type Env = { Bindings: HttpBindings };
type C = HonoContext<Env>;

/** The console as an HTTP application: each route of the table, behind the same checks. */
export function createApp(world: WebWorld, live: Live): Hono<Env> {
  const app = new Hono<Env>();
  const { web } = world.loaded.config;
  const secure = web.publicUrl?.startsWith('https:') ?? false;
  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(safeHeaders(secure))) c.header(name, value);
    if (!isOwnHost(c.req.header('host'), web) && !isHealthCheck(c.req.path))
      return c.text(
        'This console does not answer to that host. Set web.publicUrl to the address that its users open.',
        421,
      );
    return next();
  });
  serveAssets(app);
  app.get('/live', (c) => followLive(c, world, live, (route) => identify(c, world, route)));
  for (const route of ROUTES) app.on(route.method, route.path, (c) => serve(c, route, world));
  app.notFound((c) => serve(c, NOT_FOUND, world));
  app.onError((error, c) => {
    world.ctx.log.error({ err: error, path: c.req.path }, 'console page failed');
    return c.text('A fault of offerline; its log has the details.', 500);
  });
  return app;
}

const NOT_FOUND: Route = {
  method: 'GET',
  path: '*',
  may: 'everybody',
  handle: async ({ language }) => ({ page: refusal(language, 'web.notFound'), status: 404 }),
};

/** Who asks, and in which language; with the names of the cookies that say so. */
export type Identity = { asked: Omit<Asked, 'request' | 'url'>; names: CookieNames; secure: boolean };

/** Finds out who sends a request. */
async function identify(c: C, world: WebWorld, route: Route): Promise<Identity> {
  const { web, mail } = world.loaded.config;
  const { address, secure, host } = arrivalOf(c.req.raw.headers, c.env.incoming.socket.remoteAddress, web);
  const names = cookieNames(host, secure);
  const isApi = route.path.startsWith('/api/') || route.path === '/metrics';
  const authorization = isApi ? (c.req.header('authorization') ?? null) : null;
  const visitor = await lookerOf({ session: readCookie(c, names, 'session'), authorization, address }, world);
  const chosen = [readCookie(c, names, 'language'), visitor?.language, mail.language];
  const language = openLanguage(
    chosen.find((name) => name !== undefined && languages().includes(name))!,
    web.timezone,
  );
  return {
    asked: { visitor, language, address, route, params: c.req.param() as Record<string, string> },
    names,
    secure,
  };
}

async function serve(c: C, route: Route, world: WebWorld): Promise<Response> {
  const { asked, names, secure } = await identify(c, world, route);
  const request = c.req.raw;
  const isUnsafe = route.method !== 'GET' && asked.visitor?.via !== 'api';
  const answer: Answer =
    isUnsafe && !isFromOwnPage(request.headers, world.loaded.config.web)
      ? { page: refusal(asked.language, 'web.foreignForm'), status: 403 }
      : await answerTo({ ...asked, request, url: new URL(c.req.url) }, world);
  return write(c, answer, { asked, names, secure }, world);
}

function write(c: C, answer: Answer, { asked, names, secure }: Identity, world: WebWorld): Response {
  if ('redirect' in answer) {
    for (const cookie of answer.cookies ?? []) writeCookie(c, names, cookie, secure);
    return c.redirect(answer.redirect, 303);
  }
  if ('json' in answer)
    return c.json(answer.json as object, (answer.status ?? 200) as ContentfulStatusCode, answer.headers);
  if ('text' in answer)
    return c.body(answer.text, (answer.status ?? 200) as ContentfulStatusCode, {
      ...answer.headers,
      'content-type': answer.type,
    });
  if ('file' in answer) return c.body(answer.file, 200, fileHeaders(answer));
  const markup = shell(
    answer.page,
    { ...asked, url: new URL(c.req.url), isUsable: (answer.status ?? 200) === 200 },
    world,
  );
  return c.html(markup, (answer.status ?? 200) as ContentfulStatusCode);
}

/** A file is saved, never shown: what a supplier sent must not become a page of ours. */
function fileHeaders({ name, type, bytes }: Extract<Answer, { file: unknown }>): Record<string, string> {
  const plain = name.replaceAll(/[^\w.-]+/gu, '_');
  const whole = encodeURIComponent(name).replaceAll(/['()*]/gu, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return {
    'content-type': type,
    'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${whole}`,
    ...(bytes === undefined ? {} : { 'content-length': String(bytes) }),
  };
}

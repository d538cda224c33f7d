import type { OpenRoute } from '../calls/router.ts';
import type { SandboxClock } from '../clock.ts';
import type { FaultList } from '../faults/fault-list.ts';
import { demandLocal } from '../http/local.ts';
import { readParameters } from '../http/parameters.ts';
import { Refusal, type Reply } from '../http/reply.ts';
import type { OffersContext } from '../offers/context.ts';
import { errorsOf, sourceOf } from '../offers/downloads.ts';
import type { OfferFacts } from '../offers/state.ts';
import type { SearchContext } from '../search/context.ts';
import { find } from './find.ts';
import { overviewOf } from './overview.ts';
import { pageOf } from './page.ts';
import { SCRIPT, STYLE } from './style.ts';
import { identsOf } from './try.ts';

type PageContext = {
  offers: OffersContext;
  search: SearchContext;
  faults: FaultList;
  clock: SandboxClock;
  /** Everything that is served. */
  operations: { method: string; path: string }[];
};

/** Nothing inline, nothing from elsewhere; what suppliers sent is text, also when it is downloaded. */
const SAFE = {
  'content-security-policy':
    "default-src 'none'; connect-src 'self'; style-src 'self'; script-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** The page at `/` with its files: it shows the uploads of all logins, so only this machine sees it. */
export function pageRoutes(ctx: PageContext): OpenRoute[] {
  const route = (path: string, handle: OpenRoute['handle']): OpenRoute => ({
    method: 'GET',
    path,
    open: true,
    handle: (call) => {
      const message = 'This page shows the uploads of all logins: it is for this machine only.';
      demandLocal(call.request, 'PAGE_LOCAL_ONLY', message);
      return handle(call);
    },
  });
  const file = (path: string, type: string, text: string) =>
    route(path, () =>
      Promise.resolve({ status: 200, text, headers: { ...SAFE, 'content-type': `${type}; charset=utf-8` } }),
    );
  const download = (path: string, reply: (ctx: OffersContext, facts: OfferFacts) => Promise<Reply>) =>
    route(path, async ({ query }) => guarded(await reply(ctx.offers, demandUpload(ctx, query))));
  return [
    route('/', ({ request, query }) => showPage(ctx, `http://${request.headers.host ?? 'localhost'}`, query)),
    file('/page/style.css', 'text/css', STYLE),
    file('/page/live.js', 'text/javascript', SCRIPT),
    download('/page/source', sourceOf),
    download('/page/errors', errorsOf),
  ];
}

async function showPage(ctx: PageContext, address: string, query: URLSearchParams): Promise<Reply> {
  const { offers, search, faults, clock, operations } = ctx;
  const before = overviewOf(offers.store.db, offers.records, clock.now());
  const asked = await find(search, query, { logins: before, address });
  const text = pageOf({
    address,
    now: clock.now(),
    operations,
    // A search may have waited for an index.
    logins: overviewOf(offers.store.db, offers.records, clock.now()),
    faults: faults.all().map(({ fault }) => fault.fault),
    asked,
    idents: identsOf(search.reference),
    settings: offers.settings,
  });
  return { status: asked.status, text, headers: { ...SAFE, 'content-type': 'text/html; charset=utf-8' } };
}

function demandUpload({ offers }: PageContext, query: URLSearchParams): OfferFacts {
  const parameters = readParameters(query);
  const id = parameters.requiredId('offerId');
  const facts = offers.records.find(parameters.requiredText('login'), id);
  parameters.end();
  if (facts === undefined) throw new Refusal(404, 'OFFER_NOT_FOUND', `This login has no offer ${id}.`);
  return facts;
}

function guarded(reply: Reply): Reply {
  return 'headers' in reply ? { ...reply, headers: { ...reply.headers, ...SAFE } } : reply;
}

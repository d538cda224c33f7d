import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { SandboxClock } from '../clock.ts';
import type { FaultList } from '../faults/fault-list.ts';
import { demandLocal } from '../http/local.ts';
import type { OfferRecords } from '../offers/records.ts';
import type { OpenRoute, OperationRoute } from '../calls/router.ts';
import { Refusal } from '../http/reply.ts';
import type { Reference } from '../reference/open.ts';
import type { Store } from '../store.ts';
import { overviewOf } from './overview.ts';
import { pageOf } from './page.ts';
import { askedIn } from './search.ts';
import { visitor } from './visit.ts';

type PageContext = {
  db: Store['db'];
  records: OfferRecords;
  faults: FaultList;
  clock: SandboxClock;
  /** Everything that is served. */
  operations: OperationRoute[];
  reference: Pick<Reference, 'db'>;
};

/** The page at `/`, and the files that it links to: they show the uploads of all logins, so only this machine sees them. */
export function pageRoutes({ db, records, faults, clock, operations, reference }: PageContext): OpenRoute[] {
  const visit = visitor(operations);
  const overview = () => overviewOf(db, records, clock.now());
  const page: OpenRoute = {
    method: 'GET',
    path: '/',
    open: true,
    handle: async ({ request, query }) => {
      demandThisMachine(request);
      const nonce = randomBytes(16).toString('base64');
      const policy = `default-src 'none'; connect-src 'self'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;
      const logins = overview();
      const content = {
        address: `http://${request.headers.host ?? 'localhost'}`,
        now: clock.now(),
        operations,
        logins,
        faults: faults.all().map(({ fault }) => fault.fault),
        asked: await askedIn(query, logins, visit, request),
        vins: examplesOf(reference.db()),
      };
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'cache-control': 'no-store',
      };
      return { status: 200, text: pageOf(content, nonce), headers };
    },
  };
  const file: OpenRoute = {
    method: 'GET',
    path: '/file',
    open: true,
    handle: async ({ request, query }) => {
      demandThisMachine(request);
      const login = overview().find((_, at) => String(at) === query.get('login'));
      if (login === undefined) throw new Refusal(404, 'LOGIN_NOT_FOUND', 'The page shows no such login.');
      const operation = query.get('kind') === 'errors' ? 'errors' : 'source';
      return visit(operation, login, { offerId: query.get('offer') ?? '' }, request);
    },
  };
  return [page, file];
}

function demandThisMachine(request: IncomingMessage): void {
  const message = 'This page shows the uploads of all logins: it is for this machine only.';
  demandLocal(request, 'PAGE_LOCAL_ONLY', message);
}

/** The example of each catalog. */
function examplesOf(db: ReturnType<Reference['db']>): { vin: string; name: string }[] {
  return db
    .prepare('SELECT vin_example AS vin, name_en AS name FROM catalogs ORDER BY code')
    .all()
    .map(({ vin, name }) => ({ vin: String(vin), name: String(name) }));
}

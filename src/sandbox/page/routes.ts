import { randomBytes } from 'node:crypto';
import type { SandboxClock } from '../clock.ts';
import type { FaultList } from '../faults/fault-list.ts';
import { demandLocal } from '../http/local.ts';
import type { OfferRecords } from '../offers/records.ts';
import type { OpenRoute } from '../calls/router.ts';
import type { Store } from '../store.ts';
import { overviewOf } from './overview.ts';
import { pageOf } from './page.ts';

type PageContext = {
  db: Store['db'];
  records: OfferRecords;
  faults: FaultList;
  clock: SandboxClock;
  /** Everything that is served. */
  operations: { method: string; path: string }[];
};

/** The page at `/`: it shows the uploads of all logins, so only this machine sees it. */
export function pageRoute({ db, records, faults, clock, operations }: PageContext): OpenRoute {
  return {
    method: 'GET',
    path: '/',
    open: true,
    handle: async ({ request }) => {
      demandLocal(
        request,
        'PAGE_LOCAL_ONLY',
        'This page shows the uploads of all logins: it is for this machine only.',
      );
      const nonce = randomBytes(16).toString('base64');
      const policy = `default-src 'none'; connect-src 'self'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
      const content = {
        address: `http://${request.headers.host ?? 'localhost'}`,
        now: clock.now(),
        operations,
        logins: overviewOf(db, records, clock.now()),
        faults: faults.all().map(({ fault }) => fault.fault),
      };
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'cache-control': 'no-store',
      };
      return { status: 200, text: pageOf(content, nonce), headers };
    },
  };
}

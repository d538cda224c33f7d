import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { addToken, revokeToken } from '../../../src/access/tokens.ts';
import type { TokenRole } from '../../../src/access/visitor.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { isForPrograms, type Route } from '../../../src/web/route.ts';
import { ROUTES } from '../../../src/web/routes.ts';
import { openConsole, type ConsoleUnderTest } from '../../support/console.ts';

/* Every kind of token at every route: what is for programs answers those that may, and nothing else knows tokens at all. */

type Kind = { role: TokenRole; feeds: string[] | null; end?: 'expired' | 'revoked' | 'made up' };

const KINDS: Record<string, Kind> = {
  'to read': { role: 'viewer', feeds: null },
  'to read one feed': { role: 'viewer', feeds: ['north'] },
  'to decide': { role: 'manager', feeds: null },
  'to decide about one feed': { role: 'manager', feeds: ['north'] },
  'to operate': { role: 'ops', feeds: null },
  'to administer': { role: 'admin', feeds: null },
  'to push': { role: 'push', feeds: ['north'] },
  expired: { role: 'admin', feeds: null, end: 'expired' },
  revoked: { role: 'admin', feeds: null, end: 'revoked' },
  'made up': { role: 'admin', feeds: null, end: 'made up' },
};

let served: ConsoleUnderTest;
const secrets = new Map<string, string>();

beforeAll(async () => {
  served = await openConsole({ feeds: { north: { source: { type: 'push', pattern: '*.csv' } }, south: {} } });
  // With a user nobody else may look.
  await served.addUser('admin');
  const ledger = await openLedger({ file: join(served.shop.home, 'ledger.sqlite') });
  const by = { who: 'test', via: 'cli', origin: null } as const;
  for (const [name, { role, feeds, end }] of Object.entries(KINDS)) {
    const ends = end === 'expired' ? 1 : null;
    const { id, secret } = await addToken({ name, role, feeds, ends }, by, { ledger });
    if (end === 'revoked') await revokeToken(id, by, { ledger });
    secrets.set(name, end === 'made up' ? `ofl_${'x'.repeat(43)}` : secret);
  }
  await ledger.close();
});

/** What a route has to answer a token of a kind: nobody else says so than its rule. */
function expected(route: Route, { role, feeds, end }: Kind): 'done' | 'forbidden' | 'refused' | 'led to sign in' {
  const { may, method } = route;
  if (may === 'everybody') return 'done';
  if (!isForPrograms(route)) return method === 'GET' ? 'led to sign in' : 'refused';
  if (end !== undefined) return 'refused';
  return may.includes(role) && (feeds === null || may.includes('manager')) ? 'done' : 'forbidden';
}

function answerIn({ status, headers, url }: Response): string {
  if (headers.get('location')?.startsWith('/sign-in?to=') === true) return 'led to sign in';
  if (status === 403) return 'forbidden';
  return status === 401 && !url.endsWith('/sign-in') ? 'refused' : 'done';
}

test.each(Object.keys(KINDS))('a token %s', async (name) => {
  const found: string[] = [];
  for (const route of ROUTES) {
    const { method, path } = route;
    const reply = await fetch(`${served.url}${path.replaceAll(/:\w+/gu, 'nope')}`, {
      method,
      headers: { authorization: `Bearer ${secrets.get(name)}`, origin: served.url },
      redirect: 'manual',
      ...(method === 'GET' ? {} : { body: 'x' }),
    });
    await reply.body?.cancel();
    const [answer, wanted] = [answerIn(reply), expected(route, KINDS[name]!)];
    if (answer !== wanted || reply.status >= 500)
      found.push(`${method} ${path}: ${answer} (${reply.status}), not ${wanted}`);
  }
  expect(found).toEqual([]);
});

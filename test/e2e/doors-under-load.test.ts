import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addressIn } from '../../src/web/supplier/visit.ts';
import { makeLink } from '../../src/access/supplier-links.ts';
import { loadConfig } from '../../src/config/load.ts';
import { openLedger, openReader } from '../../src/ledger/ledger.ts';
import { atEnd } from '../support/at-end.ts';
import { endOf, goodRows, startRun } from '../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../support/console.ts';
import { freePort } from '../support/free-port.ts';
import { gateTo } from '../support/gate.ts';
import { HOOK_SECRET } from '../support/hook-receiver.ts';
import { serve } from '../support/http-server.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

/* What hangs at the doors holds up no upload: its lease is prolonged by the same owner all the time. */

const HOOKS = 50;
const PAGES = 500;
const SIGN_INS = 20;
/** Pages are asked for so many at a time: more strangers of one address are sent away. */
const AT_ONCE = 100;
/** A feed gives its pages one after the other, and so many may wait. */
const PAGES_OF_FEED = 5;
/** How often a lease is prolonged while all that hangs. */
const RENEWALS = 6;

/** Opens a page of a supplier in so many browsers, each with a link of its own. */
async function openPages(served: ConsoleUnderTest): Promise<(() => Promise<number>)[]> {
  const loaded = await loadConfig({
    file: join(served.shop.folder, 'offerline.yaml'),
    home: served.shop.home,
    env: {},
  });
  const ledger = await openLedger({ file: join(served.shop.home, 'ledger.sqlite') });
  const by = { who: 'test', via: 'cli', origin: null } as const;
  const opened: (() => Promise<number>)[] = [];
  for (let at = 0; at < PAGES; at += AT_ONCE) {
    const batch = Array.from({ length: AT_ONCE }, async (_, more) => {
      const feed = `page-${Math.floor((at + more) / PAGES_OF_FEED)}`;
      const { id, secret } = await makeLink({ feed, rotate: false }, by, { config: loaded.config, ledger });
      const client = served.visitor();
      await client.page(`/supplier/open/${secret}`);
      return async () => {
        const reply = await client.get(addressIn({ link: id }));
        await reply.text();
        return reply.status;
      };
    });
    opened.push(...(await Promise.all(batch)));
  }
  await ledger.close();
  return opened;
}

/** Begins to sign in with a provider that keeps everybody waiting. */
function signIns(served: ConsoleUnderTest): Client[] {
  return Array.from({ length: SIGN_INS }, () => {
    const client = served.visitor();
    client.get('/sign-in/provider').catch(() => undefined);
    return client;
  });
}

test(
  'beside hooks that hang, open pages of suppliers and a slow provider an upload under way keeps its lease',
  { timeout: 300_000 },
  async () => {
    const asked = { hooks: 0, provider: 0 };
    const hanging = await serve((request) => void request.resume().once('end', () => (asked.hooks += 1)));
    const provider = await serve((_request, response) => {
      asked.provider += 1;
      setTimeout(() => response.writeHead(503).end(), 30_000).unref();
    });
    const service = await sandboxForTest();
    const gate = await gateTo(service.url);
    const port = await freePort();
    const hook = { url: `${hanging.url}/in`, secret: HOOK_SECRET, allowHosts: ['127.0.0.1'], timeout: '5m' };
    const page = { source: { type: 'push', pattern: '*.csv' }, supplier: { page: true } };
    const pages = Array.from({ length: PAGES / PAGES_OF_FEED }, (_, at) => [`page-${at}`, page] as const);
    const served = await openConsole({
      service: { baseUrl: gate.url, timeout: '10m' },
      worker: { lease: '10s' },
      feeds: { north: {}, ...Object.fromEntries(pages) },
      hooks: Object.fromEntries(Array.from({ length: HOOKS }, (_, at) => [`hook-${at}`, hook])),
      web: {
        listen: `127.0.0.1:${port}`,
        publicUrl: `http://127.0.0.1:${port}/`,
        oidc: {
          issuer: provider.url,
          clientId: 'offerline',
          clientSecret: 'a secret of the test',
          roles: { ops: ['x'] },
        },
      },
    });
    const ops = await served.signIn('ops');
    const open = await openPages(served);
    const ledger = await openReader({ file: join(served.shop.home, 'ledger.sqlite') });
    atEnd(() => ledger.close());
    const leaseNow = () =>
      ledger.db
        .selectFrom('leases')
        .select(['epoch', 'owner', 'renewals'])
        .where('name', '=', 'login-main')
        .executeTakeFirstOrThrow();

    served.shop.deliver('north', 'a.csv', goodRows(20_000));
    const point = gate.hold({ operation: 'process', at: 'body' });
    const run = await startRun('north', ops);
    const held = await point;
    const before = await leaseNow();
    expect((await ops.post('/feeds/page-0/pause', { reason: 'somebody is to be told' })).status).toBe(303);
    signIns(served);
    await until(() => (asked.hooks >= HOOKS && asked.provider > 0 ? true : undefined));
    const statuses = new Set<number>();
    const during = await until(async () => {
      for (let at = 0; at < open.length; at += AT_ONCE)
        for (const status of await Promise.all(open.slice(at, at + AT_ONCE).map((ask) => ask()))) statuses.add(status);
      const lease = await leaseNow();
      return lease.epoch !== before.epoch || lease.renewals >= before.renewals + RENEWALS ? lease : undefined;
    });
    expect([...statuses]).toEqual([200]);
    expect({ epoch: during.epoch, owner: during.owner }).toEqual({ epoch: before.epoch, owner: before.owner });
    held.decide('pass');
    expect(await endOf(run, ops)).toMatchObject({ outcome: 'live', rows: { live: 20_000 }, upload: { attempts: 1 } });
    const uploads = await ledger.db.selectFrom('uploads').select(['attempt', 'state']).execute();
    expect(uploads).toEqual([{ attempt: 1, state: 'success' }]);
    const steps = await ledger.db.selectFrom('upload_steps').select('state').execute();
    expect(steps.map(({ state }) => state)).not.toContain('unknown');
    expect(await service.offers()).toHaveLength(1);
    expect(served.up().stderr()).not.toMatch(/lease.{0,20} was lost/u);
  },
);

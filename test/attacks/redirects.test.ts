import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { expectPlain, goodFile } from '../support/bad-input.ts';
import { serve } from '../support/http-server.ts';
import { install } from '../support/installation.ts';
import { TEST_TLS, TRUST_TEST_TLS } from '../support/tls.ts';

const AUTH = { type: 'basic', user: 'shop', password: 'hunter2' };

/** A server of the supplier that sends everybody on to another address. */
async function redirecting(location: string) {
  return serve((_, response) => void response.writeHead(302, { location }).end());
}

function shopPulling(sources: Record<string, object>) {
  const feeds = Object.entries(sources).map(([name, source]) => [name, { source: { type: 'http', ...source } }]);
  return install({ feeds: Object.fromEntries(feeds) as Record<string, unknown> }, TRUST_TEST_TLS);
}

test('a supplier cannot send the program to a server inside: another host must be public, by whatever name', async () => {
  const inside = await serve((_, response) => response.end(goodFile('A')));
  const { port } = new URL(inside.url);
  const byName = await redirecting(`http://localhost:${port}/admin`);
  const byNumber = await redirecting(`http://2130706434:${port}/admin`);
  const mapped = await redirecting(`http://[::ffff:7f00:1]:${port}/admin`);
  const shop = shopPulling({
    name: { url: byName.url, auth: AUTH },
    number: { url: byNumber.url },
    mapped: { url: mapped.url },
    listed: { url: byName.url, auth: AUTH, allowHosts: ['LOCALHOST'] },
  });
  for (const [feed, host] of Object.entries({ name: 'localhost', number: '127.0.0.2', mapped: '::ffff:7f00:1' })) {
    const answer = await shop.ingest(feed);
    expect(answer).toMatchObject({ outcome: 'failed', status: 4, upload: null });
    expect(answer.reason).toContain(`redirects to ${host}`);
    expect(answer.reason).toContain('which is not on the public internet');
    expect(answer.reason).toContain(`list ${host.includes(':') ? `[${host}]` : host} in source.allowHosts`);
    expectPlain(answer);
  }
  expect(inside.requests).toEqual([]);

  expect(await shop.ingest('listed')).toMatchObject({ outcome: 'live', status: 0 });
  expect(inside.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([['/admin', undefined]]);
});

test('what the configuration names is trusted, also a private host and another port of it', async () => {
  const file = await serve((_, response) => response.end(goodFile('A')));
  const home = await redirecting(`${file.url}/prices.csv`);
  const shop = shopPulling({ north: { url: home.url, auth: AUTH } });
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', status: 0 });
  expect(file.requests[0]?.headers.authorization).toBeUndefined();
});

test('nobody is led from https back to http', async () => {
  const open = await serve((_, response) => response.end(goodFile('A')));
  const server = createServer(TEST_TLS, (_, response) => {
    response.writeHead(301, { location: `${open.url}/prices.csv?key=k3y` }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => server.close());
  const shop = shopPulling({ north: { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/` } });
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({ outcome: 'failed', status: 4, upload: null });
  expect(answer.reason).toContain(`redirects to ${open.url}/prices.csv?key=…, which is not encrypted`);
  expectPlain(answer);
  expect(open.requests).toEqual([]);
});

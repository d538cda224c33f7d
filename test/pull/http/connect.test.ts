import { expect, test } from 'vitest';
import type { HttpSource } from '../../../src/config/schema/source-schema.ts';
import { OfferlineError } from '../../../src/errors.ts';
import { lookupPublic } from '../../../src/io/peers/public-connector.ts';
import { privateAddress } from '../../../src/pull/http/connect.ts';

const SOURCE: HttpSource = {
  type: 'http',
  url: 'https://supplier.example/prices?key=k3y',
  headers: {},
  auth: { type: 'none' },
  timeout: 1000,
  deadline: 60_000,
  maxRedirects: 5,
  allowHosts: [],
};

/** What a connection is told of a host for which the name server gives these answers, one after the other. */
function looksUp(...answers: string[][]) {
  const refuse = (host: string, address: string) => privateAddress(SOURCE, host, address);
  const lookup = lookupPublic(refuse, (_host, _options, callback) => {
    callback(
      null,
      (answers.shift() ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  });
  return (options: { all?: boolean }) =>
    new Promise((resolve, reject) => {
      lookup('files.example', options, (error, found) => (error === null ? resolve(found) : reject(error)));
    });
}

test('of several addresses only the public ones are connected to', async () => {
  const answer = ['10.0.0.1', '8.8.8.8', 'fd00::1', '2606:4700:4700::1111'];
  expect(await looksUp(answer)({ all: true })).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700:4700::1111', family: 6 },
  ]);
  expect(await looksUp(answer)({})).toBe('8.8.8.8');
});

test('a name that is public at first and private a moment later is refused when it is connected to', async () => {
  const connect = looksUp(['8.8.8.8'], ['169.254.169.254']);
  expect(await connect({})).toBe('8.8.8.8');
  const refused: unknown = await connect({ all: true }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(OfferlineError);
  expect(refused).toMatchObject({
    code: 'pull-failed',
    retryable: false,
    message:
      'https://supplier.example/prices?key=… redirects to files.example (169.254.169.254), which is not on the public internet. Ask the supplier, or list files.example in source.allowHosts if it is correct.',
  });
});

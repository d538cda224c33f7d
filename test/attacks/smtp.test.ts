import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { expect, test } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { expectNoSecret, expectPlain, goodFile } from '../support/bad-input.ts';
import { install } from '../support/installation.ts';
import { TEST_TLS, TRUST_TEST_TLS } from '../support/tls.ts';

/** A mail server that writes down what it was trusted with, and over what. */
async function mailServer(options: SMTPServerOptions) {
  const told: string[] = [];
  const server = new SMTPServer({
    ...options,
    onAuth: ({ username }, { secure }, callback) => {
      told.push(`credentials of ${username}${secure ? ' over TLS' : ''}`);
      callback(null, { user: username });
    },
    onData: (stream, { secure }, callback) => {
      told.push(`a mail${secure ? ' over TLS' : ''}`);
      stream.resume().on('end', () => callback());
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  atEnd(() => new Promise<void>((done) => server.close(done)));
  return { port: (server.server.address() as AddressInfo).port, told };
}

/** The mail of a run to one manager, through the server of `SMTP_URL`. */
async function mailThrough(smtpUrl: string) {
  const shop = install(
    { managers: [{ email: 'brakes@example.com', when: ['always'] }] },
    { SMTP_URL: smtpUrl, ...TRUST_TEST_TLS },
  );
  shop.deliver('north', '1.csv', goodFile('A'));
  const { run, outcome } = await shop.ingest('north');
  expect(outcome).toBe('live');
  const shown = await shop.offerline('show', run);
  expectPlain(shown);
  expectNoSecret(shop, ['hunter2'], shown);
  return shown.stdout;
}

// 0.0.0.0 leads to this machine and is not loopback: the nearest that a test comes to a server elsewhere.
test('whoever takes STARTTLS out of the greeting gets neither the credentials nor the mail', async () => {
  const { port, told } = await mailServer({ disabledCommands: ['STARTTLS'] });
  const shown = await mailThrough(`smtp://shop:hunter2@0.0.0.0:${port}`);
  expect(told).toEqual([]);
  expect(shown).toContain(`The mail server 0.0.0.0:${port} cannot be reached over TLS`);
  expect(shown).toContain('add ?requireTLS=false to it if you trust the network');
});

test('a mail server that offers STARTTLS gets both over TLS', async () => {
  const { port, told } = await mailServer(TEST_TLS);
  await mailThrough(`smtp://shop:hunter2@0.0.0.0:${port}`);
  expect(told).toEqual(['credentials of shop over TLS', 'a mail over TLS']);
});

test.each([
  ['on loopback', '127.0.0.1', ''],
  ['where the address says so', '0.0.0.0', '?requireTLS=false'],
  ['where the address ignores TLS', '0.0.0.0', '?ignoreTLS=true'],
])('a mail server without TLS is used %s', async (_, host, query) => {
  const { port, told } = await mailServer({ disabledCommands: ['STARTTLS'] });
  const shop = install({}, { SMTP_URL: `smtp://shop:hunter2@${host}:${port}${query}` });
  const { stdout } = await shop.offerline('doctor');
  expect(stdout).toContain(`the mail server ${host}:${port} answers`);
  expect(told).toEqual(['credentials of shop']);
});

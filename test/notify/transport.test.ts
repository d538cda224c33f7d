import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { OfferlineError } from '../../src/errors.ts';
import { buildRunMail } from '../../src/notify/mail.ts';
import { openMail } from '../../src/notify/transport.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ENVELOPE, mailInput } from './mail-input.ts';

const CREDENTIALS = { user: 'shop@example.com', password: 'p@ss w/ord' };

type Received = { from: string; to: string[]; bytes: Buffer };

/** A mail server on a free port that asks for credentials; `options` change how it behaves. */
async function mailServer(options: SMTPServerOptions = {}): Promise<{ host: string; received: Received[] }> {
  const received: Received[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username = '', password = '' }, _session, callback) => {
      if (username === CREDENTIALS.user && password === CREDENTIALS.password) callback(null, { user: username });
      else callback(new Error(`no ${username} with ${password}`));
    },
    onData: (stream, { envelope }, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), bytes: Buffer.concat(chunks) });
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise((done) => server.close(() => done())));
  return { host: `127.0.0.1:${(server.server.address() as AddressInfo).port}`, received };
}

function smtpUrl(host: string, { user, password } = CREDENTIALS): string {
  return `smtp://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}`;
}

async function caught(act: Promise<unknown>): Promise<OfferlineError> {
  const nothing = Symbol('nothing was thrown');
  const error = await act.then(
    () => nothing,
    (thrown: unknown) => thrown,
  );
  expect(error).not.toBe(nothing);
  return error as OfferlineError;
}

/** Nothing of an error that could be logged or shown may carry what identifies us. */
function expectNoCredentials(error: OfferlineError): void {
  const shown = [error.message, error.stack, JSON.stringify(error.details), String(error.cause)].join('\n');
  const { user, password } = CREDENTIALS;
  for (const secret of [user, password, encodeURIComponent(user), encodeURIComponent(password)]) {
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain(Buffer.from(secret).toString('base64'));
  }
}

describe('the outbox', () => {
  test('keeps each mail as a file that mail programs open', async () => {
    const outbox = join(tempFolder(), 'outbox');
    const mail = await openMail({ outbox });
    const { where } = await mail.send(await buildRunMail(mailInput(), ENVELOPE));
    const read = await PostalMime.parse(readFileSync(where));
    expect(read).toMatchObject({
      subject: 'Nord Teile: 46 of 1,250 parts offline, one cause',
      from: { name: 'offerline', address: 'offerline@shop.example' },
      to: [{ address: 'brakes@example.com' }],
    });
    expect(read.messageId).toMatch(/^<20260504-060000-k7m2-partial-[0-9a-f]{16}@shop\.example>$/);
    expect(read.headers).toContainEqual(
      expect.objectContaining({ key: 'list-id', value: 'offerline <offerline.shop.example>' }),
    );
    expect(read.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }));
    expect(read.references).toBeUndefined();
    expect(read.text).toContain('more tags than the 20');
    expect(read.html).toContain('46 of 1,250 parts offline');
    const [csv] = read.attachments;
    expect(csv).toMatchObject({
      filename: 'north-20260504-060000-k7m2.csv',
      mimeType: 'text/csv',
      disposition: 'attachment',
    });
    expect(Buffer.from(csv?.content as ArrayBuffer).toString()).toBe('\uFEFFkind,code\r\nissue,too-many-tags\r\n');
  });

  test('has mails about the same incidents refer to the same ids, at most ten', async () => {
    const mail = await openMail({ outbox: tempFolder() });
    const incidents = Array.from({ length: 12 }, (_, at) => `20260504-060000-k7m${at}`);
    const { where } = await mail.send(await buildRunMail({ ...mailInput(), incidents }, ENVELOPE));
    const { references = '', inReplyTo } = await PostalMime.parse(readFileSync(where));
    const ids = references.split(/\s+/);
    expect(ids).toHaveLength(10);
    expect(ids[0]).toBe('<incident-20260504-060000-k7m0@shop.example>');
    expect(inReplyTo).toBe('<incident-20260504-060000-k7m9@shop.example>');
  });

  test('has a mail that is sent twice once, and no half files', async () => {
    // A mail has the second in which it is written.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const outbox = tempFolder();
    const mail = await openMail({ outbox });
    const first = await mail.send(await buildRunMail(mailInput(), ENVELOPE));
    expect(await mail.send(await buildRunMail(mailInput(), ENVELOPE))).toEqual(first);
    expect(readdirSync(outbox).map((name) => join(outbox, name))).toEqual([first.where]);
  });

  test('is made when it is asked for, and says where it is', async () => {
    const outbox = join(tempFolder(), 'a', 'outbox');
    expect(await (await openMail({ outbox })).verify()).toBe(`mails are written to ${outbox}`);
  });

  test('that is a file is named as the reason', async () => {
    const outbox = join(tempFolder(), 'outbox');
    writeFileSync(outbox, '');
    const error = await caught((await openMail({ outbox })).verify());
    expect(error).toMatchObject({ code: 'mail', message: expect.stringContaining(outbox) as string });
  });
});

describe('a mail server', () => {
  test('gets the same mail as the outbox', async () => {
    const { host, received } = await mailServer();
    const outbox = tempFolder();
    const mail = await buildRunMail(mailInput(), ENVELOPE);
    const server = await openMail({ smtpUrl: smtpUrl(host), outbox });
    expect(await server.verify()).toBe(`the mail server ${host} answers`);
    expect(await server.send(mail)).toEqual({ where: `brakes@example.com by ${host}`, message: null });
    server.close();
    const { where } = await (await openMail({ outbox })).send(mail);
    const [got] = received;
    expect(got).toMatchObject({ from: 'offerline@shop.example', to: ['brakes@example.com'] });
    expect(withoutDate(got?.bytes ?? Buffer.alloc(0))).toBe(withoutDate(readFileSync(where)));
  });

  test('that refuses the credentials is named, the credentials are not', async () => {
    const { host } = await mailServer({
      onAuth: ({ username, password }, _session, callback) => callback(new Error(`no ${username} with ${password}`)),
    });
    const server = await openMail({ smtpUrl: smtpUrl(host), outbox: tempFolder() });
    const errors = [
      await caught(server.verify()),
      await caught(server.send(await buildRunMail(mailInput(), ENVELOPE))),
    ];
    for (const error of errors) {
      expect(error).toMatchObject({ code: 'mail', retryable: false });
      expect(error.message).toContain(`The mail server ${host} rejected the credentials in SMTP_URL`);
      expectNoCredentials(error);
    }
  });

  test.each([
    [550, 'no such mailbox', false],
    [451, 'try again later', true],
  ])('that answers %i may be asked again: %s', async (responseCode, text, retryable) => {
    const { host } = await mailServer({
      onRcptTo: (_address, _session, callback) => callback(Object.assign(new Error(text), { responseCode })),
    });
    const server = await openMail({ smtpUrl: smtpUrl(host), outbox: tempFolder() });
    const error = await caught(server.send(await buildRunMail(mailInput(), ENVELOPE)));
    expect(error).toMatchObject({ code: 'mail', retryable, message: expect.stringContaining(text) as string });
    expectNoCredentials(error);
  });

  test('that is not there may be asked again later', async () => {
    const server = await openMail({ smtpUrl: smtpUrl('127.0.0.1:1'), outbox: tempFolder() });
    const error = await caught(server.send(await buildRunMail(mailInput(), ENVELOPE)));
    expect(error).toMatchObject({ code: 'mail', retryable: true });
    expect(error.message).toContain('The mail server 127.0.0.1:1 did not accept the mail');
    expectNoCredentials(error);
  });

  test.each(['mail.example.com', 'http://mail.example.com', 'smtp://', 'smtp://u:p#w@h'])(
    'whose address is %j is refused without repeating it',
    async (address) => {
      const error = await caught(openMail({ smtpUrl: address, outbox: tempFolder() }));
      expect(error).toMatchObject({ code: 'config', message: expect.stringContaining('SMTP_URL is not') as string });
      expect(error.message).not.toContain(address === 'smtp://' ? 'smtp:///' : address);
    },
  );
});

test('an outbox that cannot be written to is named', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'file'), '');
  const outbox = join(folder, 'file', 'outbox');
  const error = await caught((await openMail({ outbox })).send(await buildRunMail(mailInput(), ENVELOPE)));
  expect(error.message).toContain(`Cannot write ${outbox}`);
});

function withoutDate(message: Buffer): string {
  return message
    .toString()
    .replace(/^Date: .*\r\n/m, '')
    .trimEnd();
}

import { randomBytes } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as body } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { MailSource } from '../../../src/config/schema/sources/mail.ts';
import { secret } from '../../../src/config/secrets/secret.ts';
import { acknowledge } from '../../../src/pull/acknowledge.ts';
import { lookAt } from '../../../src/pull/look-at.ts';
import { tokenOf } from '../../../src/pull/mail/token.ts';
import { pull } from '../../../src/pull/pull.ts';
import { pullServer } from '../../../src/pull/server/pull-server.ts';
import type { PulledFile } from '../../../src/pull/source.ts';
import { serve } from '../../support/http-server.ts';
import { lacks } from '../../support/programs.ts';
import { startDovecot } from '../../support/servers/dovecot.ts';
import { trustTestTls } from '../../support/servers/vsftpd.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { pullInput } from '../pull-input.ts';
import { attached, mailWith, multipart, text } from './write-mail.ts';

const missing = lacks('dovecot');
const SIGNAL = new AbortController().signal;
function wrapped(text: string, length: number): string {
  return text.replaceAll(new RegExp(`.{1,${length}}`, 'gu'), '$&\r\n');
}

const FILE = 'brand;oem\r\nБОШ;0 986\r\n';

beforeAll(trustTestTls);

describe.skipIf(missing)('Dovecot', () => {
  test('the newest attachment of a trusted sender is brought byte for byte, and nothing is marked as read', async () => {
    const { source, deliver, folder } = await startDovecot();
    deliver(mailWith([text('Hello'), attached('old.csv', 'old')]));
    deliver(mailWith([text('Hello'), attached('prices.csv', FILE)]));
    deliver(mailWith([text('No list today')]));
    const input = pullInput();
    expect(await pull({ ...source, pattern: '*.csv' }, input)).toMatchObject({
      name: 'prices.csv',
      superseded: ['old.csv'],
    });
    expect(readFileSync(input.target, 'utf8')).toBe(FILE);
    expect(
      [...readdirSync(join(folder, 'new')), ...readdirSync(join(folder, 'cur'))].filter((name) => name.endsWith('S')),
    ).toEqual([]);
  });

  test.each(['explicit', 'none'] as const)('brings a file with security: %s', async (security) => {
    const { source, deliver } = await startDovecot({ security });
    deliver(mailWith([attached('prices.csv', FILE)]));
    expect(await pull(source, pullInput())).toMatchObject({ name: 'prices.csv' });
  });

  test('names of every kind are read', async () => {
    const { source, deliver } = await startDovecot();
    const extended = {
      header: ["Content-Disposition: attachment; filename*0*=windows-1251''%CF%F0%E0; filename*1*=%E9%F1.csv"],
      body: 'a',
    };
    const word = { header: ['Content-Type: text/csv; name="=?koi8-r?Q?=F0=D2=C1=CA=D3?=.csv"'], body: 'b' };
    const names = [
      attached(Buffer.from('Прайс 1.csv'), 'c'),
      attached(Buffer.from([0xcf, 0xf0, 0xe0, 0xe9, 0xf1, 0x2e, 0x63, 0x73, 0x76]), 'd'),
    ];
    deliver(mailWith([extended, word, ...names]));
    const { files } = (await lookAt(source))!;
    expect(files.map(({ name }) => name).toSorted()).toEqual(['Прайс 1.csv', 'Прайс.csv', 'Прайс.csv', 'Прайс.csv']);
  });

  test('text is brought as it was sent, with its charset and line ends', async () => {
    const { source, deliver } = await startDovecot();
    const bytes = Buffer.concat([Buffer.from('brand;oem\r\n'), Buffer.from([0xc1, 0xce, 0xd8]), Buffer.from(';1\r\n')]);
    const part = {
      header: [
        'Content-Type: text/plain; charset=windows-1251; format=flowed; name=prices.txt',
        'Content-Transfer-Encoding: 8bit',
      ],
      body: bytes,
    };
    deliver(mailWith([part, text('x')]));
    const input = pullInput();
    expect(await pull({ ...source, pattern: '*.txt' }, input)).toMatchObject({ name: 'prices.txt' });
    expect(readFileSync(input.target)).toEqual(bytes);
  });

  test('an attachment of a mail that was forwarded inside another is found', async () => {
    const { source, deliver } = await startDovecot();
    const inner = multipart([text('inside'), attached('prices.csv', FILE)], 'inner');
    deliver(
      mailWith([
        text('see below'),
        {
          header: ['Content-Type: message/rfc822'],
          body: Buffer.concat([Buffer.from('From: a@b.example\r\n'), inner]),
        },
      ]),
    );
    const input = pullInput();
    expect(await pull(source, input)).toMatchObject({ name: 'prices.csv' });
    expect(readFileSync(input.target, 'utf8')).toBe(FILE);
  });

  test('a forwarded mail that is an attachment itself gives its file, not the mail around it', async () => {
    const { source, deliver } = await startDovecot();
    const { header, body } = attached('prices.csv', FILE);
    const head = ['From: a@b.example', 'MIME-Version: 1.0', ...header.map(String)].join('\r\n');
    deliver(
      mailWith([
        text('see below'),
        { header: ['Content-Type: message/rfc822'], body: `${head}\r\n\r\n${String(body)}` },
      ]),
    );
    const input = pullInput();
    expect(await pull(source, input)).toMatchObject({ name: 'prices.csv' });
    expect(readFileSync(input.target, 'utf8')).toBe(FILE);
  });

  test('what is not taken is told: other senders, forged signatures, other subjects, winmail.dat', async () => {
    const { source, deliver } = await startDovecot({ subject: 'Price list*' });
    deliver(mailWith([attached('a.csv', 'x')], { from: 'Prices <prices@supplier.example.evil>', subject: 'one' }));
    deliver(
      mailWith([attached('b.csv', 'x')], { from: '"prices@supplier.example" <evil@evil.example>', subject: 'two' }),
    );
    deliver(mailWith([attached('c.csv', 'x')], { results: [], subject: 'three' }));
    deliver(mailWith([attached('d.csv', 'x')], { subject: 'Holidays' }));
    deliver(
      mailWith([{ header: ['Content-Type: application/x-list'], body: 'brand' }], { subject: 'Price list June' }),
    );
    deliver(mailWith([attached('winmail.dat', 'x', 'application/ms-tnef')], { subject: 'Price list May' }));
    deliver(mailWith([attached('e.csv', 'x')], { from: 'friend@elsewhere.example' }));
    const look = (await lookAt(source))!;
    expect(look.files.map(({ name, decision, why }) => [name, decision, why.slice(0, 20)])).toEqual([
      ['1 mail', 'pass over', 'of other senders'],
      ['one', 'pass over', 'is from prices@suppl'],
      ['two', 'pass over', 'is from evil@evil.ex'],
      ['three', 'pass over', 'has no Authenticatio'],
      ['Holidays', 'pass over', 'has another subject '],
      ['Price list June', 'pass over', 'has an attachment wi'],
      ['Price list May', 'pass over', 'has winmail.dat, whi'],
    ]);
    const pulled = await pull(source, pullInput());
    expect(pulled).toMatchObject({
      kind: 'nothing',
      reason: expect.stringContaining('1 mail of other senders') as string,
    });
  });

  test('a mailbox that was numbered anew gives the same file with the same time', async () => {
    const { source, deliver, renumber } = await startDovecot();
    deliver(mailWith([attached('prices.csv', FILE)]));
    const before = (await pull(source, pullInput())) as PulledFile;
    expect(await pull(source, pullInput({ checkpoint: before.checkpoint }))).toMatchObject({ kind: 'unchanged' });
    renumber();
    const after = (await pull(source, pullInput({ checkpoint: before.checkpoint }))) as PulledFile;
    expect(after).toMatchObject({ sha256: before.sha256, modifiedAt: before.modifiedAt });
    expect(after.listed?.taken.id).not.toBe(before.listed?.taken.id);
    expect(await acknowledge({ ...source, after: 'delete' }, before.listed!.taken, SIGNAL)).toBe('gone');
  });

  test.each(['delete', 'move'] as const)(
    'after: %s does it to the mail of the file, and to no other',
    async (after) => {
      const { source, deliver } = await startDovecot({ after, moveTo: 'taken' });
      deliver(mailWith([attached('old.csv', 'old')]));
      deliver(mailWith([attached('prices.csv', FILE)]));
      const { listed } = (await pull(source, pullInput())) as PulledFile;
      expect(await acknowledge(source, listed!.taken, SIGNAL)).toBe('done');
      expect((await lookAt(source))!.files.map(({ name }) => name)).toEqual(['old.csv']);
      expect(await acknowledge(source, listed!.taken, SIGNAL)).toBe('gone');
      const moved = after === 'move' ? (await lookAt({ ...source, folder: 'taken' }))!.files : [];
      expect(moved.map(({ name }) => name)).toEqual(after === 'move' ? ['prices.csv'] : []);
    },
  );

  test('a server that cannot delete one mail alone is refused, and mails that others marked stay', async () => {
    const capability = 'IMAP4rev1 LITERAL+ MOVE';
    const { source, deliver, folder } = await startDovecot({ after: 'delete' }, { capability });
    deliver(mailWith([attached('prices.csv', FILE)]));
    deliver(mailWith([attached('other.csv', FILE)], { from: 'friend@elsewhere.example' }));
    const mails = () => [...readdirSync(join(folder, 'new')), ...readdirSync(join(folder, 'cur'))];
    const { listed } = (await pull(source, pullInput())) as PulledFile;
    // As another program does it that moves mails to the bin.
    const other = readdirSync(join(folder, 'new')).toSorted().at(-1)!;
    renameSync(join(folder, 'new', other), join(folder, 'cur', `${other}:2,T`));
    await expect(acknowledge(source, listed!.taken, SIGNAL)).rejects.toMatchObject({
      message: expect.stringContaining('cannot delete a single mail (UIDPLUS)') as string,
    });
    expect(mails()).toHaveLength(2);
    expect(await acknowledge({ ...source, after: 'move' }, listed!.taken, SIGNAL)).toBe('done');
    expect(mails()).toHaveLength(1);
  });

  test.each(['xoauth2', 'oauthbearer'])(
    'a token from a file or a command signs in by %s, until it expires',
    async (tokens) => {
      const server = await serve((request, response) => {
        void (async () => {
          const active = (await body(request)).includes('good-token');
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify(active ? { active, username: 'buyer' } : { active }));
        })();
      });
      const { source, deliver } = await startDovecot({}, { introspection: `${server.url}/introspect`, tokens });
      deliver(mailWith([attached('prices.csv', FILE)]));
      const tokenFile = join(tempFolder(), 'token');
      writeFileSync(tokenFile, 'good-token\n');
      const user = 'buyer';
      const signedIn = (auth: object) =>
        pull({ ...source, auth: { type: 'token', user, ...auth } as MailSource['auth'] }, pullInput());
      expect(await signedIn({ tokenFile })).toMatchObject({ name: 'prices.csv' });
      expect(await signedIn({ tokenCommand: ['echo', 'good-token'].map(secret) })).toMatchObject({
        name: 'prices.csv',
      });
      writeFileSync(tokenFile, 'expired-token\n');
      const failure: unknown = await signedIn({ tokenFile }).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'pull-failed', retryable: false, details: { status: 401 } });
      expect(JSON.stringify(failure) + String(failure)).not.toContain('expired-token');
      await expect(signedIn({ user: 'somebody', tokenFile })).rejects.toMatchObject({ details: { status: 401 } });
    },
  );

  test('a wrong password is named without being shown', async () => {
    const { source } = await startDovecot();
    const auth = { type: 'basic', user: 'buyer', password: secret('wrong-password') } as const;
    const failure: unknown = await pull({ ...source, auth }, pullInput()).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'pull-failed', retryable: false, details: { status: 401 } });
    expect(JSON.stringify(failure) + String(failure)).not.toContain('wrong-password');
  });

  test('a server whose sign-in does not work for now is no refusal', async () => {
    const { source, hidePasswords } = await startDovecot();
    hidePasswords();
    await expect(pull(source, pullInput())).rejects.toMatchObject({
      retryable: true,
      message: expect.stringContaining('is not able to answer for now; it said: Temporary') as string,
      details: expect.not.objectContaining({ status: expect.anything() as unknown }) as unknown,
    });
  });

  test('a folder that is not there is named, and trying again does not help', async () => {
    const { source } = await startDovecot();
    await expect(pull({ ...source, folder: 'Nowhere' }, pullInput())).rejects.toMatchObject({
      code: 'pull-failed',
      retryable: false,
      message: expect.stringContaining('source.folder') as string,
    });
  });

  test.each([
    ['one line', (text: string) => text],
    ['lines of 4,000', (text: string) => text.replaceAll(/.{4000}/gu, '$&\r\n')],
    [
      'lines that become shorter',
      (text: string) => `${wrapped(text.slice(0, 3040), 76)}${wrapped(text.slice(3040), 60)}`,
    ],
    ['blank lines at the end', (text: string) => `${wrapped(text, 76)}${'\r\n'.repeat(100)}`],
  ])('base64 in %s is taken whole', async (_name, wrap) => {
    const { source, deliver } = await startDovecot();
    const bytes = randomBytes(300_000);
    const { header } = attached('prices.bin', 'x');
    deliver(mailWith([text('Hello'), { header, body: wrap(bytes.toString('base64')) }]));
    const input = pullInput();
    expect(await pull(source, input)).toMatchObject({ bytes: 300_000 });
    expect(readFileSync(input.target).equals(bytes)).toBe(true);
  });

  test('20 MB come in one piece, and a limit is kept', async () => {
    const { source, deliver } = await startDovecot();
    const bytes = Buffer.alloc(20_000_000, 'brand;oem\r\n');
    deliver(mailWith([attached('prices.csv', bytes)]));
    const input = pullInput({ limits: { fileSize: 50_000_000, unpackRatio: 1000 } });
    expect(await pull(source, input)).toMatchObject({ bytes: 20_000_000 });
    expect(readFileSync(input.target).equals(bytes)).toBe(true);
    await expect(pull(source, pullInput())).rejects.toMatchObject({ code: 'file-rejected' });
  }, 30_000);

  test('a link in the text is fetched from a listed host only', async () => {
    const server = await serve((_request, response) => {
      response.setHeader('content-disposition', 'attachment; filename=prices.csv');
      response.end(FILE);
    });
    const { source, deliver } = await startDovecot({ link: [`${server.url}/files/*`] });
    deliver(
      mailWith([text(`Dear all,\r\nthe list: ${server.url}/files/prices.csv?t=1. And ${server.url}/other/x.csv\r\n`)]),
    );
    await expect(pull(source, pullInput())).rejects.toMatchObject({
      message: expect.stringContaining('source.allowHosts') as string,
    });
    const allowed = { ...source, allowHosts: ['127.0.0.1'] };
    const input = pullInput();
    expect(await pull(allowed, input)).toMatchObject({ name: 'prices.csv', superseded: [] });
    expect(readFileSync(input.target, 'utf8')).toBe(FILE);
    deliver(mailWith([text(`<p><a href="${server.url}/files/new.csv">here</a></p>`, 'text/html')]));
    expect(await pull(allowed, pullInput())).toMatchObject({ name: 'new.csv' });
  });

  test('a server that ends in mid-transfer leaves nothing, and is worth another try', async () => {
    const { source, deliver, stop } = await startDovecot();
    deliver(mailWith([attached('prices.csv', Buffer.alloc(8_000_000, 'x'))]));
    let stopped: Promise<void> | undefined;
    const limits = { fileSize: 50_000_000, unpackRatio: 1000 };
    const input = pullInput({ limits, received: () => void (stopped ??= stop()) });
    await expect(pullServer(source, input)).rejects.toMatchObject({ code: 'pull-failed', retryable: true });
  });
});

describe('a token', () => {
  const place = { url: 'imap://mail', timeout: 5000 };
  const words = (...command: string[]) => command.map(secret);

  test('is read anew from its file, or from what a command prints', async () => {
    const tokenFile = join(tempFolder(), 'token');
    writeFileSync(tokenFile, 'abc\n');
    const auth = { type: 'token', user: 'me' } as const;
    expect(await tokenOf({ ...auth, tokenFile }, place)).toBe('abc');
    writeFileSync(tokenFile, 'def\n');
    expect(await tokenOf({ ...auth, tokenFile }, place)).toBe('def');
    expect(await tokenOf({ ...auth, tokenCommand: words(process.execPath, '-e', 'console.log("xyz")') }, place)).toBe(
      'xyz',
    );
  });

  test('that does not come is named without what the command was told or said', async () => {
    const script = join(tempFolder(), 'token.sh');
    writeFileSync(script, '#!/bin/sh\necho top-secret >&2\nexit 3\n');
    chmodSync(script, 0o755);
    const failure: unknown = await tokenOf(
      { type: 'token', user: 'me', tokenCommand: words(script, 'my-secret') },
      place,
    ).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'pull-failed', message: expect.stringContaining('ended with 3') as string });
    expect(JSON.stringify(failure) + String(failure)).not.toMatch(/my-secret|top-secret/u);
    await expect(tokenOf({ type: 'token', user: 'me', tokenFile: '/nowhere/token' }, place)).rejects.toThrow(
      '/nowhere/token',
    );
  });
});

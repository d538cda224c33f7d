import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { install } from '../support/installation.ts';
import { repeat, startScriptedFtp } from '../support/servers/scripted-ftp.ts';
import { type ImapScript, startScriptedImap } from '../support/servers/scripted-imap.ts';
import { startScriptedSftp } from '../support/servers/scripted-sftp.ts';
import { attacked, refusalOf, expectLittleMemory } from './attacked.ts';

/* Replies of servers for files and mails that have no end, or are made to cost more than they say; and folders with too many files. */

const HOST = '127.0.0.1';

/** A server that says a piece again and again, after a beginning. */
async function chatter(beginning: string, piece: string): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.resume().write(beginning);
    repeat(socket, piece);
  }).listen(0, HOST);
  await once(server, 'listening');
  atEnd(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

const ftp = (port: number | undefined) => ({ type: 'ftp', host: HOST, port, security: 'none', path: '/out' });

test.each([
  ['of files', 'type=file;size=1;modify=20261127000000; a.csv', 'sent a listing of more than 16 MB'],
  ['in one line', 'a'.repeat(60_000), 'sent a listing of more than 16 MB'],
])('an FTP listing without end %s is refused', async (_, line, sentence) => {
  const { source } = await startScriptedFtp({ listing: [line], endless: true });
  expect(await refusalOf(ftp(source.port))).toContain(sentence);
});

test('an FTP listing of 60,000 files is refused', async () => {
  const line = 'type=file;size=1;modify=20261127000000; a.csv';
  const { source } = await startScriptedFtp({ listing: Array.from({ length: 60_000 }, () => line) });
  expect(await refusalOf(ftp(source.port))).toContain('has more than 50,000 files (source.maxFiles)');
});

test.each([
  ['of arrows', `lrwxrwxrwx 1 a b 1 Jan 01 2020 ${' -> '.repeat(1980)}\u2028x`],
  ['of brackets', `11-28-26  10:00AM <JUNCTION> a${' ['.repeat(3900)}`],
])('an FTP listing %s is read in time that grows as its length', async (_, line) => {
  const listing = Array.from({ length: 250 }, () => line);
  const { source } = await startScriptedFtp({ listing: [...listing, '-rw-r--r-- 1 a b 1 Jan 01 2020 a.csv'] });
  const shop = install({ feeds: { north: { source: { ...ftp(source.port), pattern: 'a.csv' } } } });
  const result = await attacked(shop, 'pull', 'north', '--list');
  expect(result.said).toContain('a.csv');
  await expectLittleMemory(result);
});

test('an FTP reply without end is refused', async () => {
  expect(await refusalOf(ftp(await chatter('220-', 'hello ')))).toContain('sent a reply of more than 64 KB');
});

test('an SFTP listing without end is refused as one, not as silence', async () => {
  const names = Array.from({ length: 1000 }, (_, at) => `${at}.csv`);
  const { source } = await startScriptedSftp({ methods: ['password'], names, endless: true });
  const auth = { type: 'basic', user: 'me', password: 'correct-horse' };
  const { port, hostKey } = source;
  expect(await refusalOf({ type: 'sftp', host: HOST, port, auth, hostKey, path: 'out' })).toContain(
    'has more than 50,000 files (source.maxFiles)',
  );
});

test('an SFTP listing of empty pages without end is refused', async () => {
  const { source } = await startScriptedSftp({ methods: ['password'], names: [], endless: true });
  const auth = { type: 'basic', user: 'me', password: 'correct-horse' };
  const { port, hostKey } = source;
  expect(await refusalOf({ type: 'sftp', host: HOST, port, auth, hostKey, path: 'out' })).toContain(
    'sent a listing of more than 100 pages',
  );
});

function mail(port: number) {
  const auth = { type: 'basic', user: 'shop', password: 'hunter2-hunter2-hunter2' };
  return { type: 'mail', host: HOST, port, security: 'none', auth, from: ['@supplier.example'], require: 'none' };
}

const MB_LINE = 'sent a line or value of more than 1 MB';

test.each<[string, ImapScript, string]>([
  ['a line', { SEARCH: (socket) => repeat(socket, '* SEARCH 1 2 3 4 5 ') }, MB_LINE],
  ['searches', { SEARCH: (socket) => repeat(socket, '* SEARCH 1 2 3 4 5\r\n') }, 'sent a listing of more than 1 MB'],
  ['remarks', { SEARCH: (socket) => repeat(socket, '* OK still searching\r\n') }, 'sent a listing of more than 1 MB'],
  [
    'remarks at the sign-in',
    { LOGIN: (socket) => repeat(socket, '* OK wait\r\n') },
    'sent a greeting of more than 1 MB',
  ],
  [
    'mails',
    {
      SEARCH: (socket, tag) => socket.write(`* SEARCH 1 2 3\r\n${tag} OK Done\r\n`),
      FETCH: (socket) => repeat(socket, '* 1 FETCH (UID 1 ENVELOPE (NIL "a" NIL NIL NIL NIL NIL NIL NIL NIL))\r\n'),
    },
    'has more than 50,000 files (source.maxFiles)',
  ],
  [
    'a value',
    {
      SEARCH: (socket, tag) => socket.write(`* SEARCH 1\r\n${tag} OK Done\r\n`),
      FETCH: (socket) => {
        socket.write('* 1 FETCH (UID 1 ENVELOPE (NIL {900000000}\r\n');
        repeat(socket, 'a');
      },
    },
    MB_LINE,
  ],
  [
    'a range of all mails there may be',
    {
      EXAMINE: (socket, tag) =>
        socket.write(`* 4294967295 EXISTS\r\n* OK [UIDVALIDITY 1] Yes\r\n${tag} OK [READ-ONLY] Done\r\n`),
      SEARCH: (socket, tag) => socket.write(`* ESEARCH (TAG "${tag}") UID ALL 1:4294967295\r\n${tag} OK Done\r\n`),
    },
    'has more than 1,000,000 mails',
  ],
])('%s of a mail server without end is refused', async (_, script, sentence) => {
  expect(await refusalOf(mail(await startScriptedImap(script)))).toContain(sentence);
});

test.each([
  ['in one line', 'hello '],
  ['in lines', '220-hello\r\n'],
])('a greeting of the mail server of SMTP_URL without end %s is refused', async (_, piece) => {
  const port = await chatter('220-', piece);
  const shop = install({}, { SMTP_URL: `smtp://${HOST}:${port}` });
  const result = await attacked(shop, 'doctor');
  expect(result.said).toContain('sent a reply of more than 64 KB');
  await expectLittleMemory(result);
});

test('a folder of more files than source.maxFiles is refused', async () => {
  const source = { type: 'directory', path: './inbox/north', settle: '0s' };
  const shop = install({ feeds: { north: { source: { ...source, maxFiles: 1000 } } } });
  const folder = join(shop.folder, 'inbox', 'north');
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < 1001; at++) writeFileSync(join(folder, `${at}.csv`), 'brand;oem\nBOSCH;1\n');
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({ outcome: 'failed', status: 4 });
  expect(answer.reason).toContain('has more than 1,000 files (source.maxFiles)');
});

test('a folder in which nothing may be taken has a reason of bounded length', async () => {
  const source = { type: 'directory', path: './inbox/north', settle: '0s', pattern: 'a*', ready: '*.done' };
  const shop = install({ feeds: { north: { source } } });
  const folder = join(shop.folder, 'inbox', 'north');
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < 1000; at++) writeFileSync(join(folder, `a${at}.csv`), 'brand;oem\nBOSCH;1\n');
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({ outcome: 'nothing', reason: expect.stringMatching(/; and 990 more$/u) as string });
});

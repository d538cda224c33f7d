import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { acknowledge } from '../../../src/pull/acknowledge.ts';
import { pull } from '../../../src/pull/pull.ts';
import { pullServer } from '../../../src/pull/server/pull-server.ts';
import type { PulledFile } from '../../../src/pull/source.ts';
import { lacks } from '../../support/programs.ts';
import { startScriptedFtp } from '../../support/servers/scripted-ftp.ts';
import { startSshd } from '../../support/servers/sshd.ts';
import { startTappedVsftpd, startVsftpd, trustTestTls } from '../../support/servers/vsftpd.ts';
import { pullInput } from '../pull-input.ts';
import { supplierIn } from '../server/supplier.ts';

beforeAll(trustTestTls);

describe('listings', () => {
  test('MLSD shows exact times, so that no file is asked for its own', async () => {
    const { source, commands } = await startScriptedFtp({
      listing: [
        'type=cdir;modify=20261101000000; .',
        'type=dir;modify=20261201000000; z',
        'type=file;size=3;modify=20261120103000.250; old file.csv',
        'Type=file;Size=4;Modify=20261121103000; Цены.csv',
      ],
      files: { 'Цены.csv': 'new!' },
      times: { 'Цены.csv': '20261121103000' },
    });
    const pulled = await pull(source, pullInput());
    expect(pulled).toMatchObject({ name: 'Цены.csv', bytes: 4, superseded: ['old file.csv'] });
    expect((pulled as PulledFile).modifiedAt).toBe(Date.UTC(2026, 10, 21, 10, 30));
    const asked = commands.filter((command) => /^(?:MDTM|LIST)/u.test(command));
    // Two looks at the one that is taken.
    expect(asked).toEqual(['MDTM Цены.csv', 'MDTM Цены.csv']);
  });

  test('a server with MLSD only is believed its times', async () => {
    const { source } = await startScriptedFtp({
      listing: ['type=file;size=4;modify=20260101000000; a.csv'],
      files: { 'a.csv': 'here' },
    });
    const modifiedAt = Date.UTC(2026, 0, 1);
    expect(await pull(source, pullInput())).toMatchObject({ name: 'a.csv', bytes: 4, modifiedAt });
  });

  test.each([
    ['Unix', '-rw-r--r--   1 ftp ftp  4 Dec 31 23:59 a.csv', '-rw-r--r--   1 ftp ftp  4 Jan  1 00:01 b.csv'],
    ['Windows', '12-31-25  11:59PM                    4 a.csv', '01-01-26  12:01AM                    4 b.csv'],
  ])('LIST of %s has no year that counts: MDTM is asked', async (_kind, ...listing) => {
    const { source } = await startScriptedFtp({
      listing,
      files: { 'a.csv': 'last', 'b.csv': 'this' },
      times: { 'a.csv': '20251231235900', 'b.csv': '20260101000100' },
      lacks: ['MLSD'],
    });
    expect(await pull(source, pullInput())).toMatchObject({ name: 'b.csv', superseded: ['a.csv'] });
  });

  test('a server that knows no times is taken from all the same, but nothing is deleted there', async () => {
    const { source } = await startScriptedFtp({
      listing: ['-rw-r--r--   1 ftp ftp  4 Dec 31 23:59 a.csv'],
      files: { 'a.csv': 'last' },
      lacks: ['MLSD', 'SIZE'],
    });
    const { listed, bytes } = (await pull(source, pullInput())) as PulledFile;
    expect(bytes).toBe(4);
    const { signal } = new AbortController();
    await expect(acknowledge({ ...source, after: 'delete' }, listed!.taken, signal)).rejects.toMatchObject({
      retryable: false,
      message: expect.stringContaining('source.after: keep') as string,
    });
  });

  test('names that lead out of the folder, or are halves, are passed over', async () => {
    const { source, commands } = await startScriptedFtp({
      listing: [
        'type=file;size=4;modify=20260101000000; right.csv',
        'type=file;size=4;modify=20261201000000; ../../etc/passwd',
        'type=file;size=4;modify=20261201000000; ..\\boot.ini',
        'type=file;size=4;modify=20261201000000; a',
        'DELE right.csv',
      ],
      files: { 'right.csv': 'yes!' },
      times: { 'right.csv': '20260101000000' },
    });
    expect(await pull(source, pullInput())).toMatchObject({ name: 'right.csv', superseded: [] });
    expect(commands.filter((command) => /^(?:RETR|DELE)/u.test(command))).toEqual(['RETR right.csv']);
  });

  test('a line that nobody can read fails the pull and is shown: it may be the newest file', async () => {
    const { source, commands } = await startScriptedFtp({
      listing: ['-rw-r--r-- 1 u g 4 Nov 20 10:20 a.csv', '?rw 4 20.11. b.csv'],
      files: { 'a.csv': 'last' },
      times: { 'a.csv': '20261120102000' },
      lacks: ['MLSD'],
    });
    await expect(pull(source, pullInput())).rejects.toMatchObject({
      code: 'pull-failed',
      retryable: false,
      message: expect.stringContaining('not understood: "?rw 4 20.11. b.csv"') as string,
    });
    expect(commands.filter((command) => command.startsWith('RETR'))).toEqual([]);
  });

  test('where LIST -a shows nothing, LIST may', async () => {
    const { source } = await startScriptedFtp({
      listing: ['-rw-r--r-- 1 u g 4 Nov 20 10:20 a.csv'],
      files: { 'a.csv': 'here' },
      times: { 'a.csv': '20261120102000' },
      lacks: ['MLSD'],
      answers: { 'LIST -a': [] },
    });
    expect(await pull(source, pullInput())).toMatchObject({ name: 'a.csv', bytes: 4 });
  });

  test.each(['450 No files found', '550 No such file or directory', '550 No members found'])(
    '“%s” is an empty folder',
    async (answer) => {
      const { source } = await startScriptedFtp({
        listing: [],
        lacks: ['MLSD'],
        answers: { 'LIST -a': answer, LIST: answer },
      });
      expect(await pull(source, pullInput())).toMatchObject({ kind: 'nothing' });
    },
  );

  test.each([
    '550 Permission denied',
    '550 Zugriff verweigert.',
    '550 The system cannot find the path specified.',
    '550 The specified network name is no longer available.',
    '550 Internal server exception.',
    '550 No files found: access denied',
  ])('“%s” is no empty folder', async (answer) => {
    const { source } = await startScriptedFtp({
      listing: [],
      lacks: ['MLSD'],
      answers: { 'LIST -a': answer, LIST: answer },
    });
    await expect(pull(source, pullInput())).rejects.toMatchObject({
      code: 'pull-failed',
      message: expect.stringContaining(answer.slice(4, 20)) as string,
    });
  });

  test('times that only some files show order nothing', async () => {
    const { source } = await startScriptedFtp({
      listing: ['11/28/26  10:00  4 a.csv', '05/12/26  10:00  4 b.csv'],
      files: { 'a.csv': 'last', 'b.csv': 'this' },
      lacks: ['MLSD'],
    });
    expect(await pull(source, pullInput())).toMatchObject({ name: 'b.csv', superseded: ['a.csv'] });
  });

  test('without MDTM the times of a listing order the files', async () => {
    const { source } = await startScriptedFtp({
      listing: [
        '-rw-r--r-- 1 u g 4 Nov 20 2025 z.csv',
        '-rw-r--r-- 1 u g 4 Nov 19 2026 a.csv',
        '-rw-r--r-- 1 u g 4 Nov 19 2025 m.csv',
      ],
      files: { 'z.csv': 'last', 'a.csv': 'this', 'm.csv': 'once' },
      lacks: ['MLSD'],
    });
    const pulled = await pull(source, pullInput());
    expect(pulled).toMatchObject({ name: 'a.csv', superseded: ['z.csv', 'm.csv'], modifiedAt: null });
  });

  test('folders and links that fit the pattern are told', async () => {
    const { source } = await startScriptedFtp({
      listing: ['lrwxrwxrwx 1 u g 9 Nov 20 10:20 prices.csv -> old/a.csv', 'drwxr-xr-x 2 u g 9 Nov 20 10:20 list.csv'],
      lacks: ['MLSD'],
    });
    expect(await pull({ ...source, pattern: '*.csv' }, pullInput())).toMatchObject({
      kind: 'nothing',
      reason: expect.stringContaining('prices.csv is a link, not a file; list.csv is a folder') as string,
    });
  });

  test('MLSD without sizes: SIZE is asked', async () => {
    const { source, commands } = await startScriptedFtp({
      listing: ['type=file;modify=20260101000000; a.csv'],
      files: { 'a.csv': 'here' },
      times: { 'a.csv': '20260101000000' },
    });
    expect(await pull(source, pullInput())).toMatchObject({ name: 'a.csv', bytes: 4 });
    expect(commands).toContain('SIZE a.csv');
  });

  test('where neither size nor time is known, a file is taken once it was read the same twice', async () => {
    const files = { 'a.csv': 'one' };
    const { source, commands } = await startScriptedFtp({ listing: ['type=file; a.csv'], files, lacks: ['SIZE'] });
    const input = pullInput();
    let waits = 0;
    const growing = {
      ...input,
      wait: async () => {
        waits++;
        if (waits < 4) files['a.csv'] += ` ${waits}`;
      },
    };
    expect(await pull(source, growing)).toMatchObject({ name: 'a.csv', bytes: 9 });
    expect(readFileSync(input.target, 'utf8')).toBe('one 1 2 3');
    expect(commands.filter((command) => command.startsWith('RETR'))).toHaveLength(4);
  });

  test('a server without EPSV is asked with PASV, and its private address replaced', async () => {
    const { source, commands } = await startScriptedFtp({
      listing: ['type=file;size=4;modify=20260101000000; a.csv'],
      files: { 'a.csv': 'here' },
      times: { 'a.csv': '20260101000000' },
      lacks: ['EPSV'],
    });
    expect(await pull(source, pullInput())).toMatchObject({ name: 'a.csv', bytes: 4 });
    expect(commands).toContain('PASV');
    expect(commands).toContain('TYPE I');
  });
});

describe.skipIf(lacks('vsftpd'))('vsftpd, otherwise configured', () => {
  test('a private address in its answer to PASV is replaced, with TLS as well', async () => {
    const { source, folder } = await startVsftpd({}, { more: ['cmds_denied=EPSV', 'pasv_address=10.0.0.7'] });
    await supplierIn(folder).publish('prices.csv', 'x');
    expect(await pull(source, pullInput())).toMatchObject({ name: 'prices.csv', bytes: 1 });
  });

  test('where a transfer cannot begin in the middle, the first part is left out', async () => {
    const { source, folder, tap } = await startTappedVsftpd({}, { more: ['cmds_denied=REST'] });
    const prices = Buffer.alloc(900_000, 'brand;oem;price\n');
    await supplierIn(folder).publish('prices.csv', prices);
    tap.spoil('reset', 500_000);
    const input = pullInput();
    expect(await pullServer(source, input)).toMatchObject({ bytes: prices.length });
    expect(readFileSync(input.target).equals(prices)).toBe(true);
  });

  test('without TLS, data that end early are no end of the file', async () => {
    const { source, folder, tap } = await startTappedVsftpd({ security: 'none' });
    const prices = Buffer.alloc(900_000, 'brand;oem;price\n');
    await supplierIn(folder).publish('prices.csv', prices);
    tap.spoil('end', 500_000);
    const input = pullInput();
    expect(await pullServer(source, input)).toMatchObject({ bytes: prices.length });
    expect(readFileSync(input.target).equals(prices)).toBe(true);
  });

  test('TLS that begins later than said is named', async () => {
    const { source } = await startVsftpd();
    await expect(pull({ ...source, security: 'implicit' as const }, pullInput())).rejects.toMatchObject({
      retryable: false,
      message: expect.stringContaining('set source.security to explicit') as string,
    });
  });

  test('a certificate of another host is refused', async () => {
    const { source } = await startTappedVsftpd();
    // The certificate is for 127.0.0.1 and localhost.
    await expect(pull({ ...source, host: '127.0.0.2' }, pullInput())).rejects.toMatchObject({
      code: 'pull-failed',
      retryable: false,
      message: expect.stringContaining('certificate') as string,
    });
  });

  test('where nothing may be changed, the refusal says what to do, and the file stays', async () => {
    const { source, folder } = await startVsftpd({}, { more: ['cmds_denied=DELE'] });
    const supplier = supplierIn(folder);
    await supplier.publish('prices.csv', 'x');
    const { listed } = (await pull(source, pullInput())) as PulledFile;
    const { signal } = new AbortController();
    await expect(acknowledge({ ...source, after: 'delete' }, listed!.taken, signal)).rejects.toMatchObject({
      message: expect.stringContaining('Grant write access') as string,
    });
    expect(Object.keys(await supplier.published())).toEqual(['prices.csv']);
  });
});

test.skipIf(lacks('sshd', 'ssh-keygen'))('a server for SFTP is taken for none of FTP', async () => {
  const { source: sftp } = await startSshd();
  const { source } = await startScriptedFtp({ listing: [] });
  await expect(pull({ ...source, port: sftp.port }, pullInput())).rejects.toMatchObject({
    retryable: false,
    message: expect.stringContaining('set source.type to sftp') as string,
  });
});

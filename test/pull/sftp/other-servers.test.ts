import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { secret } from '../../../src/config/secrets/secret.ts';
import { acknowledge } from '../../../src/pull/acknowledge.ts';
import { identityOf } from '../../../src/pull/choose/past.ts';
import { pull } from '../../../src/pull/pull.ts';
import type { PulledFile } from '../../../src/pull/source.ts';
import { lacks } from '../../support/programs.ts';
import { startScriptedSftp } from '../../support/servers/scripted-sftp.ts';
import { startSshd } from '../../support/servers/sshd.ts';
import { pullInput } from '../pull-input.ts';
import { supplierIn } from '../server/supplier.ts';

describe('a server that asks', () => {
  test('for a password takes it', async () => {
    const { source, tried } = await startScriptedSftp({ methods: ['password'], names: ['prices.csv'] });
    expect(await pull(source, pullInput())).toMatchObject({ name: 'prices.csv', bytes: 1 });
    expect(tried).toEqual(['password correct-horse']);
  });

  test('interactively is given the password', async () => {
    const { source, tried } = await startScriptedSftp({ methods: ['keyboard-interactive'], names: ['prices.csv'] });
    expect(await pull(source, pullInput())).toMatchObject({ name: 'prices.csv', bytes: 1 });
    expect(tried).toEqual(['keyboard-interactive correct-horse']);
  });

  test('interactively, and is told a wrong password, hears it once', async () => {
    const { source, tried } = await startScriptedSftp({ methods: ['keyboard-interactive'] });
    const wrong = { ...source, auth: { type: 'basic' as const, user: 'me', password: secret('wrong-password') } };
    await expect(pull(wrong, pullInput())).rejects.toMatchObject({ retryable: false, details: { status: 401 } });
    expect(tried).toEqual(['keyboard-interactive wrong-password']);
  });
});

test('names that lead out of the folder are passed over', async () => {
  const { source } = await startScriptedSftp({
    methods: ['password'],
    names: ['..', '../../etc/passwd', '/etc/passwd', '..\\boot.ini', 'a\nb.csv', 'Цены.csv'],
  });
  expect(await pull(source, pullInput())).toMatchObject({ name: 'Цены.csv', superseded: [] });
});

test('a server that speaks no SFTP is named, and ends nothing else', async () => {
  const { source } = await startScriptedSftp({ methods: ['password'], broken: true });
  await expect(pull(source, pullInput())).rejects.toMatchObject({
    code: 'pull-failed',
    retryable: false,
    message: expect.stringContaining('does not speak SFTP') as string,
  });
});

describe.skipIf(lacks('sshd', 'ssh-keygen'))('OpenSSH, otherwise configured', () => {
  test('without SFTP is named', async () => {
    const { source } = await startSshd({}, { withSftp: false });
    await expect(pull(source, pullInput())).rejects.toMatchObject({
      retryable: false,
      message: expect.stringContaining('does not speak SFTP') as string,
    });
  });

  test('an RSA key with a passphrase opens it, and its RSA host key is pinned', async () => {
    const { source, folder } = await startSshd({}, { keys: 'rsa' });
    await supplierIn(folder).publish('prices.csv', 'x');
    expect(await pull(source, pullInput())).toMatchObject({ name: 'prices.csv', bytes: 1 });
  });

  test('old algorithms only by setting, which the refusal names', async () => {
    const more = [
      'KexAlgorithms diffie-hellman-group14-sha1',
      'Ciphers aes128-cbc',
      'MACs hmac-sha1',
      'HostKeyAlgorithms ssh-rsa',
      'PubkeyAcceptedAlgorithms ssh-rsa,rsa-sha2-256,rsa-sha2-512',
    ];
    const { source, folder } = await startSshd({}, { keys: 'rsa', more });
    await supplierIn(folder).publish('prices.csv', 'x');
    await expect(pull(source, pullInput())).rejects.toMatchObject({
      retryable: false,
      message: expect.stringContaining('source.oldAlgorithms: true') as string,
    });
    expect(await pull({ ...source, oldAlgorithms: true }, pullInput())).toMatchObject({ name: 'prices.csv' });
  });

  test.each(['delete', 'move'] as const)(
    'after: %s that was cut off after it set the file aside goes on',
    async (after) => {
      const { source, folder } = await startSshd();
      const supplier = supplierIn(folder);
      await supplier.publish('prices.csv', 'taken');
      const { listed } = (await pull(source, pullInput())) as PulledFile;
      const { taken } = listed!;
      renameSync(join(folder, 'prices.csv'), join(folder, `.offerline-${identityOf(taken).slice(0, 16)}`));
      await supplier.publish('prices.csv', 'newer');
      expect(await acknowledge({ ...source, after }, taken, new AbortController().signal)).toBe('done');
      const rest = after === 'move' ? { 'taken/prices.csv': Buffer.from('taken') } : {};
      expect(await supplier.published()).toEqual({ 'prices.csv': Buffer.from('newer'), ...rest });
    },
  );

  test('where nothing may be changed, the refusal says what to do, and the file stays', async () => {
    const { source, folder } = await startSshd({}, { more: ['ForceCommand internal-sftp -R'] });
    const supplier = supplierIn(folder);
    await supplier.publish('prices.csv', 'x');
    const { listed } = (await pull(source, pullInput())) as PulledFile;
    const { signal } = new AbortController();
    await expect(acknowledge({ ...source, after: 'delete' }, listed!.taken, signal)).rejects.toMatchObject({
      retryable: false,
      message: expect.stringContaining('Grant write access') as string,
    });
    expect(Object.keys(await supplier.published())).toEqual(['prices.csv']);
  });
});

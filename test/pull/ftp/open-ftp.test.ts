import { beforeAll, describe, expect, test } from 'vitest';
import { secret } from '../../../src/config/secrets/secret.ts';
import { withHost } from '../../../src/pull/ftp/passive.ts';
import { pull } from '../../../src/pull/pull.ts';
import { lacks } from '../../support/programs.ts';
import { startTappedVsftpd, startVsftpd, trustTestTls } from '../../support/servers/vsftpd.ts';
import { pullInput } from '../pull-input.ts';
import { serverConformance } from '../server/server-conformance.ts';
import { supplierIn } from '../server/supplier.ts';
import { sourceConformance } from '../source-conformance.ts';

const missing = lacks('vsftpd');

beforeAll(trustTestTls);

describe.skipIf(missing)('vsftpd', () => {
  sourceConformance('ftp', async () => {
    const { source, folder, stop } = await startVsftpd();
    const twin = { ...source, path: `${folder}/.` };
    return { source, twin, place: `ftp://127.0.0.1:${source.port}`, ...supplierIn(folder), close: stop };
  });

  test.each(['implicit', 'none'] as const)('brings a file with security: %s', async (security) => {
    const { source, folder } = await startVsftpd({ security });
    await supplierIn(folder).publish('prices.csv', 'x');
    expect(await pull(source, pullInput())).toMatchObject({ name: 'prices.csv', bytes: 1 });
  });

  test('a wrong password is named without being shown', async () => {
    const { source } = await startVsftpd();
    const failure = await pull(
      { ...source, auth: { type: 'basic', user: 'anonymous', password: secret('wrong-password') } },
      pullInput(),
    ).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'pull-failed', retryable: false, details: { status: 401 } });
    expect(JSON.stringify(failure) + String(failure)).not.toContain('wrong-password');
  });

  test('a server that requires TLS is said to', async () => {
    const { source } = await startVsftpd();
    await expect(pull({ ...source, security: 'none' as const }, pullInput())).rejects.toMatchObject({
      retryable: false,
      message: expect.stringContaining('requires TLS') as string,
    });
  });

  test('a server without TLS is said to have none, and gets no password', async () => {
    const { source } = await startVsftpd({ security: 'none' });
    await expect(pull({ ...source, security: 'explicit' as const }, pullInput())).rejects.toMatchObject({
      retryable: false,
      message: expect.stringContaining('does not offer TLS') as string,
    });
  });

  test('names in an old charset are read and asked for in it', async () => {
    const { source, folder } = await startVsftpd();
    const { writeFile } = await import('node:fs/promises');
    await writeFile(
      Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xd6, 0xe5, 0xed, 0xfb]), Buffer.from('.csv')]),
      'x',
    );
    expect(await pull({ ...source, charset: 'windows-1251' }, pullInput())).toMatchObject({
      name: 'Цены.csv',
      bytes: 1,
    });
    expect(await pull(source, pullInput())).toMatchObject({
      kind: 'nothing',
      reason: expect.stringContaining('another charset') as string,
    });
  });
});

serverConformance('ftp', missing, startVsftpd, { startTapped: startTappedVsftpd });

test('an answer to PASV is given the address of the host that is connected', () => {
  expect(withHost('227 Entering Passive Mode (10,0,0,7,4,1).', '192.0.2.1')).toBe(
    '227 Entering Passive Mode (192,0,2,1,4,1).',
  );
});

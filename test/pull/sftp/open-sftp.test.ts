import { describe, expect, test } from 'vitest';
import { secret } from '../../../src/config/secrets/secret.ts';
import { pull } from '../../../src/pull/pull.ts';
import { lacks } from '../../support/programs.ts';
import { startSshd } from '../../support/servers/sshd.ts';
import { pullInput } from '../pull-input.ts';
import { serverConformance } from '../server/server-conformance.ts';
import { supplierIn } from '../server/supplier.ts';
import { sourceConformance } from '../source-conformance.ts';

const missing = lacks('sshd', 'ssh-keygen');

describe.skipIf(missing)('OpenSSH', () => {
  sourceConformance('sftp', async () => {
    const { source, folder, stop } = await startSshd();
    const twin = { ...source, path: `${folder}/.` };
    return { source, twin, place: `sftp://127.0.0.1:${source.port}`, ...supplierIn(folder), close: stop };
  });

  test('a host key that is not pinned is refused, and shown as it is to be written', async () => {
    const { source } = await startSshd();
    const { hostKey, ...unpinned } = source;
    await expect(pull(unpinned, pullInput())).rejects.toMatchObject({
      code: 'pull-failed',
      retryable: false,
      message: expect.stringContaining(`hostKey: "${hostKey}"`) as string,
    });
  });

  test('another host key than the pinned one is refused before any credential is sent', async () => {
    const { source, output } = await startSshd();
    const other = { ...source, hostKey: `SHA256:${'A'.repeat(43)}` };
    await expect(pull(other, pullInput())).rejects.toMatchObject({
      retryable: false,
      message: expect.stringContaining('somebody is between') as string,
    });
    expect(output()).not.toContain('Failed');
  });

  test('a wrong password is sent once and named without being shown', async () => {
    const { source, output } = await startSshd();
    const failure = await pull(
      { ...source, auth: { type: 'basic', user: source.auth.user, password: secret('wrong-password') } },
      pullInput(),
    ).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'pull-failed', retryable: false, details: { status: 401 } });
    expect(JSON.stringify(failure) + String(failure)).not.toContain('wrong-password');
    expect(output().match(/Failed password/gu)).toHaveLength(1);
  });

  test('a passphrase that does not open the key is named', async () => {
    const { source } = await startSshd();
    await expect(
      pull({ ...source, auth: { ...source.auth, passphrase: secret('wrong') } as typeof source.auth }, pullInput()),
    ).rejects.toMatchObject({
      retryable: false,
      message: expect.stringContaining('passphrase') as string,
    });
  });
});

serverConformance('sftp', missing, startSshd);

import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { WebdavSource } from '../../../src/config/schema/sources/web.ts';
import { secret } from '../../../src/config/secrets/secret.ts';
import { acknowledge } from '../../../src/pull/acknowledge.ts';
import type { Listed } from '../../../src/pull/choose/choose.ts';
import { pull } from '../../../src/pull/pull.ts';
import { withServer } from '../../../src/pull/server/open.ts';
import type { PulledFile } from '../../../src/pull/source.ts';
import { lacks } from '../../support/programs.ts';
import { type Apache, startApache } from '../../support/servers/apache.ts';
import { trustTestTls } from '../../support/servers/vsftpd.ts';
import { pullInput } from '../pull-input.ts';
import { serverConformance } from '../server/server-conformance.ts';
import { supplierIn } from '../server/supplier.ts';
import { sourceConformance } from '../source-conformance.ts';

const missing = lacks('apache2');

beforeAll(trustTestTls);

serverConformance('webdav', missing, async () => {
  const apache = await startApache();
  return { ...apache, nowhere: { ...apache.source, url: `${apache.source.url}nowhere/` } };
});

describe.skipIf(missing)('Apache', () => {
  sourceConformance('webdav', async () => {
    const { source, folder, stop } = await startApache({ tls: true });
    const place = source.url.replace(/\/$/u, '');
    return { source, twin: { ...source, url: `${place}/.` }, place, ...supplierIn(folder), close: stop };
  });

  test('a wrong password is named without being shown', async () => {
    const { source } = await startApache();
    const auth = { type: 'basic', user: 'supplier', password: secret('wrong-password') } as const;
    const failure: unknown = await pull({ ...source, auth }, pullInput()).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'pull-failed', retryable: false, details: { status: 401 } });
    expect(JSON.stringify(failure) + String(failure)).not.toContain('wrong-password');
  });

  test('a certificate for another host is refused', async () => {
    const { source } = await startApache({ tls: true });
    const url = source.url.replace('127.0.0.1', '127.0.0.2');
    await expect(pull({ ...source, url }, pullInput())).rejects.toMatchObject({
      retryable: false,
      message: expect.stringContaining('has a certificate that is not trusted') as string,
    });
  });

  test('a folder without its last slash is found', async () => {
    const { source, folder } = await startApache();
    await supplierIn(folder).publish('prices.csv', 'x');
    expect(await pull({ ...source, url: source.url.slice(0, -1) }, pullInput())).toMatchObject({ name: 'prices.csv' });
  });

  test('a server without WebDAV is said to have none', async () => {
    const { source, index } = await startApache();
    await expect(pull({ ...source, url: index }, pullInput())).rejects.toMatchObject({
      retryable: false,
      message: expect.stringContaining('does not speak WebDAV') as string,
    });
  });

  test('a name with every sign that an address escapes comes through', async () => {
    const { source, folder } = await startApache();
    const name = 'Прайс 50% #1 & "ä"+?=;.csv';
    await supplierIn(folder).publish(name, 'x');
    expect(await pull(source, pullInput())).toMatchObject({ name, bytes: 1 });
  });

  test.each([
    ['delete', []],
    ['move', ['old', 'old/2026', 'old/2026/prices.csv']],
  ] as const)('after: %s does it to the very file, and once', async (after, left) => {
    const { source, folder } = await startApache();
    const listed = await taken(source, folder);
    expect(await acknowledge({ ...source, after, moveTo: 'old/2026' }, listed, AbortSignal.timeout(9000))).toBe('done');
    expect(new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }))).toEqual(new Set(left));
    expect(await acknowledge({ ...source, after }, listed, AbortSignal.timeout(9000))).toBe('gone');
  });

  test('no file is replaced where one of the name is already', async () => {
    const { source, folder } = await startApache();
    for (let number = 1; number <= 3; number++) {
      const listed = await taken(source, folder);
      await acknowledge({ ...source, after: 'move', moveTo: 'taken' }, listed, AbortSignal.timeout(9000));
    }
    const names = ['prices (2).csv', 'prices (3).csv', 'prices.csv'];
    expect(new Set(readdirSync(join(folder, 'taken')))).toEqual(new Set(names));
  });

  test('a file that took its place is neither moved nor deleted', async () => {
    for (const after of ['delete', 'move'] as const) {
      const { source, folder } = await startApache();
      const listed = await taken(source, folder);
      await writeFile(join(folder, 'prices.csv'), 'new');
      expect(await acknowledge({ ...source, after }, listed, AbortSignal.timeout(9000))).toBe('changed');
      expect(readFileSync(join(folder, 'prices.csv'), 'utf8')).toBe('new');
    }
  });

  test('a file is read on from a byte, and not from another file', async () => {
    const { source, folder } = await startApache();
    const listed = await taken(source, folder, '0123456789');
    await withServer(source, undefined, async (server) => {
      expect(await textFrom(server.read(listed, 4))).toBe('456789');
      await writeFile(join(folder, 'prices.csv'), 'abcdefghij');
      await expect(textFrom(server.read(listed, 4))).rejects.toMatchObject({ details: { changed: true } });
    });
  });
});

/** A file that was published and pulled. */
async function taken(source: WebdavSource, folder: Apache['folder'], bytes = 'old'): Promise<Listed> {
  await supplierIn(folder).publish('prices.csv', bytes);
  const pulled = (await pull({ ...source, pattern: '*.csv' }, pullInput())) as PulledFile;
  return pulled.listed!.taken;
}

async function textFrom(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString();
  return text;
}

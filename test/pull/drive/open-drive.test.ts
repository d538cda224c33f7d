import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { DriveSource } from '../../../src/config/schema/sources/drive.ts';
import { secret } from '../../../src/config/secrets/secret.ts';
import { acknowledge } from '../../../src/pull/acknowledge.ts';
import { lookAt } from '../../../src/pull/look-at.ts';
import { pull } from '../../../src/pull/pull.ts';
import type { PulledFile } from '../../../src/pull/source.ts';
import { accountKey, FOLDER, refuse, SHEET, SHORTCUT, startDrive } from '../../support/servers/drive.ts';
import { pullInput } from '../pull-input.ts';

const SIGNAL = new AbortController().signal;

/** The failure of a pull, as everything that is kept of it. */
async function failureOf(source: DriveSource): Promise<{ error: unknown; text: string }> {
  const error: unknown = await pull(source, pullInput()).catch((failure: unknown) => failure);
  return { error, text: `${String(error)} ${JSON.stringify(error)} ${String((error as Error).cause)}` };
}

function keyed(source: DriveSource, changes: object): DriveSource {
  const tokenUrl = `${source.endpoint}/token`;
  return { ...source, auth: { ...source.auth, key: secret(accountKey(tokenUrl, changes)) } };
}

describe('the token', () => {
  test('is asked for with an assertion, once, renewed when it ends, and once when it is refused', async () => {
    const lasting = await startDrive();
    await lasting.publish('prices.csv', 'x');
    const fetched = ({ asked }: typeof lasting) => asked.filter(({ url }) => url.pathname === '/token').length;
    for (let pulls = 0; pulls < 2; pulls++) await pull(lasting.source, pullInput());
    expect(fetched(lasting)).toBe(1);
    lasting.forget();
    expect(await pull(lasting.source, pullInput())).toMatchObject({ kind: 'file' });
    expect(fetched(lasting)).toBe(2);
    const ending = await startDrive({ lasts: 0.000_001 });
    await ending.publish('prices.csv', 'x');
    await pull(ending.source, pullInput());
    expect(fetched(ending)).toBeGreaterThan(2);
  });

  test.each([
    [{ client_email: 'nobody@shop.example' }, 'there is no such service account'],
    [{ private_key: otherKey() }, 'the key is none of the service account, or no longer'],
  ])('is not given to another account', async (changes, words) => {
    const { source } = await startDrive();
    const { error, text } = await failureOf(keyed(source, changes));
    expect(error).toMatchObject({ code: 'pull-failed', retryable: false, details: { status: 401 } });
    expect(text).toContain(words);
    expect(text).not.toMatch(/PRIVATE KEY|eyJ/u);
  });

  test('is not given where the account may not act for somebody', async () => {
    const { source } = await startDrive();
    const { text } = await failureOf({ ...source, auth: { ...source.auth, subject: 'nobody@shop.example' } });
    expect(text).toContain('may not act for the person');
  });

  test('is refused with a clock that is wrong: that is said', async () => {
    const { source } = await startDrive({
      harm: ({ url }, response) => {
        const error_description = 'Invalid JWT: Token must be a short-lived token and in a reasonable timeframe.';
        if (url === '/token')
          response.writeHead(400).end(JSON.stringify({ error: 'invalid_grant', error_description }));
      },
    });
    expect((await failureOf(source)).text).toContain('correct the clock of this machine');
  });

  test('of a text that is no key is not asked for', async () => {
    const { source, asked } = await startDrive();
    const { text } = await failureOf({
      ...source,
      auth: { ...source.auth, key: secret('{"type":"authorized_user"}') },
    });
    expect(text).toContain('source.auth.key is no key of a service account');
    expect(asked).toEqual([]);
  });
});

function otherKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

describe('a service that is busy', () => {
  function busy(times: number, status: number, reason: string, headers: Record<string, string> = {}) {
    let left = times;
    return startDrive({
      harm: ({ url = '' }, response) => {
        if (url.startsWith('/drive/v3/files?') && left-- > 0) refuse(response, status, reason, headers);
      },
    });
  }

  async function waitsOf({ source, publish }: Awaited<ReturnType<typeof busy>>) {
    await publish('prices.csv', 'x');
    const waits: number[] = [];
    const wait = async (ms: number) => void (await turn(waits.push(ms)));
    const pulled = await pull({ ...source, settle: 1 }, pullInput({ wait })).catch((error: unknown) => error);
    return { pulled, waits: waits.filter((ms) => ms !== 1) };
  }

  test.each([
    [403, 'rateLimitExceeded'],
    [403, 'userRateLimitExceeded'],
    [429, 'rateLimitExceeded'],
  ])('is asked again after longer each time (%i %s)', async (status, reason) => {
    expect(await waitsOf(await busy(3, status, reason))).toMatchObject({
      pulled: { kind: 'file' },
      waits: [1000, 2000, 4000],
    });
  });

  test('is waited for as long as it says, and left for the next try when it stays so', async () => {
    const { pulled, waits } = await waitsOf(await busy(100, 403, 'userRateLimitExceeded', { 'retry-after': '3' }));
    expect(pulled).toMatchObject({
      code: 'pull-failed',
      retryable: true,
      details: { status: 429, retryAfterMs: 3000 },
    });
    expect(waits).toEqual([3000, 3000, 4000, 8000, 16_000]);
  });

  test('is no refusal of the credentials, and one that is denied is not asked again', async () => {
    const { pulled, waits } = await waitsOf(await busy(100, 403, 'insufficientFilePermissions'));
    expect(pulled).toMatchObject({ code: 'pull-failed', retryable: false, details: { status: 403 } });
    expect(String(pulled)).toContain('share the folder with the address of the service account');
    expect(waits).toEqual([]);
  });
});

test.each([
  ['accessNotConfigured', 'enable it in the Google Cloud console'],
  ['cannotDownloadFile', 'ask its owner to allow it to readers'],
  ['cannotDownloadAbusiveFile', 'holds malware'],
])('the refusal %s says what to do', async (reason, words) => {
  const { source, publish } = await startDrive({
    harm: ({ url = '' }, response) => {
      if (url.includes('alt=media')) refuse(response, 403, reason);
    },
  });
  await publish('prices.csv', 'x');
  expect((await failureOf(source)).text).toContain(words);
});

describe('a listing', () => {
  const answering = (value: unknown) =>
    startDrive({
      harm: ({ url = '' }, response) => {
        if (url.startsWith('/drive/v3/files?')) response.end(typeof value === 'string' ? value : JSON.stringify(value));
      },
    });

  test.each([
    ['is not complete', { files: [], incompleteSearch: true }, true, 'files may be missing'],
    ['goes on nowhere', { files: [], nextPageToken: '' }, false, 'correct source.endpoint'],
    ['is a page', '<html>', false, 'correct source.endpoint'],
    ['has files without ids', { files: [{ name: 'a.csv' }] }, false, 'correct source.endpoint'],
  ])('that %s is refused', async (_, value, retryable, words) => {
    const { error, text } = await failureOf((await answering(value)).source);
    expect(error).toMatchObject({ code: 'pull-failed', retryable });
    expect(text).toContain(words);
  });

  test('whose pages each name another has an end', async () => {
    const { source } = await answering({ files: [], nextPageToken: 'more' });
    expect((await failureOf({ ...source, maxFiles: 20 })).text).toContain('more than 1,001 pages');
  });

  test('of more files than are allowed is refused', async () => {
    const { source, publish } = await startDrive({ page: 7 });
    for (let number = 0; number < 21; number++) await publish(`${number}.csv`, 'x');
    expect((await failureOf({ ...source, maxFiles: 20 })).text).toContain('source.maxFiles');
  });

  test('has nothing of the trash, and passes over what is no file', async () => {
    const { source, folder, add, publish } = await startDrive();
    add({ name: 'a.csv', parents: [folder.id], bytes: Buffer.from('x'), trashed: true });
    add({ name: 'b.csv', parents: [folder.id], mimeType: 'application/vnd.google-apps.document' });
    add({ name: 'c.csv', parents: [folder.id], mimeType: FOLDER });
    await publish('d.csv', 'right');
    const look = await lookAt({ ...source, pattern: '*.csv' });
    expect(look!.files.map(({ name, why }) => `${name} ${why}`)).toEqual([
      'd.csv the newest that fits',
      'b.csv is a document of Google, not a file',
    ]);
  });

  test('may have the same name twice: the newer one is taken', async () => {
    const { source, folder, add } = await startDrive();
    for (const content of ['older', 'newer'])
      add({ name: 'prices.csv', parents: [folder.id], bytes: Buffer.from(content) });
    const input = pullInput();
    expect(await pull(source, input)).toMatchObject({ name: 'prices.csv', superseded: ['prices.csv'] });
    expect(readFileSync(input.target, 'utf8')).toBe('newer');
  });
});

describe('the folder', () => {
  test.each([
    [(id: string) => `https://drive.google.com/drive/folders/${id}`],
    [(id: string) => `https://drive.google.com/drive/u/0/folders/${id}?usp=sharing`],
  ])('may be its address', async (address) => {
    const { source, publish } = await startDrive();
    await publish('prices.csv', 'x');
    expect(await pull({ ...source, folderId: address(source.folderId) }, pullInput())).toMatchObject({ kind: 'file' });
  });

  test('may be a shortcut to one, but no file and nothing in the trash', async () => {
    const { source, folder, add, publish, find } = await startDrive();
    await publish('prices.csv', 'x');
    const link = add({ name: 'link', mimeType: SHORTCUT, target: folder.id });
    expect(await pull({ ...source, folderId: link.id }, pullInput())).toMatchObject({ name: 'prices.csv' });
    const ofFile = await failureOf({ ...source, folderId: find('prices.csv')!.id });
    expect(ofFile.text).toContain('is a file; write its folder into source.folderId');
    folder.trashed = true;
    expect((await failureOf(source)).text).toContain('is not there, or not shared');
  });
});

describe('a sheet', () => {
  test.each([
    ['xlsx', 'Prices.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet of Prices'],
    ['csv', 'Prices.csv', 'text/csv of Prices'],
  ] as const)('comes as %s', async (sheets, name, content) => {
    const { source, folder, add } = await startDrive();
    const sheet = add({ name: 'Prices', parents: [folder.id], mimeType: SHEET });
    const input = pullInput();
    const pulled = (await pull({ ...source, sheets, pattern: '*.{csv,xlsx}' }, input)) as PulledFile;
    expect(pulled).toMatchObject({ name, modifiedAt: sheet.at.getTime() });
    expect(readFileSync(input.target, 'utf8')).toBe(content);
    const again = pullInput({ checkpoint: pulled.checkpoint });
    expect(await pull({ ...source, sheets }, again)).toMatchObject({ kind: 'unchanged' });
  });

  test('is passed over where none is wanted, with what to set', async () => {
    const { source, folder, add } = await startDrive();
    add({ name: 'Prices', parents: [folder.id], mimeType: SHEET });
    const reason = expect.stringContaining('set source.sheets to xlsx or csv') as string;
    const without: DriveSource = { ...source, sheets: 'none' };
    expect(await pull(without, pullInput())).toMatchObject({ kind: 'nothing', reason });
  });

  test('into which somebody writes meanwhile is exported again', async () => {
    let exports = 0;
    const { source, folder, add } = await startDrive({
      harm: ({ url = '' }, _, { find }) => {
        if (!url.includes('/export') || exports++ > 0) return;
        Object.assign(find('Prices')!, { version: 2, at: new Date(1_800_000_000_000) });
      },
    });
    add({ name: 'Prices', parents: [folder.id], mimeType: SHEET });
    expect(await pull(source, pullInput())).toMatchObject({ kind: 'file', modifiedAt: 1_800_000_000_000 });
    expect(exports).toBe(2);
  });

  test('that is too large to be exported is named as such, not as one that is denied', async () => {
    const { source, folder, add } = await startDrive({
      harm: ({ url = '' }, response) => {
        if (url.includes('/export')) refuse(response, 403, 'exportSizeLimitExceeded');
      },
    });
    add({ name: 'Prices', parents: [folder.id], mimeType: SHEET });
    const { error, text } = await failureOf(source);
    expect(text).toContain('larger than the 10 MB that Google exports');
    expect(error).not.toHaveProperty('details.status');
  });
});

describe('a shortcut', () => {
  test('is followed once, and stays where it is', async () => {
    const { source, folder, add } = await startDrive();
    const target = add({ name: 'elsewhere.csv', bytes: Buffer.from('of another folder') });
    add({ name: 'prices.csv', parents: [folder.id], mimeType: SHORTCUT, target: target.id });
    const pulled = (await pull(source, pullInput())) as PulledFile;
    expect(pulled).toMatchObject({ name: 'prices.csv', bytes: 17, modifiedAt: target.at.getTime() });
    expect(await pull(source, pullInput({ checkpoint: pulled.checkpoint }))).toMatchObject({ kind: 'unchanged' });
    await expect(acknowledge({ ...source, after: 'delete' }, pulled.listed!.taken, SIGNAL)).rejects.toMatchObject({
      retryable: false,
      message: expect.stringContaining('set source.after: keep') as string,
    });
    expect(target.trashed).toBe(false);
  });

  test('to a shortcut, or to what is gone or in the trash, is passed over with the reason', async () => {
    const { source, folder, add } = await startDrive();
    const link = (name: string, target: string) => add({ name, parents: [folder.id], mimeType: SHORTCUT, target });
    const one = link('a.csv', '1gone');
    link('b.csv', one.id);
    link('c.csv', add({ name: 'old.csv', bytes: Buffer.from('x'), trashed: true }).id);
    expect(await pull(source, pullInput())).toMatchObject({
      kind: 'nothing',
      reason: expect.stringMatching(/a\.csv .*gone.*b\.csv is a shortcut to a shortcut.*c\.csv .*gone/u) as string,
    });
  });
});

test('bytes that have another checksum are not taken', async () => {
  let damaged = 0;
  const { source, publish } = await startDrive({
    harm: ({ url = '' }, response) => {
      if (url.includes('alt=media') && damaged++ === 0) response.end('wrong');
    },
  });
  await publish('prices.csv', 'right');
  const input = pullInput();
  expect(await pull(source, input)).toMatchObject({ kind: 'file' });
  expect(readFileSync(input.target, 'utf8')).toBe('right');
  expect(damaged).toBe(2);
});

test('a file that is renamed or moved away while it is read is not taken', async () => {
  for (const change of [{ name: 'old.txt' }, { parents: ['root'] }]) {
    const { source, publish } = await startDrive({
      harm: ({ url = '' }, _, { find }) => {
        const there = url.includes('alt=media') ? find('prices.csv') : undefined;
        if (there !== undefined) Object.assign(there, change);
      },
    });
    await publish('prices.csv', 'x');
    expect(await pull({ ...source, pattern: '*.csv' }, pullInput())).toMatchObject({ kind: 'nothing' });
  }
});

test('a file that lies in the trash by now, with another of its name there, is gone, and the other one stays', async () => {
  const { source, publish, find, published } = await startDrive();
  await publish('prices.csv', 'taken');
  const { listed } = (await pull(source, pullInput())) as PulledFile;
  find('prices.csv')!.trashed = true;
  await publish('prices.csv', 'newer');
  for (const after of ['delete', 'move'] as const) {
    expect(await acknowledge({ ...source, after }, listed!.taken, SIGNAL)).toBe('gone');
  }
  expect(await published()).toEqual({ 'prices.csv': Buffer.from('newer') });
});

test('a file that goes to the trash while it is read, with another of its name after it, is not taken for that', async () => {
  let isOver = false;
  const { source, publish } = await startDrive({
    harm: async ({ url = '' }, _, { find, publish: put }) => {
      if (isOver || !url.includes('alt=media')) return;
      isOver = true;
      find('prices.csv')!.trashed = true;
      await put('prices.csv', 'new');
    },
  });
  await publish('prices.csv', 'old');
  const input = pullInput();
  expect(await pull(source, input)).toMatchObject({ kind: 'file' });
  expect(readFileSync(input.target, 'utf8')).toBe('new');
});

test('names with quotes and backslashes are searched for as they are', async () => {
  const { source, publish, published } = await startDrive();
  const [name, moveTo] = ["it's 100 % new.csv", "Anna's \\ lists"];
  await publish(name, 'x');
  const { listed } = (await pull(source, pullInput())) as PulledFile;
  for (let times = 0; times < 2; times++) {
    if (times > 0) await publish(name, 'x');
    const taken = times === 0 ? listed!.taken : ((await pull(source, pullInput())) as PulledFile).listed!.taken;
    expect(await acknowledge({ ...source, after: 'move', moveTo }, taken, SIGNAL)).toBe('done');
  }
  expect(Object.keys(await published())).toEqual([`${moveTo}/${name}`, `${moveTo}/it's 100 % new (2).csv`]);
});

test('every question goes with a token, and to all drives', async () => {
  const { source, publish, asked } = await startDrive();
  await publish('prices.csv', 'x');
  await pull(source, pullInput());
  expect(asked.every(({ url, authorization }) => url.pathname === '/token' || authorization !== undefined)).toBe(true);
  expect(
    asked.filter(({ url }) => url.pathname !== '/token' && url.searchParams.get('supportsAllDrives') !== 'true'),
  ).toEqual([]);
});

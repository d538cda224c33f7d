import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { GraphSource } from '../../../src/config/schema/sources/graph.ts';
import { secret } from '../../../src/config/secrets/secret.ts';
import { acknowledge } from '../../../src/pull/acknowledge.ts';
import { lookAt } from '../../../src/pull/look-at.ts';
import { pull } from '../../../src/pull/pull.ts';
import type { PulledFile } from '../../../src/pull/source.ts';
import { serve } from '../../support/http-server.ts';
import { startGraph } from '../../support/servers/graph.ts';
import { pullInput } from '../pull-input.ts';

const SIGNAL = new AbortController().signal;

/** Where a source leads that names a drive in another way than by the site. */
function elsewhere(source: GraphSource, changes: Partial<GraphSource>): GraphSource {
  const { site, ...rest } = source;
  return { ...rest, ...(site === undefined ? {} : changes) };
}

/** The failure of a pull, as everything that is kept of it. */
async function failureOf(source: GraphSource): Promise<{ error: unknown; text: string }> {
  const error: unknown = await pull(source, pullInput()).catch((failure: unknown) => failure);
  return { error, text: `${String(error)} ${JSON.stringify(error)} ${String((error as Error).cause)}` };
}

describe('the drive', () => {
  test('is the main library of a site, another one of it, that of a user, or one by its id', async () => {
    const { source, drive, other } = await startGraph();
    const file = (name: string) => [name, Buffer.from(name)] as const;
    drive.put(drive.makeFolder('Lists/north'), ...file('site.csv'));
    other.put(other.makeFolder('Lists/north'), ...file('user.csv'));
    const places: [GraphSource, string][] = [
      [source, 'site.csv'],
      [{ ...source, library: 'documents' }, 'site.csv'],
      [elsewhere(source, { user: 'buyer@shop.example' }), 'user.csv'],
      [elsewhere(source, { drive: other.id }), 'user.csv'],
    ];
    for (const [place, name] of places) expect(await pull(place, pullInput())).toMatchObject({ name });
  });

  test('may be its root', async () => {
    const { source, drive } = await startGraph();
    drive.put(drive.root, 'prices.csv', Buffer.from('x'));
    expect(await pull({ ...source, path: '/' }, pullInput())).toMatchObject({ name: 'prices.csv' });
  });

  test.each([
    [{ site: 'https://shop.sharepoint.com/sites/nowhere' }, 'correct source.site'],
    [{ library: 'Nowhere' }, 'there are: Documents, Archive'],
    [{ path: 'Lists/nowhere' }, 'correct source.path'],
    [{ path: 'Lists/north/prices.csv' }, 'is a file; write its folder into source.path'],
  ])('that is not there is named, with its setting: %o', async (changes, words) => {
    const { source, publish } = await startGraph();
    await publish('prices.csv', 'x');
    const { error, text } = await failureOf({ ...source, ...changes });
    expect(error).toMatchObject({ code: 'pull-failed', retryable: false });
    expect(text).toContain(words);
    expect(text).toContain('/shop.sharepoint.com/sites/');
  });

  test.each([
    [{ user: 'nobody@shop.example' }, 'correct source.user'],
    [{ drive: 'b!nowhere' }, 'source.drive'],
  ])('of somebody that is not there is named: %o', async (changes, words) => {
    const { source } = await startGraph();
    expect((await failureOf(elsewhere(source, changes))).text).toContain(words);
  });
});

describe('the token', () => {
  test('is fetched once, renewed when it ends, and once when it is refused', async () => {
    const lasting = await startGraph();
    await lasting.publish('prices.csv', 'x');
    const fetched = ({ asked }: typeof lasting) => asked.filter(({ path }) => path.endsWith('/token')).length;
    for (let pulls = 0; pulls < 2; pulls++) await pull(lasting.source, pullInput());
    expect(fetched(lasting)).toBe(1);
    lasting.forget();
    expect(await pull(lasting.source, pullInput())).toMatchObject({ kind: 'file' });
    expect(fetched(lasting)).toBe(2);
    const ending = await startGraph({ page: 200, lasts: 0.000_001 });
    await ending.publish('prices.csv', 'x');
    await pull(ending.source, pullInput());
    expect(fetched(ending)).toBeGreaterThan(2);
  });

  test('that is refused again and again is not asked for without end', async () => {
    const { source, asked } = await startGraph({
      page: 200,
      harm: ({ url = '' }, response) => {
        if (url.startsWith('/v1.0/')) response.writeHead(401).end('{"error":{"code":"InvalidAuthenticationToken"}}');
      },
    });
    const { error } = await failureOf(source);
    expect(error).toMatchObject({ code: 'pull-failed', retryable: false, details: { status: 401 } });
    expect(asked.map(({ path }) => path).filter((path) => path.endsWith('/token'))).toHaveLength(2);
  });

  test.each([
    [{ clientSecret: secret('wrong-wrong-wrong') }, 'the client secret is wrong'],
    [{ clientId: 'nobody' }, 'the directory has no such app'],
    [{ tenant: 'elsewhere.example' }, 'there is no such directory'],
  ])('is not given to another app: %o', async (changes, words) => {
    const { source, publish } = await startGraph();
    await publish('prices.csv', 'x');
    const { error, text } = await failureOf({ ...source, auth: { ...source.auth, ...changes } });
    expect(error).toMatchObject({ code: 'pull-failed', retryable: false, details: { status: 401 } });
    expect(text).toContain(words);
    expect(text).not.toContain('wrong-wrong-wrong');
  });

  test('goes to Microsoft Graph only: the host that has the bytes gets none, and messages name neither it nor the address', async () => {
    const content = await serve((request, response) => {
      response.writeHead(request.headers.authorization === undefined ? 200 : 400).end('from elsewhere');
    });
    const { source, publish } = await startGraph({ page: 200, contentAt: content.url });
    await publish('prices.csv', 'x');
    const input = pullInput();
    expect(await pull(source, input)).toMatchObject({ bytes: 14 });
    expect(readFileSync(input.target, 'utf8')).toBe('from elsewhere');
    expect(content.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    const refusing = await serve((_, response) => response.writeHead(403).end());
    const refused = await startGraph({ page: 200, contentAt: refusing.url });
    await refused.publish('prices.csv', 'x');
    const { error, text } = await failureOf(refused.source);
    expect(error).toMatchObject({ code: 'pull-failed', retryable: true });
    expect(text).not.toMatch(/tempauth|download\//u);
    expect(text).not.toContain(refusing.url);
  });

  test('is in no failure, whoever repeats it', async () => {
    const { source } = await startGraph({
      page: 200,
      harm: ({ url = '', headers }, response) => {
        if (!url.startsWith('/v1.0/')) return;
        const code = headers.authorization;
        response.writeHead(403).end(JSON.stringify({ error: { code, message: code } }));
      },
    });
    const { text } = await failureOf(source);
    expect(text).toContain('403');
    expect(text).not.toContain('eyJ0eXAi');
  });
});

describe('a service that is busy', () => {
  /** A service that refuses so many questions of a kind. */
  function busy(times: number, status: number, headers: Record<string, string>, isMeant: (url: string) => boolean) {
    let left = times;
    return startGraph({
      page: 200,
      harm: ({ url = '' }, response) => {
        if (isMeant(url) && left-- > 0)
          response.writeHead(status, headers).end('{"error":{"code":"activityLimitReached"}}');
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

  test.each([429, 503])('is waited for as long as it says (%i)', async (status) => {
    const double = await busy(2, status, { 'retry-after': '7' }, (url) => url.includes('/children'));
    expect(await waitsOf(double)).toMatchObject({ pulled: { kind: 'file' }, waits: [7000, 7000] });
  });

  test('is waited for longer each time where it says nothing, also where the bytes are', async () => {
    const double = await busy(3, 429, {}, (url) => url.startsWith('/download/'));
    expect(await waitsOf(double)).toMatchObject({ pulled: { kind: 'file' }, waits: [1000, 2000, 4000] });
  });

  test('is left for the next try when it stays so', async () => {
    const double = await busy(100, 429, { 'retry-after': '2' }, (url) => url.includes('/children'));
    const { pulled, waits } = await waitsOf(double);
    expect(pulled).toMatchObject({
      code: 'pull-failed',
      retryable: true,
      details: { status: 429, retryAfterMs: 2000 },
    });
    expect(waits).toEqual([2000, 2000, 4000, 8000, 16_000]);
  });

  test('is not waited for when it asks for an hour', async () => {
    const double = await busy(1, 503, { 'retry-after': '3600' }, (url) => url.includes('/children'));
    const { pulled, waits } = await waitsOf(double);
    expect(pulled).toMatchObject({ code: 'pull-failed', retryable: true, details: { retryAfterMs: 3_600_000 } });
    expect(waits).toEqual([]);
  });
});

describe('a listing', () => {
  const answering = (value: unknown) =>
    startGraph({
      page: 200,
      harm: ({ url = '' }, response) => {
        if (url.includes('/children')) response.end(typeof value === 'string' ? value : JSON.stringify(value));
      },
    });

  test.each([
    ['goes on at another host', { value: [], '@odata.nextLink': 'https://evil.example/v1.0/x' }, 'at another host'],
    ['goes on nowhere', { value: [], '@odata.nextLink': 'next' }, 'at another host'],
    ['is a page', '<html>', 'correct source.endpoint'],
    ['has no items', { value: 7 }, 'correct source.endpoint'],
    ['is nothing but brackets', '['.repeat(1_000_000), 'correct source.endpoint'],
  ])('that %s is refused', async (_, value, words) => {
    const { error, text } = await failureOf((await answering(value)).source);
    expect(error).toMatchObject({ code: 'pull-failed', retryable: false });
    expect(text).toContain(words);
  });

  test('whose pages each name another has an end', async () => {
    const { source } = await startGraph({
      page: 200,
      harm: ({ url = '', headers }, response) => {
        if (!url.includes('/children')) return;
        const next = `http://${headers.host}${url}&n=1`;
        response.end(JSON.stringify({ value: [], '@odata.nextLink': next.slice(0, 200) }));
      },
    });
    expect((await failureOf({ ...source, maxFiles: 20 })).text).toContain('more than 1,001 pages');
  });

  test('whose pages are long has an end', async () => {
    const { source } = await startGraph({
      page: 200,
      harm: ({ url = '', headers }, response) => {
        if (!url.includes('/children')) return;
        const next = { '@odata.nextLink': `http://${headers.host}${url}` };
        response.end(JSON.stringify({ value: [{ id: '1', name: 'a'.repeat(600_000) }], ...next }));
      },
    });
    expect((await failureOf({ ...source, maxFiles: 20 })).text).toContain('sent a listing of more than 1 MB');
  });

  test('of more files than are allowed is refused', async () => {
    const { source, publish } = await startGraph({ page: 7 });
    for (let number = 0; number < 21; number++) await publish(`${number}.csv`, 'x');
    expect((await failureOf({ ...source, maxFiles: 20 })).text).toContain('source.maxFiles');
  });

  test('passes over what is deleted, holds malware or is no file', async () => {
    const { source, drive, folder, publish } = await startGraph();
    drive.add({ name: 'a.csv', parent: folder.id, bytes: Buffer.from('x'), facets: { malware: { description: 'x' } } });
    drive.add({ name: 'b.csv', parent: folder.id, bytes: Buffer.from('x'), facets: { deleted: { state: 'deleted' } } });
    drive.add({ name: 'c.csv', parent: folder.id, facets: { package: { type: 'oneNote' } } });
    drive.makeFolder('Lists/north/d.csv');
    await publish('e.csv', 'right');
    const look = await lookAt({ ...source, pattern: '*.csv' });
    expect(look!.files.map(({ name, why }) => `${name} ${why}`)).toEqual([
      'e.csv the newest that fits',
      'a.csv holds malware, says Microsoft',
      'b.csv is deleted',
      'c.csv is no plain file',
    ]);
  });
});

describe('a shortcut', () => {
  test('is followed once, and stays where it is', async () => {
    const { source, drive, other, folder } = await startGraph();
    const target = other.put(other.root, 'elsewhere.csv', Buffer.from('of another drive'));
    drive.add({ name: 'prices.csv', parent: folder.id, remote: { drive: other.id, id: target.id } });
    const input = pullInput();
    const pulled = (await pull(source, input)) as PulledFile;
    expect(pulled).toMatchObject({ name: 'prices.csv', bytes: 16, modifiedAt: target.at.getTime() });
    expect(await pull(source, pullInput({ checkpoint: pulled.checkpoint }))).toMatchObject({ kind: 'unchanged' });
    other.put(other.root, 'elsewhere.csv', Buffer.from('that was changed'));
    expect(await pull(source, pullInput({ checkpoint: pulled.checkpoint }))).toMatchObject({ kind: 'file' });
    const newer = ((await pull(source, pullInput())) as PulledFile).listed!.taken;
    await expect(acknowledge({ ...source, after: 'delete' }, newer, SIGNAL)).rejects.toMatchObject({
      retryable: false,
      message: expect.stringContaining('set source.after: keep') as string,
    });
    expect(other.at('elsewhere.csv')).toBeDefined();
  });

  test('to a shortcut, or to what is gone, is passed over with the reason', async () => {
    const { source, drive, other, folder } = await startGraph();
    const [one, two] = ['a.csv', 'b.csv'].map((name) =>
      drive.add({ name, parent: folder.id, remote: { drive: other.id, id: 'gone' } }),
    );
    two!.remote = { drive: drive.id, id: one!.id };
    const pulled = await pull(source, pullInput());
    expect(pulled).toMatchObject({
      kind: 'nothing',
      reason: expect.stringMatching(
        /a\.csv is a shortcut to a file that is gone.*b\.csv is a shortcut to a shortcut/u,
      ) as string,
    });
  });

  test('to a folder may be the folder of the source', async () => {
    const { source, drive, other } = await startGraph();
    const target = other.makeFolder('shared');
    other.put(target, 'prices.csv', Buffer.from('x'));
    drive.add({
      name: 'Linked',
      parent: drive.root.id,
      facets: { remoteItem: { id: target.id, folder: {}, parentReference: { driveId: other.id } } },
    });
    expect(await pull({ ...source, path: 'Linked' }, pullInput())).toMatchObject({ name: 'prices.csv' });
  });
});

describe('a download', () => {
  test.each([
    ['to nowhere', 'http://', 'without a usable redirect address'],
    ['in circles', '/v1.0/loop', 'without a usable redirect address'],
    ['to an address inside', 'http://10.0.0.1/x', 'source.allowHosts'],
  ])('that leads %s is refused', async (_, location, words) => {
    const { source, publish } = await startGraph({
      page: 200,
      harm: ({ url = '' }, response) => {
        if (url.endsWith('/content') || url === '/v1.0/loop') response.writeHead(302, { location }).end();
      },
    });
    await publish('prices.csv', 'x');
    expect((await failureOf(source)).text).toContain(words);
  });

  /** A library in which a file is renamed while it is read for the first time, and maybe followed by another. */
  async function renaming(follow?: string) {
    let isOver = false;
    const double = await startGraph({
      page: 200,
      harm: ({ url = '' }, _, drive) => {
        if (isOver || !url.startsWith('/download/')) return;
        isOver = true;
        Object.assign(drive.at('Lists/north/prices.csv')!, { name: 'old.txt', version: 2 });
        if (follow !== undefined) drive.put(double.folder, 'prices.csv', Buffer.from(follow));
      },
    });
    await double.publish('prices.csv', 'old');
    return { ...double.source, pattern: '*.csv' };
  }

  test('of a file that is renamed meanwhile is not taken', async () => {
    expect(await pull(await renaming(), pullInput())).toMatchObject({ kind: 'nothing' });
  });

  test('of a file that is followed by another of its name meanwhile is one of that', async () => {
    const input = pullInput();
    expect(await pull(await renaming('new'), input)).toMatchObject({ kind: 'file', bytes: 3 });
    expect(readFileSync(input.target, 'utf8')).toBe('new');
  });
});

test('what is moved to the root of the drive goes there', async () => {
  const { source, drive, publish } = await startGraph();
  await publish('prices.csv', 'x');
  const { listed } = (await pull(source, pullInput())) as PulledFile;
  expect(await acknowledge({ ...source, after: 'move', moveTo: '/Done' }, listed!.taken, SIGNAL)).toBe('done');
  expect(drive.at('Done/prices.csv')).toBeDefined();
});

test('a file that somebody has open is named as locked', async () => {
  const { source, publish } = await startGraph({
    page: 200,
    harm: ({ method }, response) => {
      if (method === 'DELETE') response.writeHead(423).end('{"error":{"code":"resourceLocked"}}');
    },
  });
  await publish('prices.csv', 'x');
  const { listed } = (await pull(source, pullInput())) as PulledFile;
  await expect(acknowledge({ ...source, after: 'delete' }, listed!.taken, SIGNAL)).rejects.toThrow('has it open');
});

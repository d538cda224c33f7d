import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { keptBytes } from '../../../src/archive/kept-file.ts';
import { openS3Archive } from '../../../src/archive/s3/open-s3-archive.ts';
import { openStore } from '../../../src/archive/s3/store.ts';
import { objectKey } from '../../../src/archive/s3/object-key.ts';
import { tryStore } from '../../../src/archive/s3/try-store.ts';
import { archivedObjects } from '../../../src/ledger/maintenance/archived-objects.ts';
import { atEnd } from '../../support/at-end.ts';
import { openUploads, startBucketS3, type Buckets, type S3Style } from '../../support/servers/bucket-s3.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { supplierOf } from '../../pull/s3/objects.ts';
import { all, archiveConformance, pieces } from '../conformance.ts';
import { copiesIn, machineOn, remoteIn, underTest } from './remote-archive.ts';

const USUAL: S3Style = { page: 3, goesOn: 'token', escapes: 'asked', lacks: [] };
const TEXT = 'brand;oem\nBOSCH;0986\n';
const SHA = createHash('sha256').update(TEXT).digest('hex');

/** A store with a bucket that nobody else uses. */
async function bucket(style: Partial<S3Style> = {}) {
  const { source, buckets, stop } = await startBucketS3({ ...USUAL, ...style });
  atEnd(stop);
  await supplierOf(source).makeBucket();
  return { source, buckets, stop };
}

const keysIn = (buckets: Buckets) => [...(buckets.get('offers')?.keys() ?? [])];

archiveConformance('s3', async () => underTest(remoteIn((await bucket()).source)));
archiveConformance(
  's3 that passes conditions over',
  async () => underTest(remoteIn((await bucket({ conditions: 'ignored' })).source)),
  10,
);
archiveConformance(
  's3 without conditions',
  async () => underTest(remoteIn((await bucket({ conditions: false })).source)),
  10,
);

describe('an archive in a bucket', () => {
  test('keeps one object for each file, and machines find what others brought in', async () => {
    const { source, buckets } = await bucket();
    const one = await machineOn(remoteIn(source));
    const other = await machineOn(remoteIn(source), { ledger: one.ledger });
    await one.archive.put(pieces(TEXT));
    await other.archive.put(pieces(TEXT));
    expect(keysIn(buckets)).toEqual([`files/${objectKey(SHA, 0)}`]);
    rmSync(other.remote.cache, { recursive: true });
    expect((await buffer(keptBytes(other.archive.file(SHA)))).toString()).toBe(TEXT);
    expect(copiesIn(other.remote)).toEqual([SHA]);
  });

  test('asks at most three times for a file that is there, and once for one that is not', async () => {
    const { source } = await bucket();
    const { archive, asked } = await machineOn(remoteIn(source));
    await archive.put(pieces(TEXT));
    expect(asked).toEqual(['PUT']);
    await archive.put(pieces(TEXT));
    expect(asked).toEqual(['PUT', 'PUT', 'GET']);
  });

  test('reads a copy without asking, and fetches it again when it was damaged here', async () => {
    const { source } = await bucket();
    const { archive, asked, remote } = await machineOn(remoteIn(source));
    await archive.put(pieces(TEXT));
    asked.length = 0;
    await buffer(keptBytes(archive.file(SHA)));
    expect(asked).toEqual([]);
    writeFileSync(archive.file(SHA).unverifiedPath, TEXT.replace('BOSCH', 'BOSCh'));
    await expect(buffer(keptBytes(archive.file(SHA)))).rejects.toMatchObject({ details: { damage: 'damaged' } });
    // Whoever meets damage verifies: the object is right, and the copy is gone.
    expect(await archive.verify(SHA)).toBe('ok');
    expect(copiesIn(remote)).toEqual([]);
    expect((await buffer(keptBytes(archive.file(SHA)))).toString()).toBe(TEXT);
  });

  test('writes large files in parts, of which nothing is left when one of them fails', async () => {
    let isFull = false;
    const { source, buckets } = await bucket({
      harm: ({ url = '' }, response) => {
        if (isFull && url.includes('partNumber=2'))
          response.writeHead(507).end('<Error><Code>QuotaExceeded</Code></Error>');
      },
    });
    const { archive } = await machineOn(remoteIn(source));
    const path = join(tempFolder(), 'large');
    writeFileSync(path, Buffer.alloc(65 * 1024 * 1024, 'x'));
    const kept = await archive.put(path);
    expect(await archive.verify(kept.sha256)).toBe('ok');
    await archive.remove(kept.sha256);
    isFull = true;
    await expect(archive.put(path)).rejects.toThrow('has no space left for this bucket');
    expect([openUploads(), keysIn(buckets)]).toEqual([0, []]);
  });

  test('keeps what was used lately, as far as there is room', async () => {
    const { source } = await bucket();
    const { archive, remote } = await machineOn(remoteIn(source), { cacheBytes: 100 });
    const old = await archive.put(pieces('x'.repeat(90)));
    const { utimesSync } = await import('node:fs');
    utimesSync(archive.file(old.sha256).unverifiedPath, new Date(0), new Date(0));
    const kept = await archive.put(pieces('y'.repeat(90)));
    expect(copiesIn(remote)).toEqual([kept.sha256]);
    expect(await archive.verify(old.sha256)).toBe('ok');
  });

  test('removes again what a machine gave up and died before removing', async () => {
    const { source, buckets } = await bucket();
    const { archive, ledger } = await machineOn(remoteIn(source));
    await archive.put(pieces(TEXT));
    await ledger.db.updateTable('archived_objects').set({ given_up_at: 1 }).execute();
    expect(await all(archive.list())).toEqual([]);
    expect(keysIn(buckets)).toEqual([]);
  });

  test('lists objects of which its ledger knows nothing as brought in now', async () => {
    const { source } = await bucket();
    const before = await machineOn(remoteIn(source));
    for (const text of ['one', 'two', 'three', 'four', 'five']) await before.archive.put(pieces(text));
    const since = Date.now();
    const after = await machineOn(remoteIn(source));
    const found = await all(after.archive.list());
    expect(found).toHaveLength(5);
    for (const { at } of found) expect(at).toBeGreaterThanOrEqual(since);
  });
});

describe('the examination of a store', () => {
  test.each<[Partial<S3Style>, object]>([
    [{}, { conditions: 'honoured', expires: false, versions: false }],
    [{ conditions: false }, { conditions: 'refused', expires: false, versions: false }],
    [{ conditions: 'ignored' }, { conditions: 'ignored', expires: false, versions: false }],
    [{ rules: ['expires', 'versions'] }, { conditions: 'honoured', expires: true, versions: true }],
  ])('of one with %j finds %j, and leaves nothing there', async (style, found) => {
    const { source, buckets } = await bucket(style);
    const { store, remote } = await machineOn(remoteIn(source));
    expect(await tryStore(store, remote)).toEqual(found);
    expect(keysIn(buckets)).toEqual([]);
  });

  test('finds one that returns other bytes', async () => {
    const { source } = await bucket({
      harm: ({ method, url = '' }, response) => {
        if (method === 'GET' && url.includes('doctor-')) response.writeHead(200).end('other bytes');
      },
    });
    const { store, remote } = await machineOn(remoteIn(source));
    await expect(tryStore(store, remote)).rejects.toThrow('returned other bytes than it was given');
  });
});

describe('a store that', () => {
  /** A machine whose store is harmed; `harm` answers in place of the store. */
  async function harmed(harm: NonNullable<S3Style['harm']>) {
    let isOn = false;
    const { source } = await bucket({ harm: (...given) => (isOn ? harm(...given) : undefined) });
    const pauses: number[] = [];
    const machine = await machineOn(remoteIn(source, { timeout: 300 }), {
      pause: (ms) => {
        pauses.push(ms);
        return Promise.resolve();
      },
    });
    isOn = true;
    return { ...machine, pauses: () => pauses };
  }

  const times = (count: number, harm: NonNullable<S3Style['harm']>): NonNullable<S3Style['harm']> => {
    let left = count;
    return (...given) => {
      if (left === 0) return undefined;
      left -= 1;
      return harm(...given);
    };
  };

  test.each<[string, NonNullable<S3Style['harm']>]>([
    ['asks to be tried later', (_, response) => response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')],
    ['fails', (_, response) => response.writeHead(500).end('<Error><Code>InternalError</Code></Error>')],
    ['closes the connection', (_, response) => response.destroy()],
    [
      'says that two came at once',
      (_, response) => response.writeHead(409).end('<Error><Code>ConditionalRequestConflict</Code></Error>'),
    ],
    ['is silent', () => 'silent'],
    [
      'says success with an error in its body',
      (_, response) => response.writeHead(200).end('<Error><Code>InternalError</Code></Error>'),
    ],
  ])('%s is asked again', async (_, harm) => {
    const { archive, pauses } = await harmed(times(2, harm));
    await archive.put(pieces(TEXT));
    expect(pauses()).toHaveLength(2);
    expect(await archive.verify(SHA)).toBe('ok');
  });

  test('gives other bytes is not believed', async () => {
    const { archive, remote } = await harmed(({ method, url = '' }, response) => {
      if (method === 'GET' && !url.includes('list-type')) response.writeHead(200).end('other bytes');
    });
    await archive.put(pieces(TEXT));
    rmSync(remote.cache, { recursive: true });
    await expect(buffer(keptBytes(archive.file(SHA)))).rejects.toMatchObject({
      code: 'archive',
      details: { damage: 'damaged' },
    });
  });

  test('gives other bytes for a while loses nothing: what was set aside is taken back once it is whole', async () => {
    let isOn = false;
    const { archive, remote } = await harmed(({ method, url = '' }, response) => {
      if (isOn && method === 'GET' && !url.includes('?')) response.writeHead(200).end('other bytes');
    });
    await archive.put(pieces(TEXT));
    rmSync(remote.cache, { recursive: true });
    isOn = true;
    expect(await archive.verify(SHA)).toBe('damaged');
    await archive.setAside(SHA);
    isOn = false;
    expect(await archive.verify(SHA)).toBe('missing');
    expect(await archive.takeBack(SHA)).toBe(true);
    expect(await archive.verify(SHA)).toBe('ok');
    expect(await archive.takeBack(SHA)).toBe(false);
  });

  test('has damaged bytes set aside keeps them for people to examine, and forgets them after 90 days', async () => {
    const { source, buckets } = await bucket();
    const { remote, store, ledger, archive } = await machineOn(remoteIn(source));
    await archive.put(pieces(TEXT));
    buckets.get('offers')!.get(`files/${objectKey(SHA, 0)}`)!.bytes = Buffer.from('other bytes');
    rmSync(remote.cache, { recursive: true });
    await archive.setAside(SHA);
    const later = async (days: number) => {
      const now = () => Date.now() + days * 86_400_000;
      const aged = await openS3Archive({ remote, store, index: archivedObjects(ledger), cacheBytes: 1e9, now });
      await all(aged.list());
      return keysIn(buckets).filter((key) => key.startsWith('files/damaged/'));
    };
    expect(await later(89)).toEqual([expect.stringContaining(SHA)]);
    expect(await later(91)).toEqual([]);
  });

  test('cuts an object off is asked again', async () => {
    const cut = times(2, ({ method }, response) => {
      if (method !== 'GET') return;
      response.writeHead(200, { 'content-length': TEXT.length }).write(TEXT.slice(0, 5));
      response.destroy();
    });
    let isOn = false;
    const { archive, remote } = await harmed((...given) => (isOn ? cut(...given) : undefined));
    await archive.put(pieces(TEXT));
    rmSync(remote.cache, { recursive: true });
    isOn = true;
    expect((await buffer(keptBytes(archive.file(SHA)))).toString()).toBe(TEXT);
  });

  test.each<[string, number, string, string]>([
    [
      'has the bucket elsewhere',
      301,
      '<Code>PermanentRedirect</Code><Region>eu-north-1</Region>',
      'has the bucket in another region (it is eu-north-1); correct archive.region',
    ],
    [
      'has another time',
      403,
      '<Code>RequestTimeTooSkewed</Code><RequestTime>20261128T120000Z</RequestTime><ServerTime>2026-11-28T12:20:00Z</ServerTime>',
      "this machine's clock says 20261128T120000Z, the store's says 2026-11-28T12:20:00Z",
    ],
    [
      'does not know the key',
      403,
      '<Code>InvalidAccessKeyId</Code>',
      'does not know the access key; correct archive.auth',
    ],
    ['denies access', 403, '<Code>AccessDenied</Code>', 'denies access; check archive.auth, and grant these keys'],
    ['has no such bucket', 404, '<Code>NoSuchBucket</Code>', 'has no such bucket; make it'],
    ['is no store', 404, '', 'answered 404, and not as S3 does; correct archive.endpoint'],
  ])('%s is named with what to do', async (_, status, said, message) => {
    const { archive } = await harmed((_request, response) =>
      response.writeHead(status).end(said && `<Error>${said}</Error>`),
    );
    await expect(archive.put(pieces(TEXT))).rejects.toMatchObject({
      code: 'archive',
      retryable: false,
      message: expect.stringContaining(message) as string,
    });
  });

  test('is out of order whenever it is asked is named with what to do', async () => {
    const { archive } = await harmed((_, response) =>
      response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>'),
    );
    const message = 'answered 503 (SlowDown) each time; try again later, or ask who runs the store';
    await expect(archive.put(pieces(TEXT))).rejects.toThrow(message);
  });

  test('has no TLS and is asked by https is named with what to do, at once', async () => {
    const { remote } = await harmed(() => undefined);
    const secure = { ...remote, endpoint: remote.endpoint.replace('http:', 'https:') };
    const waited: number[] = [];
    await using store = openStore(secure, { pause: (ms) => Promise.resolve(void waited.push(ms)) });
    await expect(store.size('x')).rejects.toThrow('does not answer by TLS; where it has none, write http://');
    expect(waited).toEqual([]);
  });

  const signedAt = (text: unknown) =>
    Date.parse(String(text).replace(/^(....)(..)(..T..)(..)(..Z)$/u, '$1-$2-$3:$4:$5'));
  /** A store whose clock is so many hours ahead, and takes no request of another time. */
  const ofAnotherTime =
    (hours: () => number): NonNullable<S3Style['harm']> =>
    ({ headers }, response) => {
      const now = Date.now() + hours() * 3_600_000;
      response.setHeader('date', new Date(now).toUTCString());
      if (Math.abs(signedAt(headers['x-amz-date']) - now) < 900_000) return;
      response.writeHead(403).end('<Error><Code>RequestTimeTooSkewed</Code></Error>');
    };

  test.each([-2, 2])('has a clock that is %d hours ahead is asked by its own time', async (hours) => {
    const { archive, remote } = await harmed(ofAnotherTime(() => hours));
    await archive.put(pieces(TEXT));
    rmSync(remote.cache, { recursive: true });
    expect(await archive.has(SHA)).toBe(true);
    expect((await buffer(keptBytes(archive.file(SHA)))).toString()).toBe(TEXT);
  });

  test('has another clock is asked by its own time by several requests that find it out at once, also when a clock is set again', async () => {
    let asked = 0;
    const clocks = [2, -1, 1];
    const { archive } = await harmed(ofAnotherTime(() => clocks[Math.floor((asked += 1) / 12)] ?? 1));
    const texts = Array.from({ length: 8 }, (_, at) => `${TEXT}${at}`);
    const kept = await Promise.all(texts.map((text) => archive.put(pieces(text))));
    expect(await Promise.all(kept.map(({ sha256 }) => archive.has(sha256)))).toEqual(texts.map(() => true));
  });

  test('denies HEAD, whose reply names no code, is named with what to do', async () => {
    const { archive } = await harmed(({ method }, response) => {
      if (method === 'HEAD') response.writeHead(403).end();
    });
    await expect(archive.has(SHA)).rejects.toThrow('denies access; check archive.auth, and grant these keys');
  });

  test('says how long to wait is asked again after that', async () => {
    const { archive, pauses } = await harmed(
      times(1, (_, response) =>
        response.writeHead(503, { 'retry-after': '7' }).end('<Error><Code>SlowDown</Code></Error>'),
      ),
    );
    await archive.put(pieces(TEXT));
    expect(pauses()).toEqual([7000]);
  });

  test.each<[string, NonNullable<S3Style['harm']>, string]>([
    [
      'answers a removal with more than anybody reads',
      ({ method }, response) => {
        if (method === 'DELETE') response.writeHead(200).end(Buffer.alloc(9 * 1024 * 1024, ' '));
      },
      'sent a reply of more than 8 MB',
    ],
    [
      'breaks off its answer to a removal',
      ({ method }, response) => {
        if (method !== 'DELETE') return undefined;
        response.writeHead(200, { 'content-length': 100 }).write('gone');
        setImmediate(() => response.destroy());
        return 'silent';
      },
      'closed the connection before it was complete',
    ],
  ])('%s is named', async (_, harm, message) => {
    const { store } = await harmed(harm);
    await expect(store.remove('files/any')).rejects.toMatchObject({
      code: 'archive',
      retryable: true,
      message: expect.stringContaining(message) as string,
    });
  });

  test('is away says so, and no damage', async () => {
    const { source, stop } = await bucket();
    const { archive } = await machineOn(remoteIn(source));
    await stop();
    const error: unknown = await archive.verify(SHA).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'archive', retryable: true });
    expect((error as Error).message).toMatch(/refused the connection; check that the store is running/u);
  });
});

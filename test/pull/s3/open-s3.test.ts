import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { S3Source } from '../../../src/config/schema/sources/s3.ts';
import { secret } from '../../../src/config/secrets/secret.ts';
import { acknowledge } from '../../../src/pull/acknowledge.ts';
import { pull } from '../../../src/pull/pull.ts';
import { bucketAddress } from '../../../src/io/s3/address.ts';
import { credentialsOf } from '../../../src/pull/s3/credentials.ts';
import { namesOf, readPage } from '../../../src/pull/s3/listing.ts';
import { withServer } from '../../../src/pull/server/open.ts';
import type { PulledFile } from '../../../src/pull/source.ts';
import { serve } from '../../support/http-server.ts';
import { lacks } from '../../support/programs.ts';
import type { RealS3 } from '../../support/servers/s3-source.ts';
import { startSwift } from '../../support/servers/swift.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { pullInput } from '../pull-input.ts';
import { sourceConformance } from '../source-conformance.ts';
import { supplierOf } from './objects.ts';

const missing = lacks('swift-proxy-server', 'swift-object-server', 'swift-ring-builder', 'python3');
const SIGNAL = new AbortController().signal;

describe.skipIf(missing)('Swift', () => {
  let swift: RealS3;
  let buckets = 0;

  beforeAll(async () => {
    swift = await startSwift();
  }, 60_000);

  async function bucket(changes: Partial<S3Source> = {}) {
    const source = { ...swift.source, bucket: `offers-${(buckets += 1)}`, ...changes };
    const supplier = supplierOf(source);
    await supplier.makeBucket();
    return { source, ...supplier };
  }

  sourceConformance('s3', async () => {
    const { source, publish, published, drop } = await bucket();
    const twin = { ...source, endpoint: `${source.endpoint}/` };
    return { source, twin, place: bucketAddress(source).href, publish, published, close: drop };
  });

  test('only what lies directly under the prefix is chosen among', async () => {
    const { source, publish } = await bucket({ prefix: 'out/' });
    await publish('prices.csv', 'right');
    await publish('old/z.csv', 'wrong');
    await publish('', 'the folder itself');
    const input = pullInput();
    expect(await pull(source, input)).toMatchObject({ name: 'prices.csv', superseded: [] });
    expect(readFileSync(input.target, 'utf8')).toBe('right');
  });

  test('names that XML, addresses or signatures have to escape come through', async () => {
    const { source, publish } = await bucket();
    const name = "Прайс (50%) #1 & 'ä'+?=;!*.csv";
    await publish(name, 'x');
    expect(await pull(source, pullInput())).toMatchObject({ name, bytes: 1 });
  });

  test('the newest of more objects than fit on one page is found', async () => {
    const { source, publish } = await bucket();
    for (let from = 0; from < 1010; from += 10) {
      await Promise.all(Array.from({ length: 10 }, (_, at) => publish(`old_${1000 + from + at}.txt`, '')));
    }
    await publish('prices.csv', 'x');
    const files = await withServer(source, SIGNAL, (server) => server.list(() => true));
    expect(files).toHaveLength(1011);
    expect(await pull({ ...source, pattern: '*.csv' }, pullInput())).toMatchObject({ name: 'prices.csv' });
  }, 60_000);

  test('an object is brought from a byte on, and never from another version', async () => {
    const { source, publish } = await bucket();
    await publish('prices.csv', 'brand;oem');
    await withServer(source, SIGNAL, async (server) => {
      const file = (await server.look({ name: 'prices.csv', size: 0, mtimeMs: 0 }))!;
      expect(await text(server.read(file, 6))).toBe('oem');
      await publish('prices.csv', 'other!!!!');
      await expect(text(server.read(file, 6))).rejects.toMatchObject({ details: { changed: true } });
      await expect(server.remove(file)).rejects.toMatchObject({ details: { changed: true } });
      await expect(server.move(file, 'taken')).rejects.toMatchObject({ details: { changed: true } });
    });
  });

  test.each(['delete', 'move'] as const)('after: %s does it to the very object', async (after) => {
    const { source, publish, keys } = await bucket({ prefix: 'out/', after });
    await publish('prices.csv', 'old');
    const pulled = (await pull(source, pullInput())) as PulledFile;
    await publish('prices.csv', 'new');
    expect(await acknowledge(source, pulled.listed!.taken, SIGNAL)).toBe('changed');
    const now = (await pull(source, pullInput())) as PulledFile;
    await publish('taken/prices.csv', 'there already');
    expect(await acknowledge(source, now.listed!.taken, SIGNAL)).toBe('done');
    const moved = after === 'move' ? ['out/taken/prices (2).csv'] : [];
    expect(await keys()).toEqual([...moved, 'out/taken/prices.csv']);
    expect(await acknowledge(source, now.listed!.taken, SIGNAL)).toBe('gone');
  });

  test('a wrong secret key is refused, and named without being shown', async () => {
    const { source, publish } = await bucket();
    await publish('prices.csv', 'x');
    const auth = { type: 'basic', user: 'shop:buyer', password: secret('wrong-secret') } as const;
    const failure: unknown = await pull({ ...source, auth }, pullInput()).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'pull-failed', retryable: false, details: { status: 401 } });
    expect(String(failure)).toContain('the secret key is wrong');
    expect(JSON.stringify(failure) + String(failure)).not.toContain('wrong-secret');
  });

  test.each([
    [{ bucket: 'nowhere' }, 'no such bucket'],
    [{ region: 'mars' }, 'another region (it is eu-test); correct source.region'],
  ])('%j is named, and trying again does not help', async (changes, words) => {
    const { source } = await bucket();
    await expect(pull({ ...source, ...changes }, pullInput())).rejects.toMatchObject({
      code: 'pull-failed',
      retryable: false,
      message: expect.stringContaining(words) as string,
    });
  });

  test('keys of a profile sign as well', async () => {
    const { source, publish } = await bucket();
    await publish('prices.csv', 'x');
    const file = join(tempFolder(), 'credentials');
    writeFileSync(
      file,
      '[default]\naws_access_key_id = other\n\n[shop]\naws_access_key_id = shop:buyer\naws_secret_access_key=correct-horse\n',
    );
    const auth = { type: 'profile', file, profile: 'shop' } as const;
    expect(await pull({ ...source, auth }, pullInput())).toMatchObject({ name: 'prices.csv' });
    const place = { url: 's3', timeout: 1 };
    await expect(credentialsOf({ auth: { ...auth, profile: 'none' } }, place)).rejects.toThrow('no profile "none"');
    await expect(credentialsOf({ auth: { ...auth, profile: 'default' } }, place)).rejects.toThrow(
      'no profile "default"',
    );
    await expect(credentialsOf({ auth: { type: 'environment' } }, place)).rejects.toThrow('AWS_ACCESS_KEY_ID');
  });
});

test('a bucket has a folder of the endpoint, or a host of its own', () => {
  const at = { region: 'eu-central-1', bucket: 'offers' } as const;
  expect(bucketAddress({ ...at, style: 'host' }).href).toBe('https://offers.s3.eu-central-1.amazonaws.com/');
  expect(bucketAddress({ ...at, style: 'path', endpoint: 'http://minio:9000/s3/' }).href).toBe(
    'http://minio:9000/s3/offers',
  );
});

test('a server of another kind is named as such', async () => {
  const server = await serve((_request, response) => response.writeHead(404).end('<html>Not Found</html>'));
  const source: S3Source = {
    type: 's3',
    endpoint: server.url,
    region: 'us-east-1',
    bucket: 'offers',
    style: 'path',
    auth: { type: 'basic', user: 'key', password: secret('hush-hush') },
    pattern: '*',
    settle: 0,
    after: 'keep',
    moveTo: 'taken',
    timeout: 5000,
    deadline: 60_000,
  };
  await expect(pull(source, pullInput())).rejects.toThrow('answered 404, and not as S3 does; correct source.endpoint');
});

describe('a page', () => {
  async function read(...pieces: string[]) {
    const page = readPage(Readable.from(pieces.map((piece) => Buffer.from(piece))));
    const keys: string[] = [];
    for (;;) {
      const next = await page.next();
      if (next.done === true) return { keys, ...next.value };
      keys.push(next.value.key);
    }
  }

  test('that is no list of objects is refused', async () => {
    await expect(read('<html><body>hello</body></html>')).rejects.toThrow('no list');
    await expect(read('')).rejects.toThrow('root element');
    await expect(read('<ListBucketResult><Contents>')).rejects.toThrow('unclosed tag');
  });

  test('is read wherever it is cut, and names the next one only when there is one', async () => {
    const text =
      '<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name>' +
      '<NextContinuationToken>t&amp;2</NextContinuationToken><IsTruncated>TRUNCATED</IsTruncated>' +
      '<Contents><Key>out/a+b.csv</Key><Owner><Key>no</Key></Owner><Size>1</Size></Contents>' +
      '<Contents><Key>out/</Key></Contents><CommonPrefixes><Prefix>out/old/</Prefix></CommonPrefixes></ListBucketResult>';
    for (let cut = 0; cut < text.length; cut += 7) {
      const [head, tail] = [text.slice(0, cut), text.slice(cut)].map((part) => part.replace('TRUNCATED', 'true'));
      if (`${head}${tail}`.includes('TRUNCATED')) continue;
      const keys = ['out/a+b.csv', 'out/'];
      expect(await read(head!, tail!)).toEqual({ keys, isEscaped: false, next: { token: 't&2' } });
    }
    expect(await read(text.replace('TRUNCATED', 'false'))).toEqual({ keys: ['out/a+b.csv', 'out/'], isEscaped: false });
  });
});

test.each([
  [true, 'a+b.csv', ['a b.csv', 'a+b.csv']],
  [true, 'a%20b.csv', ['a b.csv', 'a%20b.csv']],
  [true, 'a%2Bb.csv', ['a+b.csv', 'a%2Bb.csv']],
  [true, 'a b+c.csv', ['a b+c.csv', 'a b c.csv']],
  [true, 'Цены+1.csv', ['Цены+1.csv', 'Цены 1.csv']],
  [true, '100%.csv', ['100%.csv']],
  [false, 'a+b.csv', ['a+b.csv', 'a b.csv']],
  [false, 'a%20b.csv', ['a%20b.csv', 'a b.csv']],
  [false, 'plain.csv', ['plain.csv']],
])('keys, escaped: %s, “%s” may stand for %o', (isEscaped, key, names) => {
  expect(namesOf(key, isEscaped)).toEqual(names);
});

describe('a server that is not quite S3', () => {
  const CONTENT = 'brand;oem\n';
  type Page = { objects: string[]; more?: string };
  const at = 'Thu, 20 Nov 2025 10:23:00 GMT';

  /** Answers listings with one page after the other, and each of `keys` with its content. */
  async function start(pages: Page[], keys: string[], head: Record<string, string> = {}) {
    const asked: URLSearchParams[] = [];
    const server = await serve((request, response) => {
      const url = new URL(request.url ?? '', 'http://127.0.0.1');
      if (url.searchParams.has('list-type')) {
        const { objects, more = '' } = pages[Math.min(asked.push(url.searchParams), pages.length) - 1]!;
        response.end(`<ListBucketResult>${objects.join('')}${more}</ListBucketResult>`);
        return;
      }
      const isThere = keys.includes(decodeURIComponent(url.pathname.slice('/offers/'.length)));
      response.writeHead(isThere ? 200 : 404, isThere ? { 'content-length': CONTENT.length, ...head } : {});
      response.end(isThere && request.method === 'GET' ? CONTENT : '');
    });
    const source: S3Source = {
      type: 's3',
      endpoint: server.url,
      region: 'us-east-1',
      bucket: 'offers',
      style: 'path',
      auth: { type: 'basic', user: 'key', password: secret('hush-hush') },
      pattern: '*',
      settle: 0,
      after: 'keep',
      moveTo: 'taken',
      timeout: 5000,
      deadline: 60_000,
    };
    return { source, asked };
  }

  const object = (key: string, facts = `<LastModified>${at}</LastModified><ETag>"1"</ETag>`) =>
    `<Contents><Key>${key}</Key>${facts}<Size>${CONTENT.length}</Size></Contents>`;

  test('goes on after the last name where a page is cut and names no next one', async () => {
    const pages = [
      { objects: [object('a.csv'), object('b.csv')], more: '<IsTruncated>true</IsTruncated>' },
      { objects: [object('c.csv', `<LastModified>2026-11-20T10:23:00Z</LastModified><ETag>"1"</ETag>`)] },
    ];
    const { source, asked } = await start(pages, ['a.csv', 'b.csv', 'c.csv'], {
      etag: '"1"',
      'last-modified': 'Fri, 20 Nov 2026 10:23:00 GMT',
    });
    expect(await pull(source, pullInput())).toMatchObject({ name: 'c.csv' });
    expect([asked[1]?.get('start-after'), asked[1]?.get('marker')]).toEqual(['b.csv', 'b.csv']);
  });

  test('goes on with NextMarker, as the first version of the question is answered', async () => {
    const more = '<IsTruncated>true</IsTruncated><NextMarker>m.csv</NextMarker>';
    const { source, asked } = await start([{ objects: [object('a.csv')], more }, { objects: [] }], ['a.csv'], {
      etag: '"1"',
      'last-modified': at,
    });
    expect(await pull(source, pullInput())).toMatchObject({ name: 'a.csv' });
    expect(asked[1]?.get('marker')).toBe('m.csv');
  });

  test('a cut page that says nothing of the next one and has no names, or the same again, is a failure', async () => {
    const more = '<IsTruncated>true</IsTruncated>';
    for (const objects of [[], [object('a.csv')]]) {
      const { source } = await start([{ objects, more }], ['a.csv']);
      await expect(pull(source, pullInput())).rejects.toThrow('sent no list of objects');
    }
  });

  test.each([
    ['a+b.csv', 'a b.csv'],
    ['a+b.csv', 'a+b.csv'],
    ['a%20b.csv', 'a b.csv'],
    ['a%20b.csv', 'a%20b.csv'],
    ['a b.csv', 'a b.csv'],
  ])('“%s” in a listing is “%s” where that is there', async (listed, there) => {
    const { source } = await start([{ objects: [object(listed)] }], [there], { etag: '"1"', 'last-modified': at });
    expect(await pull(source, pullInput())).toMatchObject({ name: there });
  });

  test('without times and ETags in listings, those of the object count; without any, all is taken each time', async () => {
    const told = await start([{ objects: [object('a.csv', '')] }], ['a.csv'], { etag: 'W/"1"', 'last-modified': at });
    expect(await pull(told.source, pullInput())).toMatchObject({ name: 'a.csv', modifiedAt: Date.parse(at) });
    const bare = await start([{ objects: [object('a.csv', '')] }], ['a.csv']);
    const pulled = (await pull(bare.source, pullInput())) as PulledFile;
    expect(pulled).toMatchObject({ name: 'a.csv', modifiedAt: null });
    const again = pullInput({ checkpoint: pulled.checkpoint });
    expect(await pull(bare.source, again)).toMatchObject({ kind: 'file' });
  });
});

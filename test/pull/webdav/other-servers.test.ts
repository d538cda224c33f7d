import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WebdavSource } from '../../../src/config/schema/sources/web.ts';
import { acknowledge } from '../../../src/pull/acknowledge.ts';
import { lookAt } from '../../../src/pull/look-at.ts';
import { pull } from '../../../src/pull/pull.ts';
import { readMultistatus, type Resource } from '../../../src/pull/webdav/multistatus.ts';
import type { PulledFile } from '../../../src/pull/source.ts';
import { serve } from '../../support/http-server.ts';
import { lacks } from '../../support/programs.ts';
import { startApache } from '../../support/servers/apache.ts';
import { pullInput } from '../pull-input.ts';
import { supplierIn } from '../server/supplier.ts';
import { repetitions } from '../../support/repetitions.ts';

function webdav(url: string): WebdavSource {
  const choosing = { pattern: '*.csv', settle: 5000, after: 'keep', moveTo: 'taken', deadline: 60_000 } as const;
  const asking = { headers: {}, auth: { type: 'none' }, timeout: 5000, maxRedirects: 5, allowHosts: [] } as const;
  return { type: 'webdav', url, ...asking, allowHosts: [], ...choosing };
}

/** What a listing comes to on a server that writes it like this. */
async function listed(xml: string) {
  const { url } = await serve((_, response) => {
    response.writeHead(207, { 'content-type': 'application/xml; charset=utf-8' }).end(xml);
  });
  const { files } = (await lookAt(webdav(`${url}/out/`)))!;
  return files;
}

const NEXTCLOUD = `<?xml version="1.0"?>
<d:multistatus xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns">
 <d:response><d:href>/remote.php/dav/files/me/out/</d:href><d:propstat><d:prop>
  <d:resourcetype><d:collection/></d:resourcetype><d:getlastmodified>Tue, 05 May 2026 06:00:00 GMT</d:getlastmodified>
  <d:getetag>&quot;60d1f&quot;</d:getetag></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>
  <d:propstat><d:prop><d:getcontentlength/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response>
 <d:response><d:href>/remote.php/dav/files/me/out/%d0%9f%d1%80%d0%b0%d0%b9%d1%81%20%26%20Co.csv</d:href><d:propstat><d:prop>
  <d:resourcetype/><d:getcontentlength>42</d:getcontentlength>
  <d:getlastmodified>Tue, 05 May 2026 06:00:00 GMT</d:getlastmodified><d:getetag>&quot;a1b2&quot;</d:getetag>
 </d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
</d:multistatus>`;

const SHAREPOINT = `<?xml version="1.0" encoding="utf-8" ?><D:multistatus xmlns:D="DAV:" xmlns:Office="urn:schemas-microsoft-com:office:office" xmlns:b="urn:uuid:c2f41010-65b3-11d1-a29f-00aa00c14882/" xmlns:Repl="http://schemas.microsoft.com/repl/">
<D:response><D:href>https://intern.example/sites/x/Shared%20Documents/out</D:href><D:propstat><D:prop>
<D:resourcetype><D:collection/></D:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>
<D:response><D:href>https://intern.example/sites/x/Shared%20Documents/out/Preise (neu).csv</D:href><D:propstat><D:prop>
<D:getcontentlength b:dt="int">7</D:getcontentlength><D:getlastmodified b:dt="dateTime.rfc1123">Tue, 05 May 2026 06:00:00 GMT</D:getlastmodified>
<D:getetag>"{7C2A},3"</D:getetag><D:resourcetype/></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>
</D:multistatus>`;

test.each([
  ['Nextcloud', NEXTCLOUD, 'Прайс & Co.csv', 42],
  ['SharePoint', SHAREPOINT, 'Preise (neu).csv', 7],
  [
    'a server with DAV: as its only namespace',
    SHAREPOINT.replaceAll(/D:(?=[a-z])/gu, '').replace('xmlns:D', 'xmlns'),
    'Preise (neu).csv',
    7,
  ],
])('a listing of %s is read', async (_, xml, name, size) => {
  const files = await listed(xml);
  expect(files).toMatchObject([{ name, size, decision: 'take', modifiedAt: Date.parse('2026-05-05T06:00:00Z') }]);
});

test('names that lead out of the folder, break lines or are in an old charset are passed over', async () => {
  const names = ['%2e%2e', 'a%2Fb.csv', 'a%0Ab.csv', '%cf%f0.csv'];
  const responses = names.map(
    (name) => `<response><href>/out/${name}</href><propstat><prop><getcontentlength>1</getcontentlength></prop>
      <status>HTTP/1.1 200 OK</status></propstat></response>`,
  );
  const files = await listed(`<multistatus xmlns="DAV:">${responses.join('')}</multistatus>`);
  expect(files.every(({ decision }) => decision === 'pass over')).toBe(true);
  expect(files).toHaveLength(names.length);
});

test('a listing is the same however its bytes are cut', async () => {
  const bytes = Buffer.from(NEXTCLOUD.replace('%d0%9f%d1%80%d0%b0%d0%b9%d1%81', 'Прайс'));
  const read = async (chunks: Uint8Array[]) => {
    const found: Resource[] = [];
    for await (const resource of readMultistatus(Readable.from(chunks))) found.push(resource);
    return found;
  };
  const whole = await read([bytes]);
  expect(whole).toHaveLength(2);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 9 }), async (cuts) => {
      const ends = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      expect(await read(ends.slice(1).map((end, at) => bytes.subarray(ends[at], end)))).toEqual(whole);
    }),
    { numRuns: repetitions(50) },
  );
});

test.each([
  ['no XML', 'Service unavailable'],
  ['another document', '<html><body/></html>'],
  ['a listing that ends early', NEXTCLOUD.slice(0, 900)],
  [
    'an entity that grows',
    '<!DOCTYPE a [<!ENTITY b "c">]><multistatus xmlns="DAV:"><response><href>&b;</href></response></multistatus>',
  ],
])('%s instead of a listing is refused', async (_, xml) => {
  await expect(listed(xml)).rejects.toMatchObject({
    code: 'pull-failed',
    message: expect.stringContaining('a listing that cannot be read') as string,
  });
});

test('elements without end instead of a listing are refused with the limit', async () => {
  await expect(listed(`<multistatus xmlns="DAV:">${'<a>'.repeat(1000)}`)).rejects.toMatchObject({
    code: 'pull-failed',
    message: expect.stringContaining('a listing with more than 100 elements in one another') as string,
  });
});

/** What a program between us and Apache does. */
type Between = {
  /** Changes listings. */
  xml?: (text: string) => string;
  /** Is done before a request goes on. */
  before?: (method: string, folder: string) => void;
  /** After how many bytes of an answer the connection ends, if it does. */
  cut?: (method: string) => number | undefined;
};

async function behind({ xml = (text) => text, before, cut }: Between) {
  const apache = await startApache();
  const { origin, host } = new URL(apache.source.url);
  const front = await serve((incoming, response) => {
    const { method = 'GET', url = '/', headers } = incoming;
    before?.(method, apache.folder);
    const moved =
      headers.destination === undefined ? {} : { destination: String(headers.destination).replace(front.url, origin) };
    const onwards = request(origin + url, { method, headers: { ...headers, host, ...moved } }, (reply) => {
      void text(reply).then((body) => {
        const sent = method === 'PROPFIND' ? xml(body) : body;
        for (const [name, value] of Object.entries(reply.headers)) {
          if (name !== 'transfer-encoding') response.setHeader(name, value ?? '');
        }
        response.writeHead(reply.statusCode ?? 500, { 'content-length': Buffer.byteLength(sent) });
        const end = cut?.(method);
        if (end === undefined) return response.end(sent);
        return response.write(sent.slice(0, end), () => response.socket?.end());
      });
    });
    incoming.pipe(onwards);
  });
  const { auth } = apache.source;
  return { source: { ...webdav(`${front.url}/out/`), auth }, folder: apache.folder, requests: front.requests };
}

describe.skipIf(lacks('apache2'))('what becomes of files where something comes in between', () => {
  const replace = (folder: string) => writeFileSync(join(folder, 'prices.csv'), 'new');

  test.each([
    ['delete', 'DELETE'],
    ['move', 'MOVE'],
  ] as const)('after: %s leaves a file that came at the last moment', async (after, changing) => {
    const { source, folder } = await behind({ before: (method, at) => void (method === changing && replace(at)) });
    expect(await acknowledged({ ...source, after }, folder)).toBe('changed');
    expect(readFileSync(join(folder, 'prices.csv'), 'utf8')).toBe('new');
  });

  test.each([
    ['delete', ['prices.csv']],
    ['move', ['prices.csv', 'taken', 'taken/prices.csv']],
  ] as const)('without ETags after: %s works by way of a hidden name', async (after, left) => {
    const xml = (text: string) => text.replaceAll(/<lp\d:getetag>[^<]*<\/lp\d:getetag>/gu, '');
    const { source, folder } = await behind({ xml });
    expect(await acknowledged({ ...source, after }, folder)).toBe('done');
    replace(folder);
    expect(new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }))).toEqual(new Set(left));
  });

  test.each(['delete', 'move'] as const)(
    'without ETags after: %s puts a file back that came at the last moment',
    async (after) => {
      const xml = (text: string) => text.replaceAll(/<lp\d:getetag>[^<]*<\/lp\d:getetag>/gu, '');
      let moves = 0;
      const before = (method: string, at: string) => void (method === 'MOVE' && moves++ === 0 && replace(at));
      const { source, folder } = await behind({ xml, before });
      expect(await acknowledged({ ...source, after }, folder)).toBe('changed');
      expect(readFileSync(join(folder, 'prices.csv'), 'utf8')).toBe('new');
      expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
    },
  );
});

describe.skipIf(lacks('apache2'))('a transfer that is cut', () => {
  const wait = () => Promise.resolve();
  /** Ends the first transfer after so many bytes. */
  const cutOnce = (at: number) => {
    let gets = 0;
    return (method: string) => (method === 'GET' && gets++ === 0 ? at : undefined);
  };

  test('goes on where it ended, at each of ten places', async () => {
    const bytes = Array.from({ length: 1000 }, (_, at) => String(at).padStart(9, '0')).join(',');
    for (let place = 1; place <= 10; place++) {
      const { source, folder, requests } = await behind({ cut: cutOnce(place * 997) });
      await supplierIn(folder).publish('prices.csv', bytes);
      const input = pullInput({ wait });
      expect(await pull(source, input)).toMatchObject({ kind: 'file', bytes: bytes.length });
      expect(readFileSync(input.target, 'utf8')).toBe(bytes);
      const ranges = requests.filter(({ method }) => method === 'GET').map(({ headers }) => headers.range);
      expect(ranges).toEqual([undefined, `bytes=${place * 997}-`]);
    }
  });

  test('begins again with another file that came meanwhile', async () => {
    let gets = 0;
    const before = (method: string, folder: string) => {
      if (method === 'GET' && gets++ === 1) writeFileSync(join(folder, 'prices.csv'), 'b'.repeat(9000));
    };
    const { source, folder } = await behind({ before, cut: cutOnce(5000) });
    await supplierIn(folder).publish('prices.csv', 'a'.repeat(9000));
    const input = pullInput({ wait });
    expect(await pull(source, input)).toMatchObject({ bytes: 9000 });
    expect(readFileSync(input.target, 'utf8')).toBe('b'.repeat(9000));
  });

  test('a server that is silent is named, and worth another try', async () => {
    const { url } = await serve(() => undefined);
    await expect(pull({ ...webdav(`${url}/out/`), timeout: 200 }, pullInput())).rejects.toMatchObject({
      retryable: true,
      message: `${url}/out/ was silent for 0.2 s (source.timeout).`,
    });
  });
});

/** Publishes a file, pulls it and does with it what the source says. */
async function acknowledged(source: WebdavSource, folder: string) {
  await supplierIn(folder).publish('prices.csv', 'old');
  const { listed } = (await pull(source, pullInput())) as PulledFile;
  return acknowledge(source, listed!.taken, AbortSignal.timeout(9000));
}

import { AwsV4Signer } from 'aws4fetch';
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { secret } from '../../../src/config/secrets/secret.ts';
import type { S3Source } from '../../../src/config/schema/sources/s3.ts';
import { onLoopback } from './on-loopback.ts';

/** What a store is like: how it lists its objects, and what it says of them. */
export type S3Style = {
  /** Objects and folders on a page. */
  page: number;
  /** How a page that is cut says how it goes on: by a token, by the last key (version 1), or not at all. */
  goesOn: 'token' | 'marker' | 'silence';
  /** Keys as addresses have them: when that is asked for, never, or always and without saying so. */
  escapes: 'asked' | 'never' | 'unsaid';
  lacks: ('etag' | 'time')[];
  /** Rules of the bucket: objects expire, versions are kept. */
  rules?: ('expires' | 'versions')[];
  /** False: requests with `If-None-Match` are answered as by stores that do not know it. `ignored`: as if it were not there. */
  conditions?: boolean | 'ignored';
  /** Answers in place of the store, or does nothing: then the store answers, as soon as a promise is met. `silent`: nobody does. */
  harm?: (
    request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
    response: ServerResponse,
    buckets: Buckets,
  ) => unknown;
};

/** The bytes of each object of each bucket. */
export type Buckets = ReadonlyMap<string, Map<string, { bytes: Buffer }>>;

type StoredObject = { bytes: Buffer; at: Date; tag: string };
type Bucket = Map<string, StoredObject>;
type Asked = { query: URLSearchParams; bucket: Bucket; style: S3Style };

const REGION = 'eu-test';
const KEYS = { user: 'AKIAEXAMPLE', password: 'correct-horse' };

/** Starts a store of a given style that keeps its buckets in memory. */
export async function startBucketS3(
  style: S3Style,
): Promise<{ source: S3Source; buckets: Buckets; stop: () => Promise<void>; restart: () => Promise<void> }> {
  const buckets = new Map<string, Bucket>();
  const server = createServer((request, response) => void answer(request, response, buckets, style));
  const { port, stop, restart } = await onLoopback(server);
  const source: S3Source = {
    type: 's3',
    endpoint: `http://127.0.0.1:${port}`,
    region: REGION,
    bucket: 'offers',
    style: 'path',
    auth: { type: 'basic', user: KEYS.user, password: secret(KEYS.password) },
    pattern: '*',
    settle: 5000,
    after: 'keep',
    moveTo: 'taken',
    timeout: 10_000,
    deadline: 60_000,
  };
  return { source, buckets, stop, restart };
}

/** One request: of a bucket, or of an object in it. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  buckets: Map<string, Bucket>,
  style: S3Style,
) {
  const url = new URL(request.url ?? '', 'http://s3');
  const [, name = '', ...rest] = url.pathname.split('/');
  const key = rest.map(decodeURIComponent).join('/');
  const body = await buffer(request).catch(() => null);
  // The client has gone.
  if (body === null) return;
  const harmed = await style.harm?.(request, response, buckets);
  if (harmed === 'silent' || response.writableEnded || response.destroyed) return;
  if (!(await isSigned(request))) return refuse(response, 403, 'AccessDenied');
  if (key === '' && request.method === 'PUT') {
    buckets.set(name, new Map());
    return void response.end();
  }
  const bucket = buckets.get(name);
  if (bucket === undefined) return refuse(response, 404, 'NoSuchBucket');
  if (key === '' && request.method === 'DELETE') {
    buckets.delete(name);
    return void response.writeHead(204).end();
  }
  if (key === '' && url.searchParams.has('lifecycle')) {
    if (style.rules?.includes('expires') !== true) return refuse(response, 404, 'NoSuchLifecycleConfiguration');
    const rule = '<Rule><Status>Enabled</Status><Expiration><Days>30</Days></Expiration></Rule>';
    return void response.writeHead(200, XML).end(`<LifecycleConfiguration>${rule}</LifecycleConfiguration>`);
  }
  if (key === '' && url.searchParams.has('versioning')) {
    const status = style.rules?.includes('versions') === true ? '<Status>Enabled</Status>' : '';
    return void response.writeHead(200, XML).end(`<VersioningConfiguration>${status}</VersioningConfiguration>`);
  }
  if (key === '') return void response.writeHead(200, XML).end(pageOf({ query: url.searchParams, bucket, style }));
  const given = request.headers['x-amz-content-sha256'];
  if (given !== undefined && given !== 'UNSIGNED-PAYLOAD' && given !== createHash('sha256').update(body).digest('hex'))
    return refuse(response, 400, 'XAmzContentSHA256Mismatch');
  if (url.searchParams.has('uploads') || url.searchParams.has('uploadId'))
    return inParts(request, response, { key, body, bucket, style }, url.searchParams);
  objectAnswer(request, response, { key, body, bucket, style });
}

const uploads = new Map<string, Map<number, Buffer>>();

/** An upload in parts: begun, each part, completed or given up. */
function inParts(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  { key, body, bucket, style }: OfObject,
  query: URLSearchParams,
): void {
  const id = query.get('uploadId') ?? `upload-${uploads.size}-${key.slice(-8)}`;
  if (query.has('uploads')) {
    uploads.set(id, new Map());
    return void response
      .writeHead(200, XML)
      .end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }
  const parts = uploads.get(id);
  if (parts === undefined) return refuse(response, 404, 'NoSuchUpload');
  if (method === 'DELETE') {
    uploads.delete(id);
    return void response.writeHead(204).end();
  }
  if (method === 'PUT') {
    parts.set(Number(query.get('partNumber')), body);
    return void response.writeHead(200, { etag: `"part-${query.get('partNumber')}"` }).end();
  }
  if (headers['if-none-match'] !== undefined && style.conditions === false)
    return refuse(response, 501, 'NotImplemented');
  if (headers['if-none-match'] === '*' && style.conditions !== 'ignored' && bucket.has(key))
    return refuse(response, 412, 'PreconditionFailed');
  bucket.set(key, stored(Buffer.concat([...parts].toSorted(([a], [b]) => a - b).map(([, bytes]) => bytes))));
  uploads.delete(id);
  response.writeHead(200, XML).end('<CompleteMultipartUploadResult/>');
}

/** How many uploads in parts were begun and neither completed nor given up. */
export function openUploads(): number {
  return uploads.size;
}

/** Whether a request has the signature that these keys make for it. */
async function isSigned({ method = 'GET', url = '', headers }: IncomingMessage): Promise<boolean> {
  const [, names = '', signature] = /SignedHeaders=([^,]*), ?Signature=(\w+)/u.exec(headers.authorization ?? '') ?? [];
  const signed = names.split(';').filter((name) => name !== 'host' && !name.startsWith('x-amz-date'));
  const { authHeader } = await new AwsV4Signer({
    method,
    url: `http://${headers.host}${url}`,
    headers: Object.fromEntries(signed.map((name) => [name, String(headers[name] ?? '')])),
    accessKeyId: KEYS.user,
    secretAccessKey: KEYS.password,
    service: 's3',
    region: REGION,
    datetime: String(headers['x-amz-date']),
  })
    .sign()
    .then(({ headers: made }) => ({ authHeader: made.get('authorization') ?? '' }));
  return signature !== undefined && authHeader.endsWith(`Signature=${signature}`);
}

const XML = { 'content-type': 'application/xml' };

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, XML).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
}

type OfObject = { key: string; body: Buffer; bucket: Bucket; style: S3Style };

function objectAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { key, body, bucket, style }: OfObject,
): void {
  const { method, headers } = request;
  const copied = headers['x-amz-copy-source'];
  if (method === 'PUT') {
    const unless = headers['if-none-match'];
    if (unless !== undefined && style.conditions === false) return refuse(response, 501, 'NotImplemented');
    if (unless === '*' && style.conditions !== 'ignored' && bucket.has(key))
      return refuse(response, 412, 'PreconditionFailed');
    const from = typeof copied === 'string' ? copied.split('/').slice(2).map(decodeURIComponent).join('/') : null;
    const original = from === null ? undefined : bucket.get(from);
    if (from !== null && original === undefined) return refuse(response, 404, 'NoSuchKey');
    const condition = headers['x-amz-copy-source-if-match'];
    if (condition !== undefined && !style.lacks.includes('etag') && condition !== `"${original?.tag}"`)
      return refuse(response, 412, 'PreconditionFailed');
    bucket.set(key, stored(original?.bytes ?? body));
    return void response.writeHead(200, XML).end(from === null ? '' : '<CopyObjectResult/>');
  }
  const object = bucket.get(key);
  if (object === undefined) return refuse(response, 404, 'NoSuchKey');
  const expected = headers['if-match'];
  if (expected !== undefined && expected !== `"${object.tag}"`) return refuse(response, 412, 'PreconditionFailed');
  if (method === 'DELETE') {
    bucket.delete(key);
    return void response.writeHead(204).end();
  }
  const [, first] = /^bytes=(\d+)-$/u.exec(headers.range ?? '') ?? [];
  const from = Number(first ?? 0);
  if (first !== undefined && from >= object.bytes.length) return refuse(response, 416, 'InvalidRange');
  response.writeHead(first === undefined ? 200 : 206, {
    'content-length': object.bytes.length - from,
    ...(style.lacks.includes('time') ? {} : { 'last-modified': object.at.toUTCString() }),
    ...(style.lacks.includes('etag') ? {} : { etag: `"${object.tag}"` }),
  });
  response.end(method === 'HEAD' ? undefined : object.bytes.subarray(from));
}

let newest = 1_700_000_000_000;

function stored(bytes: Buffer): StoredObject {
  // Times have whole seconds, and a supplier does not deliver twice in one.
  newest += 1000;
  return { bytes, at: new Date(newest), tag: createHash('md5').update(bytes).digest('hex') };
}

/** A page of the objects and folders directly under a prefix; all objects where nobody asks for folders. */
function pageOf({ query, bucket, style }: Asked): string {
  const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter')];
  const after = query.get('continuation-token') ?? query.get('start-after') ?? query.get('marker') ?? '';
  const isEscaped =
    (style.escapes === 'unsaid' && delimiter !== null) ||
    (style.escapes === 'asked' && query.get('encoding-type') === 'url');
  const folders = new Set<string>();
  const names = [...bucket.keys()]
    .filter((key) => key.startsWith(prefix))
    .map((key) => {
      const end = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
      if (end !== -1) folders.add(key.slice(0, end + 1));
      return end === -1 ? key : key.slice(0, end + 1);
    });
  const left = [...new Set(names)].toSorted(byBytes).filter((name) => byBytes(name, after) > 0);
  const shown = left.slice(0, delimiter === null && style.goesOn !== 'token' ? Infinity : style.page);
  const write = (name: string) => escapeXml(isEscaped ? encodeURIComponent(name).replaceAll('%2F', '/') : name);
  const entries = shown.map((name) =>
    folders.has(name)
      ? `<CommonPrefixes><Prefix>${write(name)}</Prefix></CommonPrefixes>`
      : contents(write(name), bucket.get(name)!, style),
  );
  const last = shown.at(-1) ?? '';
  const next = {
    token: `<NextContinuationToken>${escapeXml(last)}</NextContinuationToken>`,
    marker: `<NextMarker>${write(last)}</NextMarker>`,
    silence: '',
  };
  const isCut = shown.length < left.length;
  const said = style.escapes === 'asked' && isEscaped ? '<EncodingType>url</EncodingType>' : '';
  return `<?xml version="1.0"?><ListBucketResult>${said}<IsTruncated>${isCut}</IsTruncated>${entries.join('')}${isCut ? next[style.goesOn] : ''}</ListBucketResult>`;
}

function contents(key: string, { bytes, at, tag }: StoredObject, { lacks }: S3Style): string {
  const time = lacks.includes('time') ? '' : `<LastModified>${at.toISOString()}</LastModified>`;
  const etag = lacks.includes('etag') ? '' : `<ETag>&quot;${tag}&quot;</ETag>`;
  return `<Contents><Key>${key}</Key>${time}${etag}<Size>${bytes.length}</Size></Contents>`;
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

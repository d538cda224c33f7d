import { createHash, createPublicKey, generateKeyPairSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { secret } from '../../../src/config/secrets/secret.ts';
import type { DriveSource } from '../../../src/config/schema/sources/drive.ts';
import { onLoopback } from './on-loopback.ts';

/** A file, folder or shortcut of a drive. */
export type DriveItem = {
  id: string;
  name: string;
  mimeType: string;
  parents: string[];
  driveId?: string;
  bytes?: Buffer;
  at: Date;
  revision: number;
  version: number;
  trashed: boolean;
  target?: string;
};

/** What a service is like, and how it harms those who ask. */
export type DriveStyle = {
  /** Files of a page, whatever is asked for. */
  page?: number;
  /** The folder lies in a shared drive. */
  shared?: true;
  lacks?: ('md5Checksum' | 'headRevisionId' | 'parents')[];
  /** How long a token lasts, in seconds. */
  lasts?: number;
  /** Answers in place of the service; what it leaves open is answered as usual. */
  harm?: (request: IncomingMessage, response: ServerResponse, double: DriveDouble) => unknown;
};

export type DriveDouble = {
  source: DriveSource;
  folder: DriveItem;
  items: Map<string, DriveItem>;
  add: (item: Partial<DriveItem> & Pick<DriveItem, 'name'>) => DriveItem;
  /** What lies in the folder under a name. */
  find: (name: string) => DriveItem | undefined;
  asked: { method: string; url: URL; authorization: string | undefined }[];
  /** Takes back all tokens. */
  forget: () => void;
  publish: (name: string, bytes: Buffer | string, second?: number) => Promise<void>;
  append: (name: string, bytes: Buffer | string) => Promise<void>;
  published: () => Promise<Record<string, Buffer>>;
  stop: () => Promise<void>;
  restart: () => Promise<void>;
};

export const FOLDER = 'application/vnd.google-apps.folder';
export const SHORTCUT = 'application/vnd.google-apps.shortcut';
export const SHEET = 'application/vnd.google-apps.spreadsheet';

const EMAIL = 'offers@shop.iam.gserviceaccount.com';
const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
let newest = 1_700_000_000;

/** The key of the account as Google gives it, or with something of it changed. */
export function accountKey(tokenUrl: string, changes: object = {}): string {
  const key = { type: 'service_account', client_email: EMAIL, private_key: pair.privateKey, private_key_id: 'k1' };
  return JSON.stringify({ ...key, token_uri: tokenUrl, ...changes });
}

/** Starts a double of Google Drive and of the server that gives its tokens, written from their public descriptions. */
export async function startDrive(style: DriveStyle = {}): Promise<DriveDouble> {
  const { page = 1000, shared, lacks = [] } = style;
  const items = new Map<string, DriveItem>();
  const driveId = shared === true ? newId() : undefined;
  const add: DriveDouble['add'] = (given) => {
    const item: DriveItem = {
      id: newId(),
      mimeType: 'text/csv',
      parents: [],
      at: next(),
      revision: 1,
      version: 1,
      trashed: false,
      ...(driveId === undefined ? {} : { driveId }),
      ...given,
    };
    items.set(item.id, item);
    return item;
  };
  const folder = add({ name: 'north', mimeType: FOLDER, parents: driveId === undefined ? ['root'] : [driveId] });
  const inside = (parent: string, name?: string) =>
    [...items.values()].filter(
      (item) =>
        !item.trashed &&
        item.parents.includes(parent) &&
        (name === undefined || item.name.toLowerCase() === name.toLowerCase()),
    );
  const tokens = new Set<string>();
  const asked: DriveDouble['asked'] = [];
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  const { port, stop, restart } = await onLoopback(server);
  const endpoint = `http://127.0.0.1:${port}`;
  const tokenUrl = `${endpoint}/token`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = request;
    const url = new URL(request.url ?? '', endpoint);
    asked.push({ method, url, authorization: headers.authorization });
    await style.harm?.(request, response, double);
    if (response.writableEnded || response.headersSent || response.destroyed) return;
    if (url.pathname === '/token') return giveToken(await text(request), response);
    if (!tokens.has(headers.authorization?.replace('Bearer ', '') ?? '')) return refuse(response, 401, 'authError');
    if (url.searchParams.get('supportsAllDrives') !== 'true' && shared === true)
      return refuse(response, 404, 'notFound');
    if (url.pathname === '/drive/v3/files' && method === 'GET') return sendPage(url, response);
    if (url.pathname === '/drive/v3/files') {
      const body = JSON.parse(await text(request)) as Pick<DriveItem, 'name' | 'mimeType' | 'parents'>;
      return send(response, { id: add(body).id });
    }
    const [, id = '', what] = /^\/drive\/v3\/files\/([\w-]+)(\/export)?$/u.exec(url.pathname) ?? [];
    const item = items.get(id);
    if (item === undefined) return refuse(response, 404, 'notFound');
    if (method === 'PATCH') return change(item, url, JSON.parse(await text(request)) as Partial<DriveItem>, response);
    if (what !== undefined)
      return void response.writeHead(200).end(`${url.searchParams.get('mimeType')} of ${item.name}`);
    if (url.searchParams.get('alt') === 'media') return sendBytes(item, request, response);
    send(response, shown(item));
  }

  function giveToken(form: string, response: ServerResponse): void {
    const given = new URLSearchParams(form);
    const refusal = (error: string, description: string) =>
      send(response, { error, error_description: description }, error === 'unauthorized_client' ? 401 : 400);
    if (given.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
      return refusal('unsupported_grant_type', '');
    const [header = '', claims = '', signature = ''] = (given.get('assertion') ?? '').split('.');
    const said = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, string | number>;
    if (said['iss'] !== EMAIL) return refusal('invalid_grant', 'Invalid grant: account not found');
    const key = createPublicKey(pair.publicKey);
    if (!verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))) {
      return refusal('invalid_grant', 'Invalid JWT Signature.');
    }
    if (said['sub'] === 'nobody@shop.example') return refusal('unauthorized_client', 'Client is unauthorized.');
    const isFit = said['aud'] === tokenUrl && Number(said['exp']) - Number(said['iat']) <= 3600;
    if (!isFit || !String(said['scope']).startsWith('https://www.googleapis.com/auth/drive')) {
      return refusal('invalid_scope', 'Invalid OAuth scope.');
    }
    const token = `ya29.${randomBytes(8).toString('hex')}`;
    tokens.add(token);
    send(response, { access_token: token, expires_in: style.lasts ?? 3599, token_type: 'Bearer' });
  }

  function sendPage({ searchParams: query }: URL, response: ServerResponse): void {
    const [, parent, name] =
      /^'((?:[^'\\]|\\.)*)' in parents(?: and name = '((?:[^'\\]|\\.)*)')? and trashed = false$/su.exec(
        query.get('q') ?? '',
      ) ?? [];
    if (parent === undefined) return refuse(response, 400, 'invalid');
    const isAsked = query.get('includeItemsFromAllDrives') === 'true' && query.get('driveId') === driveId;
    if (shared === true && (!isAsked || query.get('corpora') !== 'drive')) return send(response, { files: [] });
    const first = Number(query.get('pageToken') ?? 0);
    const all = inside(parent.replaceAll(/\\(.)/gsu, '$1'), name?.replaceAll(/\\(.)/gsu, '$1'));
    const token = first + page < all.length ? { nextPageToken: String(first + page) } : {};
    send(response, { files: all.slice(first, first + page).map(shown), ...token });
  }

  function change(
    item: DriveItem,
    { searchParams: query }: URL,
    given: Partial<DriveItem>,
    response: ServerResponse,
  ): void {
    const added = query.get('addParents');
    const parents = item.parents.filter((parent) => parent !== query.get('removeParents'));
    Object.assign(item, given, {
      version: item.version + 1,
      parents: added === null ? item.parents : [...parents, added],
    });
    send(response, shown(item));
  }

  function sendBytes({ bytes }: DriveItem, { headers }: IncomingMessage, response: ServerResponse): void {
    if (bytes === undefined) return refuse(response, 403, 'fileNotDownloadable');
    const [, first] = /^bytes=(\d+)-$/u.exec(headers.range ?? '') ?? [];
    const from = Number(first ?? 0);
    if (first !== undefined && from >= bytes.length) return void response.writeHead(416).end();
    const range = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
    response.writeHead(first === undefined ? 200 : 206, {
      'content-length': bytes.length - from,
      ...(first === undefined ? {} : range),
    });
    response.end(bytes.subarray(from));
  }

  function shown(item: DriveItem): object {
    const { bytes, target, at, revision, ...facts } = item;
    const says = (fact: NonNullable<DriveStyle['lacks']>[number]) => !lacks.includes(fact);
    return {
      kind: 'drive#file',
      ...facts,
      version: String(facts.version),
      modifiedTime: at.toISOString(),
      parents: says('parents') ? facts.parents : undefined,
      ...(bytes === undefined
        ? {}
        : {
            size: String(bytes.length),
            md5Checksum: says('md5Checksum') ? createHash('md5').update(bytes).digest('hex') : undefined,
            headRevisionId: says('headRevisionId') ? `0B${item.id}${revision}` : undefined,
          }),
      ...(target === undefined
        ? {}
        : { shortcutDetails: { targetId: target, targetMimeType: items.get(target)?.mimeType ?? 'text/csv' } }),
    };
  }

  const find: DriveDouble['find'] = (name) => inside(folder.id).find((item) => item.name === name);
  const publish: DriveDouble['publish'] = async (name, bytes, second) => {
    const there = find(name);
    const content = { bytes: Buffer.from(bytes), at: next(second) };
    if (there === undefined) add({ name, parents: [folder.id], ...content });
    else Object.assign(there, content, { revision: there.revision + 1, version: there.version + 1 });
  };
  const pathOf = ({ name, parents }: DriveItem): string => {
    const parent = items.get(parents[0] ?? '');
    return parent === undefined || parent === folder ? name : `${pathOf(parent)}/${name}`;
  };
  const double: DriveDouble = {
    source: {
      type: 'drive',
      folderId: folder.id,
      sheets: 'xlsx',
      auth: { type: 'serviceAccount', key: secret(accountKey(tokenUrl)) },
      endpoint,
      pattern: '*',
      settle: 5000,
      after: 'keep',
      moveTo: 'taken',
      timeout: 10_000,
      deadline: 60_000,
      allowHosts: [],
    },
    folder,
    items,
    add,
    find,
    asked,
    forget: () => tokens.clear(),
    publish,
    append: async (name, bytes) =>
      publish(name, Buffer.concat([find(name)?.bytes ?? Buffer.alloc(0), Buffer.from(bytes)])),
    published: async () =>
      Object.fromEntries(
        [...items.values()].flatMap((item) =>
          item.bytes === undefined || item.trashed ? [] : [[pathOf(item), item.bytes]],
        ),
      ),
    stop,
    restart,
  };
  return double;
}

function newId(): string {
  return `1${randomBytes(16).toString('base64url')}`;
}

/** Times have milliseconds, and a supplier does not deliver twice in one second. */
function next(second?: number): Date {
  newest += 1;
  return new Date((second ?? newest) * 1000);
}

function send(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(value));
}

/** A refusal as Google words it. */
export function refuse(
  response: ServerResponse,
  status: number,
  reason: string,
  headers: Record<string, string> = {},
): void {
  const error = { code: status, message: 'It is said in more words here.', errors: [{ domain: 'global', reason }] };
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error }));
}

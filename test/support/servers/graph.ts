import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { secret } from '../../../src/config/secrets/secret.ts';
import type { GraphSource } from '../../../src/config/schema/sources/graph.ts';
import { type Drive, type Item, newDrive } from './graph-drives.ts';
import { onLoopback } from './on-loopback.ts';

/** What a service is like, and how it harms those who ask. */
export type GraphStyle = {
  /** Items of a page, whatever is asked for. */
  page: number;
  lacks?: ('cTag' | 'eTag' | 'time')[];
  /** How much larger or smaller a file is told than it is. */
  sizesOffBy?: number;
  /** Where the bytes are; by default on the host that was asked. */
  contentAt?: string;
  /** How long a token lasts, in seconds. */
  lasts?: number;
  /** Answers in place of the service; what it leaves open is answered as usual. */
  harm?: (request: IncomingMessage, response: ServerResponse, drive: Drive) => unknown;
};

export type GraphDouble = {
  source: GraphSource;
  /** The library of the site that the source names. */
  drive: Drive;
  /** Of another user. */
  other: Drive;
  folder: Item;
  /** Every request that came, with its credentials. */
  asked: { method: string; path: string; authorization: string | undefined }[];
  /** Takes back all tokens. */
  forget: () => void;
  publish: (name: string, bytes: Buffer | string, second?: number) => Promise<void>;
  append: (name: string, bytes: Buffer | string) => Promise<void>;
  /** Takes a file away and puts another one there. */
  replace: (name: string, bytes: Buffer | string) => Promise<void>;
  published: () => Promise<Record<string, Buffer>>;
  stop: () => Promise<void>;
  restart: () => Promise<void>;
};

const TENANT = 'shop.onmicrosoft.com';
const CLIENT = { id: '535fb089-9ff3-47b6-9bfb-4f1264799865', secret: 'qWgdYAmab0YSkuL1qKv5bPX' };
const SITE = 'shop.sharepoint.com,2C712604-1370-44E7-A1F5-426573FDA80A,2D2244C3-251A-49EA-93A8-39E1C3A060FE';

/**
 * Starts a double of Microsoft Graph and of the login that gives its tokens, written from their public descriptions: one site with
 * two libraries, and one user.
 */
export async function startGraph(style: GraphStyle = { page: 200 }): Promise<GraphDouble> {
  const [drive, archive, other] = [newDrive('Documents'), newDrive('Archive'), newDrive('OneDrive')];
  const drives = new Map([drive, archive, other].map((one) => [one.id, one]));
  const folder = drive.makeFolder('Lists/north');
  const tokens = new Set<string>();
  const asked: GraphDouble['asked'] = [];
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  const { port, stop, restart } = await onLoopback(server);
  const endpoint = `http://127.0.0.1:${port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '', headers } = request;
    const at = new URL(url, endpoint);
    const path = decodeURIComponent(at.pathname);
    asked.push({ method, path, authorization: headers.authorization });
    await style.harm?.(request, response, drive);
    if (response.writableEnded || response.headersSent || response.destroyed) return;
    if (path.endsWith('/oauth2/v2.0/token')) return giveToken(path, await text(request), response);
    if (path.startsWith('/download/')) return sendBytes(path.slice('/download/'.length), request, response);
    if (!tokens.has(headers.authorization?.replace('Bearer ', '') ?? '')) {
      return refuse(response, 401, 'InvalidAuthenticationToken');
    }
    const there = /^\/v1\.0(\/.*)$/su.exec(path)?.[1] ?? '';
    const [, id = '', from, named, what] =
      /^\/drives\/([^/]+)\/(?:root|items\/([^/:]+))(?::\/(.*?))?(?:\/(children|content))?$/su.exec(there) ?? [];
    const held = drives.get(id);
    if (id !== '' && held === undefined) return refuse(response, 400, 'invalidRequest');
    if (held === undefined) return place(there, response);
    const item = held.at(named ?? '', from);
    if (item === undefined) return refuse(response, 404, 'itemNotFound');
    await ofItem({ request, response, at }, held, item, what);
  }

  function giveToken(path: string, form: string, response: ServerResponse): void {
    const given = new URLSearchParams(form);
    const refusal = (error: string, description: string) =>
      void response.writeHead(401, JSON_TYPE).end(JSON.stringify({ error, error_description: description }));
    if (path !== `/${TENANT}/oauth2/v2.0/token`) return refusal('invalid_request', 'AADSTS90002: Tenant not found.');
    if (given.get('client_id') !== CLIENT.id)
      return refusal('unauthorized_client', 'AADSTS700016: No such application.');
    if (given.get('client_secret') !== CLIENT.secret) {
      return refusal('invalid_client', 'AADSTS7000215: Invalid client secret provided.');
    }
    const isFit = given.get('grant_type') === 'client_credentials' && given.get('scope')?.endsWith('/.default');
    if (isFit !== true) return refusal('invalid_scope', 'AADSTS70011: The provided scope is not valid.');
    const token = `eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.${tokens.size}.c2lnbmF0dXJl`;
    tokens.add(token);
    const answered = { token_type: 'Bearer', expires_in: style.lasts ?? 3599, access_token: token };
    response.writeHead(200, JSON_TYPE).end(JSON.stringify(answered));
  }

  /** Sites by their addresses and ids, and users. */
  function place(path: string, response: ServerResponse): void {
    const ofSite = `/sites/${SITE}`;
    if (path === '/sites/shop.sharepoint.com:/sites/suppliers') return send(response, { id: SITE });
    if (path === `${ofSite}/drive`) return send(response, shownDrive(drive));
    if (path === `${ofSite}/drives`) return send(response, { value: [drive, archive].map(shownDrive) });
    if (path === '/users/buyer@shop.example/drive') return send(response, shownDrive(other));
    refuse(response, 404, 'itemNotFound');
  }

  async function ofItem({ request, response, at }: Call, held: Drive, item: Item, what?: string): Promise<void> {
    const { method, headers } = request;
    const expected = headers['if-match'];
    const isOther = expected !== undefined && ![tagOf(item), contentTagOf(item)].includes(expected);
    if (method === 'GET' && what === 'children') return sendPage({ request, response, at }, held, item);
    if (method === 'GET' && what === 'content') {
      const host = style.contentAt ?? `http://${headers.host}`;
      return void response
        .writeHead(302, { location: `${host}/download/${item.id}?tempauth=v1.${item.version}` })
        .end();
    }
    if (method === 'GET') return send(response, shown(held, item));
    if (isOther) return refuse(response, 412, 'resourceModified');
    if (method === 'DELETE') {
      held.items.delete(item.id);
      return void response.writeHead(204).end();
    }
    const body = JSON.parse(await text(request)) as { name: string; parentReference?: { id: string } };
    if (method === 'POST') {
      if (held.at(body.name, item.id) !== undefined) return refuse(response, 409, 'nameAlreadyExists');
      return send(response, shown(held, held.add({ name: body.name, parent: item.id })), 201);
    }
    const parent = body.parentReference?.id ?? item.parent;
    if (parent === null || held.at(body.name, parent) !== undefined) return refuse(response, 409, 'nameAlreadyExists');
    Object.assign(item, { name: body.name, parent, version: item.version + 1 });
    send(response, shown(held, item));
  }

  function sendPage({ request, response, at }: Call, held: Drive, folderItem: Item): void {
    const first = Number(at.searchParams.get('$skiptoken') ?? 0);
    const all = held.children(folderItem.id);
    const next = first + style.page;
    at.searchParams.set('$skiptoken', String(next));
    const link =
      next < all.length ? { '@odata.nextLink': `http://${request.headers.host}${at.pathname}${at.search}` } : {};
    send(response, { value: all.slice(first, next).map((item) => shown(held, item)), ...link });
  }

  function sendBytes(id: string, { headers }: IncomingMessage, response: ServerResponse): void {
    const bytes = [...drives.values()].map(({ items }) => items.get(id)).find((item) => item !== undefined)?.bytes;
    if (headers.authorization !== undefined) return void response.writeHead(400).end('no token belongs here');
    if (bytes === undefined) return void response.writeHead(404).end();
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

  function shown(held: Drive, item: Item): object {
    const { bytes, remote, name, id, at, facets } = item;
    const has = (fact: 'cTag' | 'eTag' | 'time') => style.lacks?.includes(fact) !== true;
    return {
      id,
      name,
      size: (bytes?.length ?? 0) + (bytes === undefined ? 0 : (style.sizesOffBy ?? 0)),
      ...(has('time') ? { lastModifiedDateTime: at.toISOString().replace('.000Z', 'Z') } : {}),
      ...(has('eTag') ? { eTag: tagOf(item) } : {}),
      ...(has('cTag') && bytes !== undefined ? { cTag: contentTagOf(item) } : {}),
      parentReference: { driveId: held.id, id: item.parent },
      ...(bytes === undefined ? {} : { file: { mimeType: 'text/csv' } }),
      ...(bytes === undefined && remote === undefined && facets === undefined
        ? { folder: { childCount: held.children(id).length } }
        : {}),
      ...(remote === undefined
        ? {}
        : { remoteItem: { id: remote.id, parentReference: { driveId: remote.drive }, file: {} } }),
      ...facets,
    };
  }

  const publish: GraphDouble['publish'] = async (name, bytes, second) =>
    void drive.put(folder, name, Buffer.from(bytes), second);
  return {
    source: {
      type: 'graph',
      site: 'https://shop.sharepoint.com/sites/suppliers',
      path: 'Lists/north',
      auth: {
        type: 'app',
        tenant: TENANT,
        clientId: CLIENT.id,
        clientSecret: secret(CLIENT.secret),
        loginUrl: endpoint,
      },
      endpoint,
      pattern: '*',
      settle: 5000,
      after: 'keep',
      moveTo: 'taken',
      timeout: 10_000,
      deadline: 60_000,
      allowHosts: [],
    },
    drive,
    other,
    folder,
    asked,
    forget: () => tokens.clear(),
    publish,
    append: async (name, bytes) =>
      publish(name, Buffer.concat([drive.at(name, folder.id)?.bytes ?? Buffer.alloc(0), Buffer.from(bytes)])),
    replace: async (name, bytes) => {
      const there = drive.at(name, folder.id);
      if (there !== undefined) drive.items.delete(there.id);
      await publish(name, bytes);
    },
    published: async () =>
      Object.fromEntries(
        [...drive.items.values()].flatMap((item) =>
          item.bytes === undefined ? [] : [[drive.pathOf(item).replace('Lists/north/', ''), item.bytes]],
        ),
      ),
    stop,
    restart,
  };
}

type Call = { request: IncomingMessage; response: ServerResponse; at: URL };

const JSON_TYPE = { 'content-type': 'application/json;odata.metadata=minimal;charset=utf-8' };

function shownDrive({ id, name }: Drive): object {
  return { id, name, driveType: 'documentLibrary' };
}

function tagOf({ id, version }: Item): string {
  return `"{${id}},${version}"`;
}

function contentTagOf({ id, contentVersion }: Item): string {
  return `"c:{${id}},${contentVersion}"`;
}

function send(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, JSON_TYPE).end(JSON.stringify(value));
}

function refuse(response: ServerResponse, status: number, code: string): void {
  send(response, { error: { code, message: 'It is said in more words here.' } }, status);
}

import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { tempFolder } from '../temp-folder.ts';
import { type Shown, treeOf } from './folder-tree.ts';
import { onLoopback } from './on-loopback.ts';

/** What a web server of files is like: its page of links, and what it says of a file. */
export type WebStyle = {
  /** The line of a file on the page, by its escaped address and its name as the page has it. */
  line: (address: string, name: string, file: Shown) => string;
  lacks: ('HEAD' | 'Last-Modified' | 'Content-Length' | 'ranges' | 'ETag')[];
};

type Site = { page: string; folder: string; stop: () => Promise<void>; restart: () => Promise<void> };

const ROOT = '/out';

/** Starts a web server of a given style that serves a folder of its own, with a page of links to its files. */
export async function startFolderWeb(style: WebStyle): Promise<Site> {
  const folder = tempFolder();
  const tree = treeOf(folder, ROOT);
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  const { port, ...ends } = await onLoopback(server);
  return { page: `http://127.0.0.1:${port}${ROOT}/`, folder, ...ends };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://web').pathname);
    if (style.lacks.includes('HEAD') && request.method === 'HEAD') return void response.writeHead(405).end();
    const entries = path.endsWith('/') ? await tree.entries(path) : undefined;
    if (entries !== undefined) {
      const files = entries.filter(({ kind, name }) => kind === 'file' && !name.startsWith('.'));
      return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(files, style));
    }
    const file = await tree.file(path);
    if (file === undefined) return void response.writeHead(404).end();
    await send(file, request, response);
  }

  async function send(
    { path, size, at }: Shown & { path: string },
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    const [, first] = /^bytes=(\d+)-$/u.exec(request.headers.range ?? '') ?? [];
    const tag = `"${size.toString(16)}-${at.getTime().toString(16)}"`;
    const isSame = [undefined, tag, at.toUTCString()].includes(request.headers['if-range'] as string | undefined);
    const from = first === undefined || style.lacks.includes('ranges') || !isSame ? 0 : Number(first);
    if (from > 0 && from >= size) return void response.writeHead(416).end();
    const says = (name: WebStyle['lacks'][number]) => !style.lacks.includes(name);
    response.writeHead(from === 0 ? 200 : 206, {
      ...(says('Content-Length') ? { 'content-length': size - from } : {}),
      ...(says('Last-Modified') ? { 'last-modified': at.toUTCString() } : {}),
      ...(says('ETag') ? { etag: tag } : {}),
      ...(says('ranges') ? { 'accept-ranges': 'bytes' } : {}),
      ...(from === 0 ? {} : { 'content-range': `bytes ${from}-${size - 1}/${size}` }),
    });
    if (request.method === 'HEAD') return void response.end();
    await pipeline(createReadStream(path, { start: from, end: Math.max(from, size - 1) }), response);
  }
}

function pageOf(files: Shown[], { line }: WebStyle): string {
  const lines = files.map((file) => line(encodeURIComponent(file.name), escaped(file.name), file));
  return `<html><head><title>Index of ${ROOT}</title></head><body><pre>\n${lines.join('\n')}\n</pre></body></html>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

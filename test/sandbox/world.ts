import { onTestFinished } from 'vitest';
import { startSandbox, type SandboxOptions } from '../../src/sandbox/server.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** 2026-01-01T00:00:00Z, in milliseconds. */
export const START = 1_767_225_600_000;
export const DAY = 86_400_000;

type Json = Record<string, unknown>;
export type Answer = { status: number; text: string; json: Json; headers: Headers };
type UploadOptions = {
  name?: string;
  query?: string;
  fields?: Record<string, string>;
  headers?: Record<string, string>;
};

/** A sandbox over HTTP whose clock stands still until the test advances it; uploads wait 100 ms and take 1000 ms. */
export async function startWorld(options: Partial<SandboxOptions> = {}) {
  const dataDir = options.dataDir ?? tempFolder();
  const clock = { time: START };
  const start = () =>
    startSandbox({ dataDir, pace: { queued: 100, processing: 1000 }, now: () => clock.time, ...options });
  let sandbox = await start();
  onTestFinished(() => sandbox.close());

  async function call(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(`${sandbox.url}${path}`, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return { status: response.status, text, json: isJson ? (JSON.parse(text) as Json) : {}, headers: response.headers };
  }

  /** Sends the file as multipart and answers with the reply. */
  function upload(
    content: string | Buffer,
    { name = 'offers.txt', query = '', fields = {}, headers = {} }: UploadOptions = {},
  ) {
    const body = new FormData();
    for (const [field, value] of Object.entries(fields)) body.append(field, value);
    body.append('offersFile', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name);
    return call(`/us2/public/offer/process${query}`, { method: 'POST', body, headers });
  }

  /** Uploads the file and lets it come to its end; answers with the record as the service then shows it. */
  async function uploaded(content: string | Buffer, options: UploadOptions = {}) {
    const reply = await upload(content, options);
    await finish();
    return record(idOf(reply), options.headers);
  }

  async function finish() {
    await sandbox.settled();
    clock.time += 1100;
  }

  async function record(id: string, headers: Record<string, string> = {}) {
    const { json } = await get('get', id, headers);
    return { ...json, id };
  }

  const get = (operation: string, id: string, headers: Record<string, string> = {}) =>
    call(`/us2/public/offer/${operation}?offerId=${id}`, { headers });

  return {
    dataDir,
    clock,
    call,
    get,
    record,
    upload,
    uploaded,
    finish,
    url: () => sandbox.url,
    settled: () => sandbox.settled(),
    /** Ends it, does something to its folder, and starts it again. */
    restart: async (between: () => unknown = () => {}) => {
      await sandbox.close();
      await between();
      sandbox = await start();
    },
    list: async (query = '', headers: Record<string, string> = {}) =>
      (await call(`/us2/public/offer/list${query}`, { headers })).json['data'] as Json[],
  };
}

export type World = Awaited<ReturnType<typeof startWorld>>;

/** The offer id of a reply, exactly as written: a JSON number would have lost digits. */
export function idOf({ text }: Answer): string {
  const id = /"id":(\d+)/.exec(text)?.[1];
  if (id === undefined) throw new Error(`No id in ${text}`);
  return id;
}

/** The text and the code of an error body. */
export function errorOf({ json }: Answer): { code: string; message: string } {
  return json['error'] as { code: string; message: string };
}

/** A small good offer file. */
export const GOOD =
  'brand\toem\tname\ttags\nBOSCH\t0 986 424 797\tBrake pads\tbrakes,front\nATE\t13.0460-2782.2\tPads\tbrakes\n';

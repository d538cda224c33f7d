import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { HttpSource } from '../../src/config/schema/source-schema.ts';
import { pullHttp } from '../../src/pull/http/pull-http.ts';
import { inTime } from '../../src/pull/in-time.ts';
import { pull } from '../../src/pull/pull.ts';
import { serve } from '../support/http-server.ts';
import { pullInput } from './pull-input.ts';

function http(url: string, deadline = 60_000): HttpSource {
  const defaults = { headers: {}, auth: { type: 'none' }, timeout: 60_000, maxRedirects: 5 } as const;
  return { type: 'http', url, deadline, allowHosts: [], ...defaults };
}

/** A server that sends a byte now and then, and never ends; `ended` when the client has gone. */
async function drip(every: number) {
  const ended = Promise.withResolvers<void>();
  const { url } = await serve((_, response) => {
    response.write('brand;oem\n');
    const timer = setInterval(() => response.write('1'), every);
    response.on('close', () => {
      clearInterval(timer);
      ended.resolve();
    });
  });
  return { url, ended: ended.promise };
}

test('a server that drips is given up at source.deadline, and its connection closed', async () => {
  const { url, ended } = await drip(5);
  const input = pullInput();
  await expect(pull(http(url, 200), input)).rejects.toMatchObject({
    code: 'pull-failed',
    retryable: false,
    message: `${url} took longer than 0.2 s (source.deadline); it will be asked again when the feed is next due.`,
  });
  await ended;
  expect(existsSync(input.target)).toBe(false);
});

test('a server that never answers is given up at source.deadline, whatever source.timeout allows', async () => {
  const { url } = await serve(() => undefined);
  await expect(pull(http(url, 200), pullInput())).rejects.toThrow('source.deadline');
});

test('a server that brings less than the least rate is given up, and asked again; one that brings it is not', async () => {
  const slow = await drip(5);
  const bounds = { place: 'the supplier', deadline: 60_000 };
  const tooSlow = { bytes: 1_000_000, window: 100 };
  const pulling = inTime({ ...bounds, source: http(slow.url), rate: tooSlow }, pullInput(), (input) =>
    pullHttp(http(slow.url), input),
  );
  await expect(pulling).rejects.toMatchObject({
    retryable: true,
    message: 'the supplier sent less than 1000000 bytes in 0.1 s; ask the supplier why it is so slow.',
  });
  await slow.ended;

  let windows = 0;
  const { url } = await serve((_, response) => {
    const timer = setInterval(() => {
      windows += 1;
      if (windows < 20) return void response.write('x'.repeat(1000));
      clearInterval(timer);
      response.end();
    }, 10);
  });
  const enough = { bytes: 1, window: 100 };
  const pulled = await inTime({ ...bounds, source: http(url), rate: enough }, pullInput(), (input) =>
    pullHttp(http(url), input),
  );
  expect(pulled).toMatchObject({ kind: 'file', bytes: 19_000 });
});

test('a file that comes within the first window may be small', async () => {
  const { url } = await serve((_, response) => void response.end('a;b'));
  expect(await pull(http(url), pullInput())).toMatchObject({ kind: 'file', bytes: 3 });
});

test('a folder that hangs, as a network drive may, holds nobody up, and is not asked again before it has answered', async () => {
  const source = {
    type: 'directory',
    path: '/mnt/away',
    pattern: '*',
    settle: 0,
    followLinks: false,
    after: 'keep',
    moveTo: 'taken',
    deadline: 50,
  } as const;
  const hangs = Promise.withResolvers<{ kind: 'nothing'; reason: string }>();
  const bounds = { source, place: source.path, deadline: source.deadline };
  const once = () => inTime(bounds, pullInput(), () => hangs.promise);
  await expect(once()).rejects.toThrow('/mnt/away took longer than 0.05 s (source.deadline)');
  await expect(once()).rejects.toThrow(
    '/mnt/away has still not answered an earlier pull; check whether a network drive hangs',
  );
  hangs.resolve({ kind: 'nothing', reason: 'no file' });
  await hangs.promise;
  expect(await once()).toEqual({ kind: 'nothing', reason: 'no file' });
});

test('a pull that hangs is let go when it is stopped from outside', async () => {
  const source = {
    type: 'directory',
    path: '/mnt/stopped',
    pattern: '*',
    settle: 0,
    followLinks: false,
    after: 'keep',
    moveTo: 'taken',
    deadline: 60_000,
  } as const;
  const stop = new AbortController();
  const pulling = inTime({ source, place: source.path, deadline: 60_000 }, pullInput({ signal: stop.signal }), () => {
    stop.abort();
    return new Promise(() => undefined);
  });
  await expect(pulling).rejects.toMatchObject({ code: 'interrupted' });
});

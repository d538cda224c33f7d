import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { openConsole, type Client } from '../support/console.ts';
import { until } from '../support/until.ts';

test('who has two files checked waits with a third, and nobody else does', async () => {
  const served = await openConsole({ feeds: { north: {} } });
  const [ops, viewer] = [await served.signIn('ops'), await served.signIn('viewer')];
  const slow: Socket[] = [];
  const refused = await until(async () => {
    // One that arrives beside a quick one finds no place either, and another takes its turn.
    slow.push(await sendSlowly(served.url, ops));
    const reply = await send(served.url, ops);
    const text = await reply.text();
    return reply.status === 409 ? text : undefined;
  });
  expect(refused).toContain('2 of your files are being checked already. Wait until one is done');
  expect((await send(served.url, viewer)).status).toBe(200);
  for (const socket of slow) socket.destroy();
  expect(await until(async () => ((await send(served.url, ops)).status === 200 ? true : undefined))).toBe(true);
});

function send(url: string, client: Client): Promise<Response> {
  const form = new FormData();
  form.set('file', new File(['brand;oem\nBOSCH;1\n'], 'a.csv'));
  return fetch(`${url}/check`, { method: 'POST', body: form, headers: { cookie: client.cookie(), origin: url } });
}

/** Sends the beginning of a file, and then nothing. */
async function sendSlowly(url: string, client: Client): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  atEnd(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    [
      `POST /check HTTP/1.1\r\nHost: ${host}\r\nCookie: ${client.cookie()}\r\nOrigin: ${url}\r\n`,
      'Content-Type: multipart/form-data; boundary=a\r\nContent-Length: 100000\r\n\r\n',
      '--a\r\nContent-Disposition: form-data; name="file"; filename="slow.csv"\r\n\r\nbrand;oem\r\n',
    ].join(''),
  );
  return socket;
}

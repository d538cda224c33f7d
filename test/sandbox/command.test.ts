import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { killAtEnd } from '../support/at-end.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { GOOD } from './world.ts';
import { MAIN } from '../support/started-program.ts';

/** Runs `offerline sandbox --port 0 --json` and waits until it serves. */
async function serve(data: string, args: string[] = []) {
  const child = spawn(process.execPath, [MAIN, 'sandbox', '--port', '0', '--data', data, '--json', ...args]);
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  killAtEnd(child);
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return { child, ended, ...(JSON.parse(line) as { url: string; data: string }) };
}

function run(args: string[], env: Record<string, string> = {}) {
  return spawnSync(process.execPath, [MAIN, 'sandbox', ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: 20_000,
  });
}

const list = async (url: string) => (await (await fetch(`${url}/us2/public/offer/list`)).json()) as { data: unknown[] };

test('it serves, survives kill -9 with what it accepted, and ends cleanly on SIGTERM', async () => {
  const data = join(tempFolder(), 'data');
  const first = await serve(data, ['--pace', '0s/1h']);
  expect(first.data).toBe(data);
  const reply = await fetch(`${first.url}/us2/public/offer/process?fileName=a.txt`, { method: 'POST', body: GOOD });
  expect(reply.status).toBe(200);
  const socket = connect(Number(new URL(first.url).port), '127.0.0.1').on('error', () => {});
  socket.write(
    'POST /us2/public/offer/process HTTP/1.1\r\nHost: x\r\nx-api-key: other\r\nContent-Length: 1000\r\n\r\nbrand',
  );
  await expect.poll(() => readdir(join(data, 'incoming'))).toHaveLength(1);
  first.child.kill('SIGKILL');
  await first.ended;

  const second = await serve(data);
  expect(await readdir(join(data, 'incoming'))).toEqual([]);
  expect(await list(second.url)).toMatchObject({ data: [{ sourceFile: 'a.txt', state: 'processing' }] });
  second.child.kill('SIGTERM');
  expect(await second.ended).toEqual([0, null]);
});

test('with --end-with-parent it ends when its standard input closes', async () => {
  const { child, ended } = await serve(tempFolder(), ['--end-with-parent']);
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
});

test('the settings file, YAML or JSON, decides who may enter', async () => {
  const folder = tempFolder();
  const settings = join(folder, 'settings.yaml');
  await writeFile(settings, 'logins:\n  - auth: { type: header, name: X-Shop, value: north }\n');
  const { url } = await serve(join(folder, 'data'), ['--settings', settings]);
  expect((await fetch(`${url}/us2/public/offer/list`)).status).toBe(401);
  expect((await fetch(`${url}/us2/public/offer/list`, { headers: { 'x-shop': 'north' } })).status).toBe(200);
});

test('the faults of a file act from the first call on, and the control endpoint is there when asked for', async () => {
  const faults = fileURLToPath(new URL('../../examples/faults.yaml', import.meta.url));
  const data = tempFolder();
  const { url } = await serve(data, ['--faults', faults, '--control']);
  const upload = () =>
    fetch(`${url}/us2/public/offer/process?fileName=offerline-main-x.txt`, { method: 'POST', body: GOOD });
  await expect(upload()).rejects.toThrow('fetch failed');
  expect((await list(url)).data).toMatchObject([{ errorFileExists: false }]);
  expect((await upload()).status).toBe(503);
  const uploads = (await (await fetch(`${url}/control/uploads`)).json()) as { uploads: unknown[] };
  expect(uploads).toMatchObject({ uploads: [{ outcome: 'accepted' }, { outcome: 'refused', status: 503 }] });
});

test('wrong faults are all named, and nothing starts', async () => {
  const folder = tempFolder();
  const file = join(folder, 'faults.yaml');
  await writeFile(file, 'faults:\n  - fault: stuk\n  - { fault: slow, for: soon, nth: 0, often: 1 }\n');
  const wrong = run(['--faults', file, '--data', join(folder, 'data'), '--port', '0']);
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toContain(`The faults in ${file} are not valid:`);
  expect(wrong.stderr).toContain('faults.0.fault: expected one of lose-reply, hang, refuse');
  expect(wrong.stderr).toContain('faults.1.for: expected a duration such as 250ms, 5s, 15m, 2h or 14d');
  expect(wrong.stderr).toContain('faults.1.nth: expected a whole number from 1');
  expect(wrong.stderr).toContain('faults.1: Unrecognized key: "often"');
  for (const [text, said] of [
    ['', 'expected faults: and a list of them'],
    ['faults: 1', 'faults: expected a list of faults'],
    ['faults: [', 'Cannot read the sandbox faults'],
  ] as const) {
    await writeFile(file, text);
    expect(run(['--faults', file, '--data', join(folder, 'data'), '--port', '0']).stderr).toContain(said);
  }
});

test('a taken port is said plainly', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  onTestFinished(() => void blocker.close());
  const { port } = blocker.address() as AddressInfo;
  const { status, stderr, stdout } = run(['--port', String(port), '--data', tempFolder()]);
  expect(stderr).toBe(
    `Port ${port} on 127.0.0.1 is in use. Choose another with --port, or use --port 0 for a free one.\n`,
  );
  expect([status, stdout]).toEqual([2, '']);
});

test('wrong arguments and settings name what is wrong', async () => {
  const folder = tempFolder();
  const settings = join(folder, 'settings.json');
  await writeFile(settings, '{"fileFeld": "x", "limits": {"tags": -1}}');
  const wrong = run(['--settings', settings, '--data', folder]);
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toContain('limits.tags:');
  expect(wrong.stderr).toContain('fileFeld');
  for (const args of [
    ['--port', 'x'],
    ['--port', '70000'],
    ['--pace', 'fast'],
    ['--settings', join(folder, 'absent')],
  ]) {
    const result = run([...args, '--data', folder]);
    expect(result.status).toBe(2);
    expect(result.stderr).not.toContain('    at ');
  }
});

test('its data are in OFFERLINE_HOME unless it is told where', async () => {
  const home = tempFolder();
  const child = spawn(process.execPath, [MAIN, 'sandbox', '--port', '0'], {
    env: { ...process.env, OFFERLINE_HOME: home },
  });
  killAtEnd(child);
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  expect(line).toMatch(/^The sandbox is running at http:\/\/127\.0\.0\.1:\d+; its data is in /);
  expect(line.trimEnd().endsWith(join(home, 'sandbox'))).toBe(true);
});

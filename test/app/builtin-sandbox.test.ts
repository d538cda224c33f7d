import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startChild, type Child } from '../support/child.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const CHILD = join(import.meta.dirname, 'sandbox-user-child.ts');

async function startUsers(home: string, count: number, args: string[] = []): Promise<Child[]> {
  const children = Array.from({ length: count }, () => startChild(CHILD, [home, ...args]));
  for (const child of children) expect(await child.line()).toBe('ready');
  return children;
}

async function addressesOf(users: Child[]): Promise<string[]> {
  for (const user of users) user.send('start');
  return Promise.all(users.map((user) => user.line()));
}

async function isUp(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}

test('processes that start at once share one sandbox, which ends with the process that started it', async () => {
  const home = tempFolder();
  const users = await startUsers(home, 4);
  const addresses = await addressesOf(users);
  const [url = ''] = addresses;
  expect(new Set(addresses)).toEqual(new Set([readFileSync(join(home, 'sandbox', 'address'), 'utf8')]));
  expect(await isUp(url)).toBe(true);
  for (const user of users) user.send('close');
  expect(await Promise.all(users.map((user) => user.line()))).toEqual(users.map(() => 'closed'));
  expect(await isUp(url)).toBe(false);
});

test('a process that is killed while it starts the sandbox leaves no lock behind', async () => {
  const home = tempFolder();
  const module = join(home, 'hang.mjs');
  const hanging = join(home, 'hanging');
  // Loaded before the sandbox, which therefore never answers; it ends with its parent, as the sandbox does.
  writeFileSync(
    module,
    `import { writeFileSync } from 'node:fs';
     process.stdin.once('end', () => process.exit()).resume();
     writeFileSync(${JSON.stringify(hanging)}, '');
     await new Promise(() => {});`,
  );
  const [starter] = await startUsers(home, 1, [module]);
  starter?.send('start');
  await until(() => existsSync(hanging) || undefined);
  const waiting = await startUsers(home, 2);
  const addresses = addressesOf(waiting);
  await starter?.kill('SIGKILL');
  const [one, other] = await addresses;
  expect(one).toBe(other);
  expect(await isUp(one ?? '')).toBe(true);
});

test('a sandbox whose starter was killed is replaced by another process', async () => {
  const home = tempFolder();
  const [starter, heir] = (await startUsers(home, 2)) as [Child, Child];
  const [first] = await addressesOf([starter]);
  await starter.kill('SIGKILL');
  await until(async () => ((await isUp(first ?? '')) ? undefined : true));
  const [second] = await addressesOf([heir]);
  expect(await isUp(second ?? '')).toBe(true);
});

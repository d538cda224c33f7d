import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HOOK_SECRET } from '../../../support/hook-receiver.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { load, problemsOf } from '../../config-file.ts';

const OTHER = `whsec_${Buffer.alloc(24, 'o').toString('base64')}`;
const GOOD = { url: 'https://ops.example.com/in', secret: HOOK_SECRET };

function written(hooks: object): string {
  const feeds = { north: { login: 'main', source: { type: 'directory', path: '.' } } };
  return JSON.stringify({ logins: { main: {} }, feeds, hooks });
}

/** What is wrong with a hook that is good but for these settings. */
async function wrongWith(settings: object, env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const problems = await problemsOf(written({ ops: { ...GOOD, ...settings } }), env);
  return problems.map((problem) => problem.replace(/^\S+ /u, ''));
}

test('addresses and secrets come from the environment and from files, and are never shown', async () => {
  const file = join(tempFolder(), 'secret');
  writeFileSync(file, `${OTHER}\n`);
  const text = written({ ops: { url: '${OPS_URL}', secret: [HOOK_SECRET, { file }] } });
  const { config } = await load(text, { OPS_URL: GOOD.url });
  const { url, secret } = config.hooks['ops']!;
  expect(url.reveal()).toBe(GOOD.url);
  expect([secret ?? []].flat().map((one) => one.reveal())).toEqual([HOOK_SECRET, OTHER]);
  expect(JSON.stringify(config.hooks)).not.toMatch(/whsec|example/);
});

test.each([
  [{ url: 'ops.example.com' }, 'hooks.ops.url expected an address that starts with https://'],
  [{ url: 'https://me:pass@ops.example.com' }, 'hooks.ops.url the address contains a user and password; remove them'],
  [{ url: 'http://ops.example.com' }, 'hooks.ops.url what is sent would travel unencrypted'],
  [{ url: 'https://10.0.0.7' }, 'hooks.ops.url 10.0.0.7 is not on the public internet'],
  [{ url: 'https://[::1]/in' }, 'hooks.ops.url ::1 is not on the public internet'],
  [{ secret: undefined }, 'hooks.ops.secret is missing: without it receivers cannot tell who sent a message'],
  [{ secret: 'whsec_c2hvcnQ=' }, 'hooks.ops.secret is not whsec_ with the base64 of 24 to 64 random bytes'],
  [{ secret: [HOOK_SECRET, 'x'] }, 'hooks.ops.secret[1] is not whsec_'],
  [{ secret: [HOOK_SECRET, OTHER, OTHER] }, 'hooks.ops.secret'],
  [{ events: ['run.begun'] }, 'hooks.ops.events[0]'],
  [
    { format: 'slack', events: ['run.ended', 'dataset.live'] },
    'hooks.ops.events[1] a hook of format slack cannot be told of dataset.live; remove it, or write format: json',
  ],
  [{ format: 'alertmanager', events: ['run.ended'] }, 'hooks.ops.events[0] a hook of format alertmanager'],
  [{ format: 'xml' }, 'hooks.ops.format'],
  [{ feeds: ['nroth'] }, 'hooks.ops.feeds[0] there is no "nroth" in feeds; did you mean "north"?'],
  [{ timeout: '5' }, 'hooks.ops.timeout'],
])('%j is refused', async (settings, problem) => {
  const problems = await wrongWith(settings);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(problem);
  expect(problems[0]).not.toContain(HOOK_SECRET);
});

test('chats and an Alertmanager need no secret', async () => {
  for (const format of ['slack', 'teams', 'mattermost', 'alertmanager'])
    expect(await wrongWith({ format, secret: undefined })).toEqual([]);
});

test('a host that is listed may be anywhere', async () => {
  expect(await wrongWith({ url: 'http://shop.internal:8080/in', allowHosts: ['shop.internal'] })).toEqual([]);
  expect(await wrongWith({ url: 'http://[::1]:8080/in', allowHosts: ['[::1]'] })).toEqual([]);
});

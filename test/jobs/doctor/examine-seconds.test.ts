import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { addToken } from '../../../src/access/tokens.ts';
import { examineSeconds } from '../../../src/jobs/doctor/examine-seconds.ts';
import { updateUser } from '../../../src/ledger/access/users.ts';
import { install } from '../../support/installation.ts';
import { by, secondWorld } from '../decisions/second/second-world.ts';

/** What is said of decisions for which there is no second person. */
async function said(world: Awaited<ReturnType<typeof secondWorld>>): Promise<string[]> {
  return (await examineSeconds(world.ctx)).map(({ detail }) => detail);
}

const about = (what: string, who: string) =>
  `warning: a second person has to agree to ${what}, and in the console ${who} may: add a user with \`offerline user add\``;

test('it is said that nobody, or only one, may decide what needs two', async () => {
  const world = await secondWorld();
  const { ctx, db, user } = world;
  expect(await said(world)).toEqual([about('approvals of north', 'nobody'), about('rollbacks of main', 'nobody')]);
  await user('anna');
  await user('vera', 'viewer');
  const alone = [about('approvals of north', 'only anna'), about('rollbacks of main', 'only anna')];
  expect(await said(world)).toEqual(alone);
  // A token of hers is her.
  await addToken({ name: 'erp', role: 'ops', feeds: null, ends: null }, by('anna'), ctx);
  expect(await said(world)).toEqual(alone);
  await user('bernd', 'manager');
  await updateUser(db, 'bernd', { email: 'boss@example.com' });
  expect(await said(world)).toEqual([about('rollbacks of main', 'only anna')]);
  await user('carl');
  expect(await said(world)).toEqual([]);
  await updateUser(db, 'carl', { disabled_at: 1 });
  await addToken({ name: 'shop', role: 'ops', feeds: null, ends: null }, { ...by('deploy'), via: 'cli' }, ctx);
  expect(await said(world)).toEqual([]);
});

test('nothing is said where one person is enough', async () => {
  expect(await said(await secondWorld({}))).toEqual([]);
});

test('who cannot sign in any more, or has lost every role, is no second person', async () => {
  const world = await secondWorld();
  const { ctx, db, user } = world;
  for (const name of ['anna', 'bernd', 'carl']) await user(name);
  await updateUser(db, 'carl', { role_lost_at: 1 });
  expect(await said(world)).toEqual([]);
  const alone = [about('approvals of north', 'only anna'), about('rollbacks of main', 'only anna')];
  for (const subject of ['proxy bernd', 'https://login.example.com 7']) {
    await updateUser(db, 'bernd', { subject });
    expect(await said(world)).toEqual(alone);
  }
  const proxy = {
    header: 'X-Forwarded-User',
    from: ['127.0.0.1'],
    role: 'ops',
    groupsSeparator: ',',
    localUsers: true,
  } as const;
  const withProxy = {
    ...ctx,
    config: { ...ctx.config, web: { ...ctx.config.web, proxy: { ...proxy, from: ['127.0.0.1'] } } },
  };
  await updateUser(db, 'bernd', { subject: 'proxy bernd' });
  expect(await examineSeconds(withProxy)).toEqual([]);
});

test('a look that fails is a finding of its own', async () => {
  const shop = install({ feeds: { north: {} }, decisions: { approve: { second: true } } });
  await shop.offerline('doctor');
  const ledger = new DatabaseSync(join(shop.home, 'ledger.sqlite'), { timeout: 10_000 });
  ledger.exec('drop table tokens');
  ledger.close();
  const { stdout } = await shop.offerline('doctor', '--json');
  const { checks } = JSON.parse(stdout) as { checks: { check: string }[] };
  expect(checks.filter(({ check }) => check === 'decisions')).toEqual([
    { check: 'decisions', ok: false, detail: expect.stringContaining('tokens') as string },
  ]);
});

import { argon2Sync } from 'node:crypto';
import { TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { keepUser, loseRole } from '../../../src/access/oidc/keep-user.ts';
import { keepProxied, type ProxySettings } from '../../../src/access/proxy.ts';
import { secretHash } from '../../../src/access/secret.ts';
import { confirmCode, enrol, enrolAtSignIn, newFactor, resetFactor } from '../../../src/access/second-factor.ts';
import {
  createSession,
  endSession,
  openRefresh,
  pruneAccess,
  SESSION,
  sessionOf,
  stagedUser,
  touchSession,
} from '../../../src/access/sessions.ts';
import { confirmPassword, signIn } from '../../../src/access/sign-in.ts';
import { addToken, listTokens, revokeToken, rotateToken, tokenOf, touchToken } from '../../../src/access/tokens.ts';
import { addUser, disableUser, enableUser, listUsers, setPassword } from '../../../src/access/users.ts';
import { configSchema, type Config } from '../../../src/config/schema/schema.ts';
import { claimCheck, findSession, insertSession, sawSession } from '../../../src/ledger/access/sessions.ts';
import { findTokenById, replaceSecret } from '../../../src/ledger/access/tokens.ts';
import { changeUser, findUser, updateUser } from '../../../src/ledger/access/users.ts';
import { pruneRefusals } from '../../../src/ledger/alerts/audit.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { Role } from '../../../src/ledger/schema/schema.ts';
import type { Log } from '../../../src/log.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { openAt, type Engine } from './engine.ts';

const BY = { who: 'root', via: 'cli', origin: 'ops-1' } as const;
const PASSWORD = 'correct horse battery staple';

async function withUser(engine: Engine, changes: { name?: string; role?: Role } = {}) {
  const ledger = await openAt(await engine.place());
  await add(ledger, changes);
  return { ledger, ...memoryLog() };
}

function add(ledger: Ledger, { name = 'anna', role = 'ops' }: { name?: string; role?: Role } = {}): Promise<void> {
  return addUser({ name, role, email: null, language: null, password: PASSWORD }, BY, { ledger });
}

function configWith(proxy: ProxySettings): Config {
  const config = configSchema.parse({ logins: {}, feeds: {} });
  return { ...config, web: { ...config.web, proxy } } as unknown as Config;
}

async function begin(ledger: Ledger): Promise<string> {
  return createSession(ledger.db, { user: 'anna', address: null, now: await ledger.now() });
}

/** A hash of the password as a cheaper version might have made it. */
function cheapHash(): string {
  const nonce = Buffer.from('a salt of a test');
  const made = argon2Sync('argon2id', {
    message: PASSWORD,
    nonce,
    memory: 8192,
    passes: 1,
    parallelism: 1,
    tagLength: 32,
  });
  const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=8192,t=1,p=1$${base64(nonce)}$${base64(made)}`;
}

/** Users, sessions, tokens and sign-ins on every engine. */
export function accessConformance(engine: Engine): void {
  describe('users', () => {
    test('are added once, with a name and a password that can be used', async () => {
      const { ledger } = await withUser(engine);
      await expect(add(ledger)).rejects.toMatchObject({ code: 'conflict' });
      await expect(add(ledger, { name: 'a b' })).rejects.toThrow('is no name for a user');
      await expect(add(ledger, { name: 'bernd', role: 'manager' })).rejects.toThrow('--email');
      expect(await listUsers({ ledger })).toMatchObject([{ name: 'anna', role: 'ops', disabled_at: null }]);
      expect(JSON.stringify(await listUsers({ ledger }))).not.toContain('argon2');
    });

    test('keep an administrator, and lose their sessions when they are disabled or get another password', async () => {
      const { ledger } = await withUser(engine, { name: 'chief', role: 'admin' });
      await expect(disableUser('chief', BY, { ledger })).rejects.toThrow('chief is the last administrator');
      await add(ledger);
      const session = await begin(ledger);
      await setPassword({ name: 'anna', password: `${PASSWORD}!` }, BY, { ledger });
      expect(await sessionOf(session, { ledger })).toBeNull();
      const other = await begin(ledger);
      await disableUser('anna', BY, { ledger });
      await enableUser('anna', BY, { ledger });
      expect(await sessionOf(other, { ledger })).toBeNull();
      await expect(disableUser('nobody', BY, { ledger })).rejects.toMatchObject({ code: 'not-found' });
      await expect(enableUser('anna', BY, { ledger })).rejects.toMatchObject({ code: 'conflict' });
    });

    test('keep an administrator when two disable each other at once', async () => {
      const { ledger } = await withUser(engine, { name: 'chief', role: 'admin' });
      await add(ledger, { name: 'deputy', role: 'admin' });
      const done = await Promise.allSettled(['chief', 'deputy'].map((name) => disableUser(name, BY, { ledger })));
      expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect((await listUsers({ ledger })).filter(({ disabled_at }) => disabled_at === null)).toHaveLength(1);
    });

    test('are the same however the letters of their names are composed', async () => {
      const { ledger, log } = await withUser(engine, { name: 'j\u00fcrgen' });
      await expect(add(ledger, { name: 'ju\u0308rgen' })).rejects.toMatchObject({ code: 'conflict' });
      const typed = { name: ' ju\u0308rgen', password: PASSWORD, address: null, device: null };
      expect(await signIn(typed, { ledger, log })).toHaveProperty('session');
    });
  });

  describe('signing in', () => {
    const at = (address: string, name = 'anna', password = PASSWORD, device: string | null = null) => ({
      name,
      password,
      address,
      device,
    });

    test('gives a session to the right password, and one answer to everybody else', async () => {
      const { ledger, log, entries } = await withUser(engine);
      expect(await signIn(at('10.0.0.1'), { ledger, log })).toMatchObject({ session: expect.any(String) as string });
      const wrong = await signIn(at('10.0.0.1', 'anna', 'wrong wrong wrong'), { ledger, log });
      expect(await signIn(at('10.0.0.1', 'nobody', PASSWORD), { ledger, log })).toEqual(wrong);
      await add(ledger, { name: 'bernd' });
      await disableUser('bernd', BY, { ledger });
      expect(await signIn(at('10.0.0.1', 'bernd'), { ledger, log })).toEqual(wrong);
      expect(JSON.stringify(entries)).not.toMatch(/anna|correct horse/u);
    });

    test('is refused after a few failures, without a look at the password', async () => {
      const { ledger, log } = await withUser(engine);
      for (let tried = 0; tried < 5; tried += 1)
        await signIn(at('10.0.0.2', 'anna', 'wrong wrong wrong'), { ledger, log });
      expect(await signIn(at('10.0.0.2'), { ledger, log })).toMatchObject({ again: expect.any(Number) as number });
    });

    test('is not kept from a user by what others try from elsewhere', async () => {
      const { ledger, log } = await withUser(engine);
      await signIn(at('10.0.0.3'), { ledger, log });
      for (let tried = 0; tried < 60; tried += 1)
        await signIn(at(`10.9.0.${tried}`, 'anna', 'wrong wrong wrong'), { ledger, log });
      expect(await signIn(at('10.9.1.1'), { ledger, log })).toMatchObject({ again: expect.any(Number) as number });
      expect(await signIn(at('10.0.0.3'), { ledger, log })).toHaveProperty('session');
    });

    test('knows a browser again, wherever it is, which has its own failures and no others', async () => {
      const { ledger, log } = await withUser(engine);
      await add(ledger, { name: 'bernd' });
      const first = await signIn(at('10.0.0.4'), { ledger, log });
      const device = 'device' in first ? first.device : '';
      const both = await signIn(at('10.0.0.4', 'bernd', PASSWORD, device), { ledger, log });
      expect(both).toMatchObject({ device: expect.stringMatching(`^[\\w-]{43}\\.${device}$`) as string });
      const shared = 'device' in both ? both.device : '';
      for (let tried = 0; tried < 60; tried += 1)
        await signIn(at('10.9.2.1', 'anna', 'wrong wrong wrong'), { ledger, log });
      expect(await signIn(at('10.9.2.1'), { ledger, log })).toHaveProperty('refused');
      expect(await signIn(at('10.9.2.1', 'anna', PASSWORD, 'x'.repeat(43)), { ledger, log })).toHaveProperty('refused');
      expect(await signIn(at('10.9.2.1', 'anna', PASSWORD, shared), { ledger, log })).toMatchObject({
        device: expect.stringMatching(`^${device}\\.`) as string,
      });
      for (let tried = 0; tried < 5; tried += 1)
        await signIn(at('10.9.2.2', 'anna', 'wrong wrong wrong', device), { ledger, log });
      expect(await signIn(at('10.9.2.2', 'anna', PASSWORD, device), { ledger, log })).toMatchObject({
        again: expect.any(Number) as number,
      });
      expect(await signIn(at('10.9.2.2', 'bernd', PASSWORD, shared), { ledger, log })).toHaveProperty('session');
    });

    test('that is refused is in the audit, once an hour of a kind, and with no name that nobody has', async () => {
      const { ledger, log } = await withUser(engine);
      for (const name of ['anna', 'anna', 'hunter2'])
        await signIn(at('10.0.0.6', name, 'wrong wrong wrong'), { ledger, log });
      const rows = await ledger.db.selectFrom('audit').selectAll().where('action', '=', 'refuse').execute();
      expect(
        rows
          .map(({ who, subject, reason, origin }) => [who, subject, reason, origin])
          .toSorted((a, b) => String(a[0]).localeCompare(String(b[0]))),
      ).toEqual([
        ['(unknown)', 'sign-in', 'wrong name or password', '10.0.0.6'],
        ['anna', 'sign-in', 'wrong name or password', '10.0.0.6'],
      ]);
      await pruneRefusals(ledger.db, { before: 0, most: 1 });
      await pruneRefusals(ledger.db, { before: 0, most: 0 });
      const left = ledger.db.selectFrom('audit').select('who').where('action', '=', 'refuse');
      expect(await left.execute()).toEqual([]);
    });

    test('looks at a few passwords, however many are tried at once', async () => {
      const { ledger, log } = await withUser(engine);
      const tries = Array.from({ length: 40 }, () =>
        signIn(at('10.0.0.5', 'anna', 'wrong wrong wrong'), { ledger, log }),
      );
      const looked = (await Promise.all(tries)).filter((done) => 'refused' in done && done.again === null);
      expect(looked).toHaveLength(5);
    });

    test('with a password that is changed meanwhile leaves no session', async () => {
      const { ledger, log } = await withUser(engine);
      for (let round = 0; round < 4; round += 1) {
        await setPassword({ name: 'anna', password: PASSWORD }, BY, { ledger });
        const change = setPassword({ name: 'anna', password: `${PASSWORD} ${round}` }, BY, { ledger });
        const [done] = await Promise.all([signIn(at(`10.0.1.${round}`), { ledger, log }), change]);
        const session = 'session' in done ? done.session : 'none';
        expect(await sessionOf(session, { ledger })).toBeNull();
      }
    });

    test('leaves nothing behind of those who wait', async () => {
      const { ledger, log } = await withUser(engine);
      for (let tried = 0; tried < 21; tried += 1)
        await signIn(at('10.0.0.7', `name${tried}`, 'wrong wrong wrong'), { ledger, log });
      const count = async () => (await ledger.db.selectFrom('sign_ins').select('subject').execute()).length;
      const before = await count();
      expect(await signIn(at('10.0.0.7', 'another', PASSWORD), { ledger, log })).toMatchObject({
        again: expect.any(Number) as number,
      });
      expect(await count()).toBe(before);
    });

    test('limits guesses at the password of somebody who is signed in as well', async () => {
      const { ledger, log } = await withUser(engine);
      expect(await confirmPassword(at('10.0.0.6'), { ledger, log })).toBeNull();
      const guess = () => confirmPassword(at('10.0.0.6', 'anna', 'wrong wrong wrong'), { ledger, log });
      for (let tried = 0; tried < 5; tried += 1) expect(await guess()).toMatchObject({ again: null });
      expect(await guess()).toMatchObject({ again: expect.any(Number) as number });
    });

    test('renews a hash that was made at another cost', async () => {
      const { ledger, log } = await withUser(engine);
      await updateUser(ledger.db, 'anna', { password: cheapHash() });
      expect(await signIn(at('10.0.0.4'), { ledger, log })).toHaveProperty('session');
      expect((await findUser(ledger.db, 'anna'))?.password).toContain('$m=19456,t=2,p=1$');
      expect(await signIn(at('10.0.0.4'), { ledger, log })).toHaveProperty('session');
    });
  });

  describe('a session', () => {
    test('of a clock that was set back since does not last until it is as late as it was', async () => {
      const { ledger } = await withUser(engine);
      const [session, other] = await Promise.all([begin(ledger), begin(ledger)]);
      const later = (await ledger.now()) + SESSION.idle + 60_000;
      await sawSession(ledger.db, secretHash(session), { at: later, since: later });
      expect(await sessionOf(session, { ledger })).toBeNull();
      await sawSession(ledger.db, secretHash(other), { at: later - SESSION.idle, since: later });
      expect(await sessionOf(other, { ledger })).toMatchObject({ name: 'anna' });
    });

    test('ends when it is not used, after a week, and when it is ended', async () => {
      const { ledger } = await withUser(engine);
      const [idle, old, ended] = await Promise.all([1, 2, 3].map(() => begin(ledger)));
      expect(await sessionOf(idle!, { ledger })).toEqual({
        name: 'anna',
        role: 'ops',
        email: null,
        language: null,
        stale: false,
      });
      const now = await ledger.now();
      await sawSession(ledger.db, secretHash(idle!), { at: now - SESSION.idle, since: now });
      expect(await sessionOf(idle!, { ledger })).toBeNull();
      await endSession(ended!, { ledger });
      expect(await sessionOf(ended!, { ledger })).toBeNull();
      await sawSession(ledger.db, secretHash(old!), { at: now - 120_000, since: now });
      expect(await sessionOf(old!, { ledger })).toMatchObject({ stale: true });
      await touchSession(old!, { ledger });
      expect(await sessionOf(old!, { ledger })).toMatchObject({ stale: false });
      const week = {
        token_hash: secretHash('week'),
        user_name: 'anna',
        address: null,
        created_at: now - SESSION.whole,
        seen_at: now,
      };
      await insertSession(ledger.db, week);
      expect(await sessionOf('week', { ledger })).toBeNull();
      await pruneAccess({ ledger });
      expect(await findSession(ledger.db, secretHash('week'))).toBeUndefined();
      expect(await findSession(ledger.db, secretHash(idle!))).toBeUndefined();
      expect(await sessionOf(old!, { ledger })).not.toBeNull();
    });

    test('is known by a hash of its token only', async () => {
      const { ledger } = await withUser(engine);
      const token = await begin(ledger);
      const rows = await ledger.db.selectFrom('sessions').selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(token);
    });
  });

  describe('a second factor', () => {
    const FROM = { via: 'console', origin: '10.0.0.7' } as const;
    const app = (secret: string) => new TOTP({ secret });
    const attempt = { name: 'anna', password: PASSWORD, address: '10.0.0.7', device: null };

    /** A user with an app: its secret, and the recovery codes. */
    async function withFactor() {
      const { ledger, log } = await withUser(engine);
      const { secret } = newFactor('anna');
      const code = app(secret).generate({ timestamp: await ledger.now() });
      const codes = await enrol({ name: 'anna', secret, code, keep: '' }, BY, { ledger });
      return { ledger, log, secret, code, codes: codes! };
    }

    /** A sign-in that waits for a code. */
    async function waiting(ctx: { ledger: Ledger; log: Log }, device: string | null = null): Promise<string> {
      const done = await signIn({ ...attempt, device }, ctx);
      if (!('session' in done) || done.stage !== 'code') throw new Error('the sign-in does not wait for a code');
      return done.session;
    }

    test('is asked for, each code once, and the browser is known afterwards', async () => {
      const { codes, code, secret, ...ctx } = await withFactor();
      const session = await waiting(ctx);
      expect(await sessionOf(session, ctx)).toBeNull();
      const given = { session, address: null, device: null };
      expect(await confirmCode({ ...given, code }, ctx)).toMatchObject({ refused: expect.any(String) as string });
      const next = app(secret).generate({ timestamp: (await ctx.ledger.now()) + 30_000 });
      const done = await confirmCode({ ...given, code: next }, ctx);
      expect(done).toMatchObject({ device: expect.any(String) as string, session: expect.any(String) as string });
      expect(await sessionOf((done as { session: string }).session, ctx)).toMatchObject({ name: 'anna', factor: true });
      // Whoever knows the password may have put it into this browser.
      expect(await sessionOf(session, ctx)).toBeNull();
      expect(await confirmCode({ ...given, code: codes[0]! }, ctx)).toBeNull();
      const rows = JSON.stringify(await ctx.ledger.db.selectFrom('users').selectAll().execute());
      expect(rows).not.toContain(codes[0]!.replaceAll('-', ''));
      expect(JSON.stringify(await listUsers(ctx))).not.toContain(secret);
    });

    test('can be replaced by each recovery code once, also at the same moment', async () => {
      const { codes, ...ctx } = await withFactor();
      const [one, other] = [await waiting(ctx), await waiting(ctx)];
      const tries = [one, other].map((session) =>
        confirmCode({ session, code: codes[3]!, address: null, device: null }, ctx),
      );
      const done = await Promise.all(tries);
      expect(done.filter((answer) => answer !== null && 'device' in answer)).toHaveLength(1);
    });

    test('is not guessed by whoever knows the password, and a browser that is known has a count of its own', async () => {
      const { codes, ...ctx } = await withFactor();
      const known = await confirmCode(
        { session: await waiting(ctx), code: codes[0]!, address: null, device: null },
        ctx,
      );
      const { device } = known as { device: string };
      for (let tries = 0; tries < 5; tries++)
        await confirmCode({ session: await waiting(ctx), code: '000000', address: null, device: null }, ctx);
      const session = await waiting(ctx);
      expect(await confirmCode({ session, code: codes[1]!, address: null, device: null }, ctx)).toMatchObject({
        again: expect.any(Number) as number,
      });
      expect(await confirmCode({ session, code: codes[1]!, address: null, device }, ctx)).toHaveProperty('device');
    });

    test('is set up before anything else where the role needs one', async () => {
      const { ledger, log } = await withUser(engine);
      const done = await signIn(attempt, { ledger, log }, ['ops']);
      if (!('session' in done)) throw new Error('refused');
      expect(done.stage).toBe('enrol');
      expect(await sessionOf(done.session, { ledger })).toBeNull();
      expect(await stagedUser(done.session, 'code', { ledger })).toBeNull();
      expect(await stagedUser(done.session, 'enrol', { ledger })).toMatchObject({ name: 'anna' });
      const { secret } = newFactor('anna');
      const { session } = done;
      const wrong = await enrolAtSignIn({ session, secret, code: '000000' }, FROM, { ledger });
      expect(wrong).toMatchObject({ again: { secret } });
      const code = app(secret).generate({ timestamp: await ledger.now() });
      const set = (await enrolAtSignIn({ session, secret, code }, FROM, { ledger })) as {
        codes: string[];
        session: string;
      };
      expect(set.codes).toHaveLength(10);
      expect(await sessionOf(set.session, { ledger })).toMatchObject({ name: 'anna', factor: true });
      expect(await sessionOf(session, { ledger })).toBeNull();
    });

    test('is set up by one of two sign-ins that wait for it at the same moment', async () => {
      const { ledger, log } = await withUser(engine);
      const { secret } = newFactor('anna');
      const code = app(secret).generate({ timestamp: await ledger.now() });
      const waits = async () => (await signIn(attempt, { ledger, log }, ['ops'])) as { session: string };
      const both = [await waits(), await waits()];
      const set = await Promise.all(
        both.map(({ session }) => enrolAtSignIn({ session, secret, code }, FROM, { ledger })),
      );
      expect(set.filter((one) => one !== null && 'codes' in one)).toHaveLength(1);
      expect(set.filter((one) => one === null)).toHaveLength(1);
    });

    test('that was taken away is not asked for any more', async () => {
      const { ledger, log } = await withFactor();
      await resetFactor('anna', BY, { ledger });
      expect(await signIn(attempt, { ledger, log })).toMatchObject({ stage: null });
      await expect(resetFactor('nobody', BY, { ledger })).rejects.toMatchObject({ code: 'not-found' });
    });
  });

  describe('a user of a provider', () => {
    const ANNA = { names: ['anna'], email: null, role: 'manager', feeds: 'north' } as const;
    const OF = { subject: 'https://login.example.com 7', host: 'login.example.com', identity: ANNA };
    const FROM = { via: 'console', origin: '10.0.0.1' } as const;

    test('is added once, and gets what the provider says later', async () => {
      const { ledger } = await withUser(engine, { name: 'bernd' });
      const keep = () => ledger.transaction((trx) => keepUser(OF, FROM, trx, 6));
      const [one, other] = await Promise.all([keep(), keep()]);
      expect(one.name).toBe('anna');
      expect(other.name).toBe('anna');
      await keepUser({ ...OF, identity: { ...ANNA, role: 'ops', feeds: null } }, FROM, ledger.db, 7);
      expect(await findUser(ledger.db, 'anna')).toMatchObject({ role: 'ops', feeds: null, subject: OF.subject });
      expect(await listUsers({ ledger })).toHaveLength(2);
    });

    test('is changed as they were read, and not over what another process has written since', async () => {
      const { ledger } = await withUser(engine, { name: 'anna' });
      const read = (await findUser(ledger.db, 'anna'))!;
      const at = read.changed_at + 1;
      expect(await changeUser(ledger.db, read, { role: 'viewer', changed_at: at })).toBe(true);
      expect(await changeUser(ledger.db, read, { role: 'admin', changed_at: at })).toBe(false);
      expect(await findUser(ledger.db, 'anna')).toMatchObject({ role: 'viewer' });
    });

    test('who has no role there any more decides nothing until they have one, which is said once', async () => {
      const { ledger } = await withUser(engine, { name: 'bernd' });
      await keepUser(OF, FROM, ledger.db, 7);
      for (const at of [8, 9]) await ledger.transaction((trx) => loseRole(OF, FROM, trx, at));
      expect(await findUser(ledger.db, 'anna')).toMatchObject({ role: 'manager', role_lost_at: 8 });
      await keepUser(OF, FROM, ledger.db, 10);
      expect(await findUser(ledger.db, 'anna')).toMatchObject({ role_lost_at: null, changed_at: 10 });
      const said = await ledger.db.selectFrom('audit').select('reason').where('action', '=', 'change-user').execute();
      const host = 'login.example.com';
      expect(said.map(({ reason }) => reason)).toEqual([
        `no role any more, says ${host}`,
        `role manager, says ${host}`,
      ]);
    });

    test('whom a proxy calls by two names at once that differ in capitals is one', async () => {
      const { ledger, log } = await withUser(engine, { name: 'bernd' });
      const proxy = {
        header: 'X-User',
        from: ['127.0.0.1'],
        role: 'ops',
        groupsSeparator: ',',
        localUsers: true,
      } as const;
      const config = configWith({ ...proxy, from: [...proxy.from] });
      const come = (name: string) => keepProxied({ name, groups: [], email: null }, FROM, { ledger, config, log });
      const both = await Promise.all(['Gerd', 'gerd'].map(come));
      expect(both.filter((one) => 'user' in one)).toHaveLength(1);
      expect(both.filter((one) => 'refused' in one)).toEqual([{ refused: 'alike' }]);
      expect(await listUsers({ ledger })).toHaveLength(2);
    });

    test('who is disabled here stays so', async () => {
      const { ledger } = await withUser(engine, { name: 'bernd' });
      await keepUser(OF, FROM, ledger.db, 7);
      await disableUser('anna', BY, { ledger });
      expect(await keepUser(OF, FROM, ledger.db, 8)).toMatchObject({ disabled_at: expect.any(Number) as number });
    });

    test('has a session that only its token can renew, and a shorter one where it cannot be renewed', async () => {
      const { ledger } = await withUser(engine, { name: 'bernd' });
      const { name: user } = await keepUser(OF, FROM, ledger.db, 7);
      const now = await ledger.now();
      const check = { refresh: 'what it is renewed with', at: now + 60_000 };
      const session = await createSession(ledger.db, { user, address: null, now, check });
      expect(await sessionOf(session, { ledger })).toMatchObject({
        role: 'manager',
        provider: { subject: OF.subject, feeds: 'north', isDue: false },
      });
      const { refresh } = (await findSession(ledger.db, secretHash(session)))!;
      expect(refresh).not.toContain(check.refresh);
      expect([openRefresh(refresh!, session), openRefresh(refresh!, 'another')]).toEqual([check.refresh, null]);
      expect(openRefresh('', session)).toBeNull();
      const claims = [1, 2].map(() => claimCheck(ledger.db, secretHash(session), { from: check.at, to: now }));
      expect((await Promise.all(claims)).filter((isClaimed) => isClaimed)).toHaveLength(1);
      expect(await sessionOf(session, { ledger })).toMatchObject({ provider: { isDue: true } });
      const short = await createSession(ledger.db, { user, address: null, now: now - SESSION.idle });
      await sawSession(ledger.db, secretHash(short), { at: now, since: now });
      expect(await sessionOf(short, { ledger })).toBeNull();
      expect(await endSession(session, { ledger })).toBe(refresh);
    });
  });

  describe('a token', () => {
    const NEW = { name: 'prometheus', role: 'viewer', feeds: null, ends: null } as const;

    test('is known by its secret until it ends or is revoked', async () => {
      const { ledger } = await withUser(engine);
      const { id, secret } = await addToken({ ...NEW, feeds: ['north', 'south'] }, BY, { ledger });
      expect(await tokenOf(secret, { ledger })).toEqual({
        id,
        name: 'prometheus',
        role: 'viewer',
        feeds: ['north', 'south'],
        stale: true,
        created_by: 'root',
      });
      await touchToken(id, { ledger });
      expect(await tokenOf(secret, { ledger })).toMatchObject({ stale: false });
      await revokeToken(id, BY, { ledger });
      expect(await tokenOf(secret, { ledger })).toBeNull();
      await expect(revokeToken(id, BY, { ledger })).rejects.toMatchObject({ code: 'not-found' });
      const over = await addToken({ ...NEW, ends: (await ledger.now()) - 1 }, BY, { ledger });
      expect(await tokenOf(over.secret, { ledger })).toBeNull();
      expect(await tokenOf(secretHash(secret), { ledger })).toBeNull();
      const wrong = revokeToken(secret, BY, { ledger });
      await expect(wrong).rejects.toMatchObject({
        code: 'usage',
        message: expect.not.stringContaining(secret) as string,
      });
      const shown = JSON.stringify(await listTokens({ ledger }));
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain(secretHash(secret));
    });

    test('that two give another secret at the same moment gets one, and the one before stays valid', async () => {
      const { ledger } = await withUser(engine);
      const made = { name: 'erp', role: 'viewer', feeds: null, ends: null } as const;
      const { id, secret } = await addToken(made, BY, { ledger });
      const both = await Promise.allSettled(
        [1, 2].map(() => rotateToken({ id, overlap: 60_000, ends: null }, BY, { ledger })),
      );
      const given = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value.secret] : []));
      expect(given).toHaveLength(1);
      expect(await tokenOf(secret, { ledger })).toMatchObject({ id, former: true });
      expect(await tokenOf(given[0]!, { ledger })).toMatchObject({ id });
      const { secret_hash: from } = (await findTokenById(ledger.db, id))!;
      const late = { from: secretHash(secret), to: secretHash('another'), formerEnds: null, expires: null };
      expect(await replaceSecret(ledger.db, id, late)).toBe(false);
      expect((await findTokenById(ledger.db, id))?.secret_hash).toBe(from);
    });

    test('has two secrets while it is changed over, and the use of each is known', async () => {
      const { ledger } = await withUser(engine);
      const { id, secret: first } = await addToken(NEW, BY, { ledger });
      await touchToken(id, { ledger });
      const { secret: second } = await rotateToken({ id, overlap: 60_000, ends: null }, BY, { ledger });
      expect(await tokenOf(second, { ledger })).toMatchObject({ id, stale: true });
      expect(await tokenOf(first, { ledger })).toMatchObject({ id, stale: false, former: true });
      expect(await listTokens({ ledger })).toMatchObject([
        { used_at: null, former_used_at: expect.any(Number) as number },
      ]);
      await expect(rotateToken({ id, overlap: 60_000, ends: null }, BY, { ledger })).rejects.toMatchObject({
        code: 'conflict',
      });
      const { secret: third } = await rotateToken({ id, overlap: 0, ends: null }, BY, { ledger });
      expect(await Promise.all([first, second, third].map((secret) => tokenOf(secret, { ledger })))).toMatchObject([
        null,
        null,
        { id },
      ]);
      await revokeToken(id, BY, { ledger });
      const over = rotateToken({ id, overlap: 60_000, ends: null }, BY, { ledger });
      await expect(over).rejects.toMatchObject({ code: 'not-found' });
    });

    test('whose former secret has come to its end is known by the present one alone', async () => {
      const { ledger } = await withUser(engine);
      const [soon, later] = [(await ledger.now()) + 3_600_000, (await ledger.now()) + 7_200_000];
      const { id, secret: first } = await addToken({ ...NEW, ends: soon }, BY, { ledger });
      const {
        secret: second,
        formerEnds,
        expires,
      } = await rotateToken({ id, overlap: 86_400_000, ends: later }, BY, { ledger });
      // The former secret does not last longer than the token was to.
      expect({ formerEnds, expires }).toEqual({ formerEnds: soon, expires: later });
      await ledger.db.updateTable('tokens').set({ former_ends_at: 1 }).where('id', '=', id).execute();
      expect(await tokenOf(first, { ledger })).toBeNull();
      expect(await tokenOf(second, { ledger })).toMatchObject({ id });
    });

    test('for some feeds has a role that is about feeds', async () => {
      const { ledger } = await withUser(engine);
      for (const role of ['ops', 'admin'] as const)
        await expect(addToken({ ...NEW, role, feeds: ['north'] }, BY, { ledger })).rejects.toThrow('whole logins');
      await addToken({ ...NEW, role: 'manager', feeds: ['north'] }, BY, { ledger });
    });

    test('stands in the audit with who made it, and without its secret', async () => {
      const { ledger } = await withUser(engine);
      const { id, secret } = await addToken(NEW, BY, { ledger });
      const rows = await ledger.db.selectFrom('audit').selectAll().where('subject', '=', `token ${id}`).execute();
      expect(rows).toMatchObject([{ action: 'add-token', who: 'root', via: 'cli', origin: 'ops-1' }]);
      expect(JSON.stringify(rows)).not.toContain(secret);
    });
  });
}

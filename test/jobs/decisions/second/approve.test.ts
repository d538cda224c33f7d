import { expect, test } from 'vitest';
import { addToken, revokeToken, rotateToken } from '../../../../src/access/tokens.ts';
import { rejectRun } from '../../../../src/jobs/decisions/review.ts';
import { agree, approveOrAsk, decline } from '../../../../src/jobs/decisions/second/decide.ts';
import { assertStillWaits, settleRequests } from '../../../../src/jobs/decisions/second/settle.ts';
import { answerOf } from '../../../../src/jobs/queries/answer.ts';
import { updateUser } from '../../../../src/ledger/access/users.ts';
import { findRequest, listRequests, requestAnswer } from '../../../../src/ledger/alerts/requests.ts';
import { updateFeed } from '../../../../src/ledger/runs/feeds.ts';
import { eventsOf, getRun, updateRun } from '../../../../src/ledger/runs/runs.ts';
import { by, secondWorld } from './second-world.ts';

const DAY = 86_400_000;

test('the first who approves asks, and a second person who approves carries it out, with both names in the audit', async () => {
  const { ctx, held, outcome, audit, incidents } = await secondWorld();
  const run = await held();
  const asked = await approveOrAsk(run, by('anna'), ctx);
  expect(asked).toMatchObject({ action: 'approve', run, known_as: 'anna', ends_at: asked!.at + DAY });
  expect(await outcome(run)).toBe('held');
  expect(await incidents()).toContainEqual(['approval-asked', null]);
  await expect(approveOrAsk(run, by('Anna'), ctx)).rejects.toThrow(
    'anna asked for this, so a second person has to agree',
  );
  expect(await approveOrAsk(run, by('bernd', 'seen'), ctx)).toBeNull();
  expect(await outcome(run)).toBeNull();
  expect(await audit()).toEqual([
    ['anna', 'ask-approve', 'season end'],
    ['bernd', 'approve', 'seen (asked for by anna: season end)'],
  ]);
  expect(await incidents()).toContainEqual(['approval-asked', 'agreed by bernd: seen']);
  const { request } = await answerOf(run, ctx);
  expect(request).toMatchObject({ by: 'anna', ended: { how: 'agreed', by: 'bernd', text: 'agreed by bernd: seen' } });
  await expect(agree(asked!.id, by('carl'), ctx)).rejects.toThrow(
    `Request ${asked!.id} is over: agreed by bernd: seen.`,
  );
});

test('of many who agree at once one carries it out', async () => {
  const { ctx, held, audit } = await secondWorld();
  const asked = await approveOrAsk(await held(), by('anna'), ctx);
  const names = Array.from({ length: 8 }, (_, at) => `person ${at}`);
  const tried = await Promise.allSettled(names.map((name) => agree(asked!.id, by(name), ctx)));
  expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(tried.filter(({ status }) => status === 'rejected')).toMatchObject(
    names.slice(1).map(() => ({ reason: { code: 'conflict' } })),
  );
  expect((await audit()).filter(([, action]) => action === 'approve')).toHaveLength(1);
});

test('of many who ask at once one asks, and the next agrees', async () => {
  const { ctx, db, held, outcome } = await secondWorld();
  const run = await held();
  const tried = await Promise.allSettled(['anna', 'anna', 'anna'].map((name) => approveOrAsk(run, by(name), ctx)));
  expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await listRequests(db, { all: true })).toHaveLength(1);
  expect(await outcome(run)).toBe('held');
});

test('who asks with a token is who owns it; tokens of one user are one person', async () => {
  const { ctx, held, user } = await secondWorld();
  await user('anna');
  const token = (name: string, owner: string) => ({ ...by(`token ${name}`), owner });
  const asked = await approveOrAsk(await held(), token('erp', 'anna'), ctx);
  const same = { code: 'conflict', message: expect.stringContaining('a second person has to agree') as string };
  for (const one of [by('anna'), token('other', 'anna'), token('erp', 'bernd'), { ...by('root'), as: 'anna' }])
    await expect(agree(asked!.id, one, ctx)).rejects.toMatchObject(same);
  await agree(asked!.id, token('shop', 'bernd'), ctx);
});

test('tokens that were made at a terminal for several programs are several', async () => {
  const { ctx, held, outcome } = await secondWorld();
  const run = await held();
  const token = (name: string) => ({ ...by(`token ${name}`), owner: 'deploy' });
  await approveOrAsk(run, token('erp'), ctx);
  await expect(approveOrAsk(run, by('deploy'), ctx)).rejects.toMatchObject({ code: 'conflict' });
  await approveOrAsk(run, token('shop'), ctx);
  expect(await outcome(run)).toBeNull();
});

test('a token is one person, whatever it is called, and whoever gave it another secret is that person, too', async () => {
  const { ctx, db, held, user, outcome } = await secondWorld();
  await user('anna');
  await user('bernd');
  const run = await held();
  const made = { name: 'erp', role: 'ops', feeds: null, ends: null } as const;
  const { id } = await addToken(made, by('anna'), ctx);
  const token = (name: string) => ({ ...by(`token ${name}`), token: id, owner: 'anna' });
  const asked = await approveOrAsk(run, token('erp'), ctx);
  const same = { code: 'conflict', message: expect.stringContaining('a second person has to agree') as string };
  await expect(agree(asked!.id, token('renamed'), ctx)).rejects.toMatchObject(same);
  await rotateToken({ id, overlap: 0, ends: null }, by('bernd'), ctx);
  await expect(agree(asked!.id, by('bernd'), ctx)).rejects.toMatchObject(same);
  const { id: other } = await addToken({ ...made, name: 'shop' }, by('bernd'), ctx);
  const ofBernd = { ...by('token shop'), token: other, owner: 'bernd' };
  await expect(agree(asked!.id, ofBernd, ctx)).rejects.toMatchObject(same);
  await agree(asked!.id, by('carl'), ctx);
  expect(await outcome(run)).toBeNull();
  expect(await findRequest(db, asked!.id)).toMatchObject({ token: id, owner: 'anna' });
});

test('a user whom somebody else signs in is the one whose name they had to have another one for', async () => {
  const { ctx, db, held, user } = await secondWorld();
  for (const name of ['anna', 'anna@proxy', 'anna@login.example.com-8443', 'bernd@proxy']) await user(name);
  await updateUser(db, 'anna@proxy', { subject: 'proxy anna' });
  await updateUser(db, 'anna@login.example.com-8443', { subject: 'https://login.example.com:8443 7' });
  const asked = await approveOrAsk(await held(), by('anna'), ctx);
  for (const name of ['anna@proxy', 'anna@login.example.com-8443'])
    await expect(agree(asked!.id, by(name), ctx)).rejects.toMatchObject({ code: 'conflict' });
  await agree(asked!.id, by('bernd@proxy'), ctx);
});

test('what somebody asked for ends when they are disabled, may not decide any more, or their token is over', async () => {
  const { ctx, db, held, user, outcome, incidents } = await secondWorld();
  for (const name of ['anna', 'bernd', 'carl']) await user(name);
  const run = await held();
  const first = await approveOrAsk(run, by('anna'), ctx);
  await updateUser(db, 'anna', { disabled_at: 1 });
  await expect(agree(first!.id, by('carl'), ctx)).rejects.toThrow('is over: anna, who asked, has been disabled.');
  const second = await approveOrAsk(run, by('bernd'), ctx);
  await updateUser(db, 'bernd', { role: 'viewer' });
  await expect(agree(second!.id, by('carl'), ctx)).rejects.toThrow(
    'bernd, who asked, may not decide about it any more',
  );
  const { id } = await addToken({ name: 'erp', role: 'ops', feeds: null, ends: null }, by('carl'), ctx);
  await approveOrAsk(run, { ...by('token erp'), token: id, owner: 'carl' }, ctx);
  await revokeToken(id, by('carl'), ctx);
  await settleRequests(ctx);
  expect(await incidents()).toContainEqual(['approval-asked', 'token erp, which asked, is not valid any more']);
  // A name at a terminal has no role there, but who is disabled is disabled.
  const fourth = await approveOrAsk(run, { ...by('root'), via: 'cli', as: 'bernd' }, ctx);
  await updateUser(db, 'bernd', { disabled_at: 1 });
  await expect(agree(fourth!.id, by('carl'), ctx)).rejects.toThrow('bernd, who asked, has been disabled');
  expect(await outcome(run)).toBe('held');
});

test('who had to have another name is whoever has one that looks like theirs', async () => {
  const { ctx, db, held, user } = await secondWorld();
  const behind = 'jurgen@login.example.com';
  for (const name of ['jürgen', behind, 'user-0123456789ab', 'jurgen2@proxy']) await user(name);
  await updateUser(db, behind, { subject: 'https://login.example.com 8' });
  await updateUser(db, 'user-0123456789ab', { subject: 'proxy Jurgen' });
  await updateUser(db, 'jurgen2@proxy', { subject: 'proxy jurgen2' });
  const asked = await approveOrAsk(await held(), by('jürgen'), ctx);
  for (const name of [behind, 'user-0123456789ab'])
    await expect(agree(asked!.id, by(name), ctx)).rejects.toMatchObject({ code: 'conflict' });
  await agree(asked!.id, by('jurgen2@proxy'), ctx);
});

test('whoever signed in is one user, whoever has that name as an address; a role that is lost counts', async () => {
  const { ctx, db, held, user } = await secondWorld();
  for (const name of ['anna@example.com', 'other', 'bernd', 'carl']) await user(name);
  await updateUser(db, 'other', { email: 'anna@example.com' });
  const run = await held();
  const first = await approveOrAsk(run, by('anna@example.com'), ctx);
  await updateUser(db, 'anna@example.com', { disabled_at: 1 });
  await expect(agree(first!.id, by('carl'), ctx)).rejects.toThrow('has been disabled');
  const second = await approveOrAsk(run, by('bernd'), ctx);
  await updateUser(db, 'bernd', { role_lost_at: 1 });
  await expect(agree(second!.id, by('carl'), ctx)).rejects.toThrow('may not decide about it any more');
});

test('somebody who is disabled while others agree is looked at as well', async () => {
  const { ctx, db, held, user } = await secondWorld();
  await user('anna');
  const asked = await approveOrAsk(await held(), by('anna'), ctx);
  await updateUser(db, 'anna', { disabled_at: 1 });
  const row = (await findRequest(db, asked!.id))!;
  await expect(assertStillWaits(db, row, await ctx.ledger.now(), ctx)).rejects.toThrow('has been disabled');
});

test('a day is one of the ledger, whatever the clock of a machine shows', async () => {
  const { ctx, db, held, pass, setClock } = await secondWorld();
  const asked = await approveOrAsk(await held(), by('anna'), ctx);
  setClock(48);
  await settleRequests(ctx);
  expect(await findRequest(db, asked!.id)).toMatchObject({ ended_at: null });
  setClock(-48);
  pass(24);
  await settleRequests(ctx);
  expect(await findRequest(db, asked!.id)).toMatchObject({ ended_how: 'expired' });
});

test('names that are given at a terminal are those of people, and the audit has the account beside', async () => {
  const { ctx, held, audit } = await secondWorld();
  const run = await held();
  const at = (as: string) => ({ ...by('root'), via: 'cli', as }) as const;
  await approveOrAsk(run, at('anna'), ctx);
  await expect(approveOrAsk(run, at('ANNA'), ctx)).rejects.toMatchObject({ code: 'conflict' });
  await expect(approveOrAsk(run, at('\u{7}'), ctx)).rejects.toMatchObject({ code: 'usage' });
  await approveOrAsk(run, at('bernd'), ctx);
  expect(await audit()).toEqual([
    ['root', 'ask-approve', 'as anna: season end'],
    ['root', 'approve', 'as bernd: season end (asked for by anna: season end)'],
  ]);
});

test('it is declined by others and withdrawn by whoever asked; the run stays held, and may be asked for again', async () => {
  const { ctx, db, held, outcome, audit, incidents } = await secondWorld();
  const run = await held();
  const first = await approveOrAsk(run, by('anna'), ctx);
  expect(await decline(first!.id, by('bernd', 'half of it is missing.'), ctx)).toMatchObject({ ended_how: 'declined' });
  const over = `Request ${first!.id} is over: declined by bernd: half of it is missing.`;
  await expect(decline(first!.id, by('carl'), ctx)).rejects.toThrow(over);
  const second = await approveOrAsk(run, by('anna'), ctx);
  expect(await decline(second!.id, by('anna', 'the wrong file'), ctx)).toMatchObject({ ended_how: 'withdrawn' });
  expect(await outcome(run)).toBe('held');
  expect((await audit()).map(([who, action]) => [who, action])).toEqual([
    ['anna', 'ask-approve'],
    ['bernd', 'decline'],
    ['anna', 'ask-approve'],
    ['anna', 'withdraw'],
  ]);
  expect((await eventsOf(db, run)).map(({ message }) => message)).toContain(
    'approval not given: declined by bernd: half of it is missing.',
  );
  expect((await incidents()).filter(([kind]) => kind === 'delivery')).toEqual([['delivery', null]]);
  await expect(decline('nothing', by('anna'), ctx)).rejects.toMatchObject({ code: 'not-found' });
});

test('it ends after a day, and nobody can agree any more', async () => {
  const { ctx, db, held, pass, outcome, audit, incidents } = await secondWorld();
  const run = await held();
  const asked = await approveOrAsk(run, by('anna'), ctx);
  pass(23.9);
  await settleRequests(ctx);
  expect(requestAnswer((await findRequest(db, asked!.id))!, ctx.clock.now()).ended).toBeNull();
  pass(0.1);
  const late = { how: 'expired', at: asked!.ends_at, by: null, text: 'nobody agreed within a day' };
  expect(requestAnswer((await findRequest(db, asked!.id))!, ctx.clock.now()).ended).toEqual(late);
  await expect(agree(asked!.id, by('bernd'), ctx)).rejects.toThrow('is over: nobody agreed within a day.');
  expect(await outcome(run)).toBe('held');
  expect((await audit()).at(-1)).toEqual(['offerline', 'end-request', 'nobody agreed within a day']);
  expect(await incidents()).toContainEqual(['approval-asked', 'nobody agreed within a day']);
  expect(await incidents()).toContainEqual(['delivery', null]);
  expect(await approveOrAsk(run, by('bernd'), ctx)).toMatchObject({ known_as: 'bernd' });
});

test('it ends when its run is decided otherwise', async () => {
  const { ctx, held, incidents } = await secondWorld();
  const run = await held();
  await approveOrAsk(run, by('anna'), ctx);
  const { as: _as, token: _token, owner: _owner, ...carl } = by('carl', 'wrong file');
  await rejectRun(run, carl, ctx);
  await settleRequests(ctx);
  expect(await incidents()).toContainEqual(['approval-asked', `run ${run} is not held any more`]);
});

test('it ends when a newer delivery is held, which is decided first', async () => {
  const { ctx, db, held, incidents } = await secondWorld();
  const older = await held();
  const asked = await approveOrAsk(older, by('anna'), ctx);
  const newer = await held();
  await expect(agree(asked!.id, by('bernd'), ctx)).rejects.toThrow(`a newer delivery came with run ${newer}`);
  expect(await incidents()).toContainEqual(['approval-asked', `a newer delivery came with run ${newer}`]);
  await expect(approveOrAsk(older, by('anna'), ctx)).rejects.toThrow(
    `Run ${older} is older than run ${newer} of north, which is held; decide about that one first.`,
  );
  expect(await listRequests(db)).toEqual([]);
  expect(await approveOrAsk(newer, by('anna'), ctx)).toMatchObject({ run: newer });
});

test('it ends when its file is read again, or other rows of its feed are live, than when it was asked for', async () => {
  const { ctx, db, held, outcome } = await secondWorld();
  const run = await held();
  const asked = await approveOrAsk(run, by('anna'), ctx);
  await updateRun(db, run, { rows_sha: 'f'.repeat(64) });
  await expect(agree(asked!.id, by('bernd'), ctx)).rejects.toThrow(`the file of run ${run} was read again`);
  const again = await approveOrAsk(run, by('anna'), ctx);
  await updateFeed(db, 'north', { contribution: run });
  await expect(agree(again!.id, by('bernd'), ctx)).rejects.toThrow('something else of north is live by now');
  expect(await outcome(run)).toBe('held');
});

test('files that are read again, or held because they are out of turn, are no newer deliveries', async () => {
  const { ctx, db, held, outcome } = await secondWorld();
  const run = await held();
  const asked = await approveOrAsk(run, by('anna'), ctx);
  for (const changed of [{ cause: 'older-file' }, { cause: 'order' }, { cause: 'correction' }, { of: run }] as const) {
    const other = await held();
    await updateRun(db, other, { options: { ...(await getRun(db, other)).options, ...changed } });
  }
  await agree(asked!.id, by('bernd'), ctx);
  expect(await outcome(run)).not.toBe('held');
});

test('what comes while somebody agrees is looked at as well', async () => {
  const { ctx, db, held, outcome } = await secondWorld();
  const run = await held();
  const asked = await approveOrAsk(run, by('anna'), ctx);
  const row = (await findRequest(db, asked!.id))!;
  const newer = await held();
  await expect(assertStillWaits(db, row, await ctx.ledger.now(), ctx)).rejects.toThrow(
    `is over: a newer delivery came with run ${newer}.`,
  );
  expect(await outcome(run)).toBe('held');
});

test('where one person is enough, approving is done at once', async () => {
  const { ctx, held, outcome, audit } = await secondWorld({});
  const run = await held();
  expect(await approveOrAsk(run, by('anna'), ctx)).toBeNull();
  expect(await outcome(run)).toBeNull();
  expect(await audit()).toEqual([['anna', 'approve', 'season end']]);
});

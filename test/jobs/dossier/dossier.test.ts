import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { gatherDossier } from '../../../src/jobs/dossier/gather-dossier.ts';
import { serviceFigures } from '../../../src/jobs/dossier/service-figures.ts';
import { writeDossier } from '../../../src/jobs/dossier/write-dossier.ts';
import type { Context } from '../../../src/context.ts';
import { resolveUpload } from '../../../src/jobs/decisions/resolve.ts';
import { insertCalls } from '../../../src/ledger/calls/calls.ts';
import { abandonIntent } from '../../../src/ledger/uploads/abandon-intent.ts';
import { hideFromNowOn } from '../../../src/wording/redact.ts';
import { advanceLane } from '../../../src/jobs/lane/lane.ts';
import { openUpload } from '../../../src/ledger/uploads/uploads.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { readZip } from '../../support/read-zip.ts';
import { laneWorld } from '../lane-world.ts';

const signal = new AbortController().signal;

/** A call for no upload that failed. */
const STRANGE = {
  at: Date.UTC(2026, 4, 4),
  operation: 'list',
  ms: 3,
  status: 500,
  given_up: 0,
  request_id: null,
};

/** The dossier as its readers have it: the text, and the zip's files by name. */
async function dossierOf(name: string, ctx: Context, { offline = false } = {}) {
  await ctx.calls.flush();
  const dossier = await gatherDossier(name, { offline, signal }, ctx);
  const folder = tempFolder();
  const written = await writeDossier(dossier, folder, ctx);
  expect(written.markdown).toBe(join(folder, `${dossier.name}.md`));
  return { dossier, written, text: readFileSync(written.markdown, 'utf8'), zip: await readZip(written.zip) };
}

test('the dossier of a proved upload has ids, hashes, states, calls, and what the service shows', async () => {
  const { ctx, deliver } = await laneWorld();
  const { intent } = await deliver('0986424797', '0986424798');
  const { dossier, text, zip } = await dossierOf('main', ctx);
  const { upload, steps, calls } = dossier;
  expect(intent).toBe(upload.intent);
  for (const fact of [upload.id, upload.token, upload.offer_id!, dossier.dataset.sha256]) expect(text).toContain(fact);
  expect(steps.map(({ state, service_state }) => [state, service_state])).toEqual([
    ['sending', null],
    ['submitted', 'queued'],
    ['success', 'success'],
  ]);
  expect(calls.map(({ operation }) => operation)).toEqual(expect.arrayContaining(['list', 'process', 'get', 'search']));
  expect(calls.every(({ status, error, upload: of }) => status === 200 && error === null && of === upload.id)).toBe(
    true,
  );
  expect(text).toContain('The file that it keeps: the rows that were sent.');
  const sent = `sent/offerline-main-${upload.token}.txt`;
  expect([...zip.keys()].sort()).toEqual(['calls.csv', `${dossier.name}.md`, 'record.json', sent].sort());
  expect(zip.get(sent)).toContain('BOSCH\t0986424797');
  expect(zip.get(`${dossier.name}.md`)).toBe(text);
  expect(zip.get('calls.csv')!.trim().split('\r\n')).toHaveLength(calls.length + 1);
  expect(JSON.parse(zip.get('record.json')!)).toMatchObject({ upload: { id: upload.id }, sent: { rows: 2 } });
});

test('an aborted upload tells its error, and a refusal its requestId', async () => {
  const { ctx, deliver, control } = await laneWorld();
  await control.faults(
    { fault: 'refuse', operation: 'get', status: 503 },
    { fault: 'abort', error: 'the indexer was restarted' },
  );
  await deliver('A1');
  const uploads = await ctx.ledger.db.selectFrom('uploads').select(['id', 'state']).execute();
  const aborted = uploads.find(({ state }) => state === 'aborted')!;
  const { dossier, text, zip } = await dossierOf(aborted.id, ctx);
  const refused = dossier.calls.find(({ status }) => status === 503)!;
  expect(refused).toMatchObject({ operation: 'get', request_id: expect.stringMatching(/^[\da-f-]{36}$/u) as string });
  expect(text).toContain('the indexer was restarted');
  expect(text).toContain(refused.request_id);
  expect(zip.get('calls.csv')).toContain(refused.request_id);
  const { months } = await serviceFigures(0, ctx);
  expect(months.reduce((sum, month) => sum + month.aborted, 0)).toBe(1);
  expect(months.reduce((sum, month) => sum + month.status5xx, 0)).toBe(1);
});

test('an upload that hangs is the one of its login, with its incident', async () => {
  const { ctx, offer, control, clock } = await laneWorld({}, { poll: { stall: '1ms', initial: '5ms', max: '20ms' } });
  await control.faults({ fault: 'stuck' });
  await offer('north', ['A1']);
  for (let look = 0; look < 8; look++) {
    const result = await advanceLane('main', ctx, signal);
    if (result === 'at-rest') break;
    clock.time = Math.max(clock.time, Math.ceil(result.waitUntil - clock.ahead));
  }
  const open = (await openUpload(ctx.ledger.db, 'main'))!;
  const { dossier, text } = await dossierOf('main', ctx, { offline: true });
  expect(dossier.upload.id).toBe(open.id);
  expect(dossier.incidents.map(({ sentence }) => sentence).join()).toContain('an upload has stalled');
  expect(text).toContain('The service was not asked: it was not asked (--offline).');
});

test('what the archive no longer has, and a service that is away, are said', async () => {
  const { ctx, deliver, control } = await laneWorld();
  await deliver('A1');
  const { dataset } = await gatherDossier('main', { offline: true, signal }, ctx);
  await ctx.archive.remove(dataset.sha256);
  await control.faults({ fault: 'reset', operation: 'list', times: 'forever' });
  const { written, text, zip } = await dossierOf('main', ctx);
  expect(written.files.map(({ why }) => why)).toEqual(['the archive has it no more (missing)']);
  expect(text).toMatch(/offer\/list, newest first: .*no reply from/u);
  expect([...zip.keys()].some((name) => name.startsWith('sent/'))).toBe(false);
});

test('a name that is neither an upload nor a login with one is refused', async () => {
  const { ctx } = await laneWorld();
  await expect(gatherDossier('main', { offline: true, signal }, ctx)).rejects.toThrow(
    'The login main has no upload yet',
  );
  await expect(gatherDossier('nobody', { offline: true, signal }, ctx)).rejects.toThrow('There is no upload nobody');
});

test('no credential is in it, whatever the service repeats, and nothing of another login', async () => {
  const password = 'Geh3im-Wort-77';
  const auth = { type: 'basic', user: 'shop', password };
  const { ctx, deliver, control } = await laneWorld({ auth });
  const { calls } = ctx;
  calls.note({ ...STRANGE, login: 'elsewhere', error: 'of another login' });
  calls.note({ ...STRANGE, login: 'main', error: `of this login, ${password}` });
  await control.faults(
    { fault: 'refuse', operation: 'get', message: `not ${password}` },
    { fault: 'reject-rows', every: 2, message: `row of ${password}` },
  );
  await deliver('A1', 'A2', 'A3');
  const baseUrl = `http://shop:${password}@service.example/of/shop?key=K3y-in-4-query#x`;
  const there = { ...ctx, sandbox: false, config: { ...ctx.config, service: { ...ctx.config.service, baseUrl } } };
  await control.add({ fault: 'refuse', operation: 'get', message: `still not ${password}` });
  const { dossier, written, text, zip } = await dossierOf('main', there);
  expect(dossier.calls.filter(({ status }) => status === 503)).toHaveLength(1);
  expect(dossier.upload.errors_sha).not.toBeNull();
  expect(written.files.map(({ why }) => why)).toEqual([null, 'a credential stands in it']);
  const all = [text, ...zip.values()].join('\n');
  for (const hidden of [password, 'K3y-in-4-query', 'elsewhere', 'of another login']) expect(all).not.toContain(hidden);
  expect(all).toContain('of this login, [secret]');
  expect(all).toContain('http://service.example/of/shop');
});

test('what a person declared and what was given up before it was sent are steps, without a name', async () => {
  const { ctx, offer, control, clock } = await laneWorld();
  await control.faults({ fault: 'reset', operation: 'process' });
  await offer('north', ['A1']);
  await advanceLane('main', ctx, signal);
  const open = (await openUpload(ctx.ledger.db, 'main'))!;
  clock.time += 60_000;
  await resolveUpload(open.id, 'lost', { who: 'Erika', reason: 'they told me', via: 'cli', origin: null }, ctx);
  const { dossier, text, zip } = await dossierOf(open.id, ctx, { offline: true });
  expect(dossier.steps.at(-1)).toMatchObject({ state: 'lost', note: 'a person declared it lost', service_state: null });
  expect(text).toContain('a person declared it lost');
  for (const name of ['Erika', 'they told me']) expect([text, ...zip.values()].join()).not.toContain(name);
  await ctx.ledger.transaction((trx) =>
    abandonIntent(trx, { intent: open.intent, uploads: [open], note: 'it was rejected', now: ctx.clock.now() }),
  );
  const { steps } = await gatherDossier(open.id, { offline: true, signal }, ctx);
  expect(steps.map(({ note }) => note)).toContain('it was rejected');
});

test('a credential in UTF-16, in a call of another process, or across chunks is found', async () => {
  const password = 'Geh3im-Wört-77';
  const { ctx, deliver } = await laneWorld({ auth: { type: 'basic', user: 'shop', password: 'Geh3im-Wort-78' } });
  hideFromNowOn(password);
  const { intent } = await deliver('A1');
  const { upload } = await gatherDossier('main', { offline: true, signal }, ctx);
  const call = {
    ...STRANGE,
    id: 'c1',
    login: 'main',
    upload: upload.id,
    request_id: password,
    error: `no: ${password}`,
  };
  await insertCalls(ctx.ledger.db, [call]);
  await ctx.ledger.db
    .updateTable('uploads')
    .set({ note: `asked with ${password}` })
    .execute();
  const whyOf = async (bytes: Buffer) => {
    const { sha256 } = await ctx.archive.put(Readable.from([bytes]));
    await ctx.ledger.db.updateTable('uploads').set({ errors_sha: sha256 }).where('intent', '=', intent).execute();
    const { written, zip } = await dossierOf('main', ctx, { offline: true });
    return { why: written.files.at(-1)?.why, csv: zip.get('calls.csv')!, record: zip.get('record.json')! };
  };
  const found = await whyOf(Buffer.from('row\tGeh3im-Wort-78\r\n', 'utf16le'));
  expect(found.why).toBe('a credential stands in it');
  expect(found.csv).toContain('no: [secret]');
  expect(found.csv).not.toContain(password);
  expect(found.record).toContain('asked with [secret]');
  expect(found.record).not.toContain(password);
  // The letter of two bytes lies on the edge of what is read at once.
  const edge = 256 * 1024 - Buffer.byteLength('Geh3im-W') - 1;
  expect((await whyOf(Buffer.from(`${'x'.repeat(edge)}${password}`))).why).toBe('a credential stands in it');
  expect((await whyOf(Buffer.from('nothing'))).why).toBeNull();
});

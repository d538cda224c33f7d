import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openIncident, raise } from '../../src/ledger/alerts/incidents.ts';
import { openLedger, type Db } from '../../src/ledger/ledger.ts';
import { createRun, updateRun } from '../../src/ledger/runs/runs.ts';
import { INCIDENTS, type IncidentKind } from '../../src/incidents.ts';
import type { Outcome } from '../../src/model.ts';
import { languages, USUAL_LANGUAGE } from '../../src/wording/language/language.ts';
import { storeReason } from '../../src/wording/reasons/reason.ts';
import { runSentence, type RunReason } from '../../src/wording/reasons/run-reasons.ts';
import { atEnd } from '../support/at-end.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../support/console.ts';
import { deliverAndRun, goodRows, heldRun } from '../support/console-work.ts';
import { englishIn, ownWords } from '../support/english.ts';
import { INCIDENT_TOLD, REASONS } from '../wording/managers/told.ts';

const OUTCOMES: Partial<Record<RunReason['code'], Outcome>> = {
  guard: 'held',
  partial: 'partial',
  'same-file': 'unchanged',
};

let served: ConsoleUnderTest;
const paths: string[] = [];
let [heldRunOfNorth, wentLive] = ['', ''];

beforeAll(async () => {
  served = await openConsole({
    logins: { main: { coalesce: '0s' }, other: {} },
    feeds: { north: {}, south: {}, west: {}, told: { login: 'other' } },
  });
  const ops = await served.signIn('ops');
  const held = await heldRun('north', ops, served);
  const columns = await deliverAndRun('south', 'a;b\nx;1\ny;2\n', ops, served);
  const live = await deliverAndRun('west', goodRows(3, 'west'), ops, served);
  const empty = await deliverAndRun('west', '', ops, served);
  const ledger = await openLedger({ file: join(served.shop.home, 'ledger.sqlite') });
  atEnd(() => ledger.close());
  const runs = Object.values<RunReason[]>(REASONS).flatMap((reasons) => reasons.slice(0, 1));
  const ids = await ledger.transaction(async (trx) => {
    const made: string[] = [];
    for (const reason of runs) made.push(await endedRun(trx, reason));
    return made;
  });
  const incidents = await ledger.transaction((trx) => raiseAll(trx));
  [heldRunOfNorth, wentLive] = [held, live.run];
  paths.push(
    '/',
    '/runs',
    '/incidents',
    '/incidents?state=over',
    '/suppliers',
    '/system',
    '/system/service',
    '/uploads',
    `/runs/${held}/rows?group=read`,
    ...['north', 'south', 'west', 'told'].map((feed) => `/feeds/${feed}`),
    '/feeds/west/rules',
    ...['main', 'other'].map((login) => `/logins/${login}`),
    ...[held, live.run, columns.run, empty.run, ...ids].map((run) => `/runs/${run}`),
    ...incidents.map((incident) => `/incidents/${incident}`),
  );
});

/** A run that has ended for a reason, whatever it took. */
async function endedRun(db: Db, reason: RunReason): Promise<string> {
  const now = Date.now();
  const input = { feed: 'told', login: 'other', cause: 'schedule', options: {}, sandbox: false, now } as const;
  const id = await createRun(db, input);
  const outcome = OUTCOMES[reason.code] ?? 'failed';
  const ended = { outcome, stage: 'done', finished_at: now } as const;
  await updateRun(db, id, { ...ended, reason: runSentence(reason), ...storeReason(reason) });
  return id;
}

/** An incident for each reason: as many kinds as there are, each of a login or a feed of its own. */
async function raiseAll(db: Db): Promise<string[]> {
  const kinds = Object.keys(INCIDENTS) as IncidentKind[];
  const ids: string[] = [];
  for (const [at, reason] of INCIDENT_TOLD.entries()) {
    const about = { kind: kinds[at % kinds.length]!, login: 'other', feed: at < kinds.length ? 'told' : null };
    await raise(db, { ...about, run: null, reason }, Date.now());
    ids.push((await openIncident(db, about))?.id ?? '');
  }
  return ids;
}

describe.each(languages().filter((name) => name !== USUAL_LANGUAGE))('who reads %s', (name) => {
  let client: Client;
  beforeAll(async () => {
    client = await served.signIn('ops');
    await client.post('/language', { language: name, to: '/' });
  });

  test('finds no English sentence of the product on any page that is not marked as English', async () => {
    for (const path of paths) {
      const english = englishIn(ownWords(await client.page(path)));
      expect({ path, english }).toEqual({ path, english: [] });
    }
  });

  test('finds nothing marked as English but quotations', async () => {
    for (const path of paths) {
      const [main = ''] = /<main[^]*<\/main>/u.exec(await client.page(path)) ?? [];
      const marked = main.match(/<(?!q\b)\w+[^>]* lang="en"[^>]*>[^<]*/gu) ?? [];
      expect({ path, marked }).toEqual({ path, marked: [] });
    }
  });

  test('reads the events and checks of a run that went live in that language, and nothing is quoted', async () => {
    expect((await client.page(`/runs/${wentLive}`)).match(/<q lang="en">[^<]*/gu)).toBeNull();
  });

  test('is refused a sign-in, a page and a form in that language', async () => {
    const stranger = served.visitor();
    await stranger.post('/language', { language: name, to: '/' });
    const replies = [
      await stranger.post('/sign-in', { name: 'nobody', password: 'wrong' }),
      await client.get('/runs/20260101-000000-none'),
      await client.post(`/runs/${heldRunOfNorth}/approve`, { reason: ' ' }),
    ];
    for (const reply of replies) {
      const page = await reply.text();
      expect(page).toContain('role="alert"');
      expect(englishIn(ownWords(page))).toEqual([]);
    }
  });

  test('reads in that language what rules would do', async () => {
    const rules = ['rules: [{ name: a, when: { brand: { is: BOSCH } }, tags: { add: [a] } }]', 'rules: []'];
    for (const yaml of rules) {
      const page = await (await client.post('/feeds/west/rules', { yaml })).text();
      expect(page).toContain('class="stamp"');
      expect(englishIn(ownWords(page))).toEqual([]);
    }
  });

  test('reads in that language what a rehearsal of an approval would do', async () => {
    const page = await (await client.post(`/runs/${heldRunOfNorth}/rehearse`)).text();
    expect(page).toContain('class="reason held"');
    expect(englishIn(ownWords(page))).toEqual([]);
  });
});

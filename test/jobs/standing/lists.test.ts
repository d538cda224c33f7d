import { beforeAll, expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { INCIDENTS, SEVERITIES } from '../../../src/incidents.ts';
import { listAudit } from '../../../src/jobs/standing/lists/audit.ts';
import { listIncidents } from '../../../src/jobs/standing/lists/incidents.ts';
import { listRuns } from '../../../src/jobs/standing/lists/runs.ts';
import { listUploads } from '../../../src/jobs/standing/lists/uploads.ts';
import { FEEDS, openSmall } from '../../support/filled-ledger.ts';

let ctx: Context;
beforeAll(async () => {
  ctx = await openSmall();
});

const EVERYTHING = { size: 10_000 };
const scope = [FEEDS[1]!, FEEDS[4]!];

test('no list shows feeds that may not be seen', async () => {
  const lists = [
    await listRuns({ feeds: scope }, EVERYTHING, ctx),
    await listUploads({ feeds: scope }, EVERYTHING, ctx),
    await listIncidents({ feeds: scope, open: true }, EVERYTHING, ctx),
    await listIncidents({ feeds: scope, open: false }, EVERYTHING, ctx),
    await listAudit({ feeds: scope }, EVERYTHING, ctx),
  ];
  for (const { rows, total } of lists) {
    expect(rows.length).toBe(total);
    expect(total).toBeGreaterThan(0);
    const text = JSON.stringify(rows);
    const shown = [...FEEDS, 'gone-supplier'].filter((feed) => text.includes(`"${feed}"`));
    expect(shown.filter((feed) => !scope.includes(feed))).toEqual([]);
  }
});

test('who may see no feed sees nothing', async () => {
  const nothing = { rows: [], total: 0, previous: null, next: null };
  expect(await listRuns({ feeds: [] }, EVERYTHING, ctx)).toEqual(nothing);
  expect(await listUploads({ feeds: [] }, EVERYTHING, ctx)).toEqual(nothing);
  expect(await listIncidents({ feeds: [], open: true }, EVERYTHING, ctx)).toEqual(nothing);
  expect(await listAudit({ feeds: [] }, EVERYTHING, ctx)).toEqual(nothing);
});

test('with a scope an upload shows its own rows only, and nothing that the service says of the whole dataset', async () => {
  const all = await listUploads({ feeds: null }, EVERYTHING, ctx);
  const some = await listUploads({ feeds: scope }, EVERYTHING, ctx);
  for (const { upload, rows, feeds, error, note, receipt } of some.rows) {
    const whole = all.rows.find((one) => one.upload === upload)!;
    expect(rows).toBe(feeds.reduce((sum, one) => sum + one.rows, 0));
    expect(rows).toBeLessThanOrEqual(whole.rows);
    expect([error, note, receipt]).toEqual([null, null, null]);
  }
});

test('an upload says how many rows it carried, what became of it, and whether that was proved', async () => {
  const { rows } = await listUploads({ feeds: null }, EVERYTHING, ctx);
  for (const { rows: carried, feeds } of rows) expect(carried).toBe(feeds.reduce((sum, one) => sum + one.rows, 0));
  for (const { verified, result } of rows.filter(({ state }) => state === 'success'))
    expect(verified).toBe(result === 'met');
  const ofOpen = rows.filter(({ result, state }) => result === null && state !== 'lost');
  expect(ofOpen.map(({ closed }) => closed)).toEqual([null]);
  const open = await listUploads({ feeds: null, open: true }, EVERYTHING, ctx);
  expect(open.rows.map(({ state }) => state)).toEqual(['submitted']);
});

test('an incident says how grave it is, what it means and what to do', async () => {
  const { rows } = await listIncidents({ feeds: null, open: true }, EVERYTHING, ctx);
  expect(rows.length).toBeGreaterThan(3);
  for (const { kind, severity, meaning, steps, sentence } of rows) {
    expect(severity).toBe(INCIDENTS[kind].severity);
    expect([meaning, sentence, ...steps].every((text) => text.length > 0)).toBe(true);
  }
});

test('the gravest incidents come first, on a page as among all', async () => {
  const all = await listIncidents({ feeds: null, open: true }, EVERYTHING, ctx);
  const ranks = all.rows.map(({ severity }) => SEVERITIES.indexOf(severity));
  expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
  const page = await listIncidents({ feeds: null, open: true }, { size: 3 }, ctx);
  expect(page.rows).toEqual(all.rows.slice(0, 3));
});

test('a decision says what it was about', async () => {
  const { rows } = await listAudit({ feeds: null }, EVERYTHING, ctx);
  for (const { action, subject, about } of rows) {
    const [named] = Object.entries(about);
    expect(named).toBeDefined();
    const kind =
      action === 'rollback'
        ? 'login'
        : ['pause', 'resume', 'release'].includes(action)
          ? 'feed'
          : action === 'resolve'
            ? 'upload'
            : 'run';
    expect(named).toEqual([kind, subject.split(' ').at(-1)]);
  }
});

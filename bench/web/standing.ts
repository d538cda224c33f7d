/** Measures what pages of the console ask of a large installation, in one warm process: `node bin/pinned.mjs bench/web/standing.ts`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContext } from '../../src/app/open-context.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Context } from '../../src/context.ts';
import { expectationOf } from '../../src/jobs/standing/feed/expectation.ts';
import { feedGuards } from '../../src/jobs/standing/feed/guards.ts';
import { feedHistory } from '../../src/jobs/standing/feed/history.ts';
import { allFeedStates, feedStates } from '../../src/jobs/standing/feed-state.ts';
import { listAudit } from '../../src/jobs/standing/lists/audit.ts';
import { listIncidents } from '../../src/jobs/standing/lists/incidents.ts';
import { listRuns } from '../../src/jobs/standing/lists/runs.ts';
import { listUploads } from '../../src/jobs/standing/lists/uploads.ts';
import { loginStates } from '../../src/jobs/standing/login-state.ts';
import { statusOf } from '../../src/jobs/standing/status.ts';
import { createLog } from '../../src/log.ts';
import { configure, fillHome, LARGE } from './fill-ledger.ts';

const ROUNDS = 40;

const folder = mkdtempSync(join(tmpdir(), 'bench-standing-'));
try {
  const file = configure(folder, LARGE);
  const home = join(folder, 'home');
  await fillHome(file, home, LARGE);
  const log = await createLog({ level: 'error', pretty: false });
  const { ctx, close } = await openContext(await loadConfig({ file, home, env: {} }), log);
  for (const [name, ask] of Object.entries(questionsOf(ctx))) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const began = performance.now();
      await ask();
      times.push(performance.now() - began);
    }
    const [first = 0] = times;
    const sorted = times.slice(5).sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(1);
    console.log(`${name}: median ${at(0.5)} ms, 90 % within ${at(0.9)} ms, first ${first.toFixed(0)} ms`);
  }
  await close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** What pages ask, by what is measured. */
function questionsOf(ctx: Context): Record<string, () => Promise<unknown>> {
  const feeds = Object.keys(ctx.config.feeds);
  const [feed = ''] = feeds;
  const scope = feeds.filter((_, at) => at % 20 === 3);
  const all = { feeds: null };
  const page = { size: 50 };
  return {
    statusOf: () => statusOf(ctx),
    'statusOf, 10 feeds': () => statusOf(ctx, { scope }),
    feedStates: () => feedStates(ctx),
    'feedStates, 1 feed': () => feedStates(ctx, [feed]),
    loginStates: () => loginStates(ctx),
    allFeedStates: () => allFeedStates(ctx),
    listRuns: () => listRuns(all, page, ctx),
    'listRuns, held': () => listRuns({ ...all, outcomes: ['held'] }, page, ctx),
    'listRuns, open': () => listRuns({ ...all, open: true }, page, ctx),
    'listRuns, 10 feeds': () => listRuns({ feeds: scope }, page, ctx),
    'listRuns, text found': () => listRuns({ ...all, text: 'прайс' }, page, ctx),
    'listRuns, text not found': () => listRuns({ ...all, text: 'nowhere' }, page, ctx),
    'listRuns, middle': () => listRuns(all, { ...page, after: `${ctx.clock.now() - 45 * 86_400_000}~x` }, ctx),
    listUploads: () => listUploads(all, page, ctx),
    'listUploads, open': () => listUploads({ ...all, open: true }, page, ctx),
    listIncidents: () => listIncidents({ ...all, open: true }, page, ctx),
    'listIncidents, over': () => listIncidents({ ...all, open: false }, page, ctx),
    listAudit: () => listAudit(all, page, ctx),
    'listAudit, 10 feeds': () => listAudit({ feeds: scope }, page, ctx),
    feedHistory: () => feedHistory(feed, null, ctx),
    feedGuards: () => feedGuards(feed, null, ctx),
    expectationOf: () => expectationOf(feed, null, ctx),
  };
}

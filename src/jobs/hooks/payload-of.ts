import { dictionary, own } from '../../io/dictionary.ts';
import { supplierName } from '../../config/supplier.ts';
import type { Context } from '../../context.ts';
import { adviceOnIncident, incidentSentence, INCIDENTS, INSTALLATION } from '../../incidents.ts';
import type { HookEventRow, HookFacts, IncidentRow } from '../../ledger/schema/schema.ts';
import { incidentThen } from '../../ledger/alerts/incidents.ts';
import { getIncident } from '../../ledger/alerts/named-incident.ts';
import { findRun } from '../../ledger/runs/runs.ts';
import { getDataset, getIntent } from '../../ledger/uploads/intents.ts';
import { findUpload } from '../../ledger/uploads/uploads.ts';
import { OfferlineError } from '../../errors.ts';
import type { IncidentData, Payload } from '../../notify/hooks/payload.ts';
import { consoleOf } from '../alerts/write-mail.ts';

/** An event as it is told, and the feeds that it concerns. */
export type ToldEvent = { payload: Payload; feeds: readonly string[] };

type Facts<Of extends HookFacts['of']> = Extract<HookFacts, { of: Of }>;

/** What is told of an event; null when what it is about is not there any more. */
export async function payloadOf(row: HookEventRow, ctx: Context): Promise<ToldEvent | null> {
  const { facts } = row;
  const told = await dataOf(facts, ctx);
  if (told === null) return null;
  const timestamp = new Date(row.at).toISOString();
  const payload = { type: row.event, timestamp, seq: row.seq, sandbox: ctx.sandbox, data: told.data } as Payload;
  return { payload, feeds: told.feeds };
}

type Told = { data: Payload['data']; feeds: readonly string[] };

async function dataOf(facts: HookFacts, ctx: Context): Promise<Told | null> {
  switch (facts.of) {
    case 'run':
      return runData(facts, ctx);
    case 'incident':
      return incidentData(facts, ctx);
    case 'dataset':
      return datasetData(facts, ctx);
    case 'decision':
      return decisionData(facts, ctx);
  }
}

async function runData({ run: id, outcome, before, cause, reason }: Facts<'run'>, ctx: Context): Promise<Told | null> {
  const run = await findRun(ctx.ledger.db, id);
  if (run === undefined) return null;
  const { feed, login, delivery_sha: sha256, delivery_name: name, delivery_bytes: bytes } = run;
  const data = {
    run: id,
    feed,
    supplier: supplierName(ctx.config, feed),
    login,
    outcome,
    before,
    cause,
    reason,
    delivery: sha256 === null ? null : { name: name ?? '', sha256, bytes: bytes ?? 0 },
    rows: run.account ?? rowsOf(run.counts),
    createdAt: run.created_at,
    finishedAt: run.finished_at,
    url: pageOf(`/runs/${id}`, ctx),
  };
  return { data, feeds: [feed] };
}

/** The counts of a file that was not uploaded, without what only a report has room for. */
function rowsOf(counts: Record<string, unknown> | null) {
  if (counts === null) return null;
  const numbers = Object.entries(counts).filter(([, value]) => typeof value === 'number');
  return dictionary(numbers) as { read: number; accepted: number };
}

/** An incident that is open now, as it is told, and the feeds that it concerns. */
export function openIncidentData(row: IncidentRow, ctx: Context): { data: IncidentData; feeds: readonly string[] } {
  return incidentData({ of: 'incident', incident: incidentThen(row), change: null }, ctx);
}

function incidentData({ incident, change }: Facts<'incident'>, ctx: Context): Told & { data: IncidentData } {
  const { id, kind, login, feed, run, text, reason = null, ended: _end, ...rest } = incident;
  const { openedAt, recoveredAt, recovery, times, numbers, taken } = rest;
  const data = {
    incident: id,
    kind,
    severity: INCIDENTS[kind].severity,
    title: INCIDENTS[kind].title,
    sentence: incidentSentence(incident),
    text,
    reason,
    ...adviceOnIncident(incident),
    login: login === INSTALLATION ? null : login,
    feed,
    supplier: feed === null ? null : supplierName(ctx.config, feed),
    run,
    numbers,
    times,
    change,
    taken,
    since: openedAt,
    until: recoveredAt,
    recovery,
    url: pageOf(`/incidents/${id}`, ctx),
  };
  return { data, feeds: feed === null ? feedsOf(login, ctx) : [feed] };
}

async function datasetData({ login, intent: id, upload }: Facts<'dataset'>, ctx: Context): Promise<Told> {
  const intent = await getIntent(ctx.ledger.db, id);
  const { id: dataset, sha256, rows, parts } = await getDataset(ctx.ledger.db, intent.dataset);
  const feeds = parts.map(({ feed, run, rows: count }) => ({ feed, run, rows: count }));
  const { cause: why, rejected_rows: rejected } = intent;
  const data = { login, dataset, sha256, upload, why, rows, rejected, feeds, url: pageOf(`/logins/${login}`, ctx) };
  return { data, feeds: feeds.map(({ feed }) => feed) };
}

async function decisionData({ decision }: Facts<'decision'>, ctx: Context): Promise<Told> {
  const { id, ...rest } = decision;
  const data = { decision: id, ...rest, url: pageOf('/audit', ctx) };
  return { data, feeds: await feedsDecided(decision.subject, ctx) };
}

/** The feeds that a decision concerns, by what it was about. */
async function feedsDecided(subject: string, ctx: Context): Promise<readonly string[]> {
  const [, kind, name = ''] = /^(feed|login|user|token|incident|hook) (.+)$/u.exec(subject) ?? [];
  if (kind === 'feed') return [name];
  if (kind === 'login') return feedsOf(name, ctx);
  if (kind === 'user' || kind === 'token' || kind === 'hook') return [];
  // The subject of a proposal is its feed and what it says.
  const [, proposed] = /^([^: ]+): /u.exec(subject) ?? [];
  if (kind === undefined && proposed !== undefined) return [proposed];
  try {
    if (kind === 'incident') {
      const { feed, login } = await getIncident(ctx.ledger.db, name);
      return feed === null ? feedsOf(login, ctx) : [feed];
    }
    const run = await findRun(ctx.ledger.db, subject);
    return run === undefined ? feedsOf((await findUpload(ctx.ledger.db, subject)).login, ctx) : [run.feed];
  } catch (error) {
    if (error instanceof OfferlineError && error.code === 'not-found') return [];
    throw error;
  }
}

/** The feeds of a login; all of them where something concerns the installation. */
function feedsOf(login: string, { config: { feeds } }: Context): string[] {
  return Object.keys(feeds).filter((name) => login === INSTALLATION || own(feeds, name)?.login === login);
}

function pageOf(path: string, ctx: Context): string | null {
  const console = consoleOf(ctx);
  return console === null ? null : `${console}${path}`;
}

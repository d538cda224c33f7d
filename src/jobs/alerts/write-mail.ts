import type { Context } from '../../context.ts';
import { MAILED_BY_RUN } from '../../incidents.ts';
import type { MailSubject } from '../../ledger/schema/json-columns.ts';
import { factsOf, listIncidents } from '../../ledger/alerts/incidents.ts';
import { countRuns, findRun, runsFinished } from '../../ledger/runs/runs.ts';
import type { IncidentRow, MailRow } from '../../ledger/schema/schema.ts';
import { incidentsById, incidentsOfRun } from '../../ledger/alerts/claims.ts';
import type { MailedIncident } from '../../notify/incident-content.ts';
import { buildDayMail, buildIncidentMail, buildRunMail, type Envelope, type Mail } from '../../notify/mail.ts';
import { dayRecipients } from '../../notify/recipients.ts';
import { digestIssues } from '../../report/digest.ts';
import { answerOf } from '../queries/answer.ts';
import { reportInput } from '../queries/run-report.ts';
import { supplierFiles } from './supplier-files.ts';

/** Runs of a feed that a day's mail shows. */
const RUNS_SHOWN = 10;

/** Writes a mail from what the ledger holds now; null when there is nothing left to say. */
export async function writeMail(row: MailRow, ctx: Context): Promise<Mail | null> {
  const about = row.about;
  const envelope = { from: ctx.config.mail.from, to: row.recipient };
  if (about.of === 'run') return runMail(about, envelope, ctx);
  if (about.of === 'incidents') return incidentMail(about, row, envelope, ctx);
  return dayMail(about, envelope, ctx);
}

type About<Of extends MailSubject['of']> = Extract<MailSubject, { of: Of }>;

async function runMail(about: About<'run'>, envelope: Envelope, ctx: Context): Promise<Mail | null> {
  const run = await findRun(ctx.ledger.db, about.run);
  // An outcome that has been amended since has a mail of its own.
  if (run === undefined || run.outcome !== about.outcome) return null;
  const input = await reportInput(run, ctx);
  const issues = await digestIssues(input);
  const answer = { ...input.answer, unreadable: [...input.unreadable] };
  const files = await supplierFiles(run, input, envelope.to, ctx);
  const incidents = await incidentsOfRun(ctx.ledger.db, run.id, MAILED_BY_RUN);
  return buildRunMail({ answer, issues, ...files, incidents, timeZone: input.timeZone }, envelope);
}

async function incidentMail(
  { phase, incidents }: About<'incidents'>,
  row: MailRow,
  envelope: Envelope,
  ctx: Context,
): Promise<Mail | null> {
  const known = await incidentsById(ctx.ledger.db, incidents);
  const still = phase === 'recovery' ? known : known.filter(({ recovered_at }) => recovered_at === null);
  const [first, ...more] = still.map(mailed);
  if (first === undefined) return null;
  const zone = ctx.config.feeds[first.feed ?? '']?.schedule?.timezone;
  const day = new Date(row.at).toISOString().slice(0, 10);
  return buildIncidentMail({ phase, incidents: [first, ...more], day, sandbox: ctx.sandbox, timeZone: zone }, envelope);
}

async function dayMail({ day, from, to }: About<'day'>, envelope: Envelope, ctx: Context): Promise<Mail | null> {
  const { config, sandbox } = ctx;
  const { db } = ctx.ledger;
  const manager = dayRecipients(config.managers, Object.keys(config.feeds)).find(({ email }) => email === envelope.to);
  if (manager === undefined) return null;
  const logins = new Set(manager.feeds.map((feed) => config.feeds[feed]?.login));
  const open = (await listIncidents(db)).filter(({ feed, login }) =>
    feed === null ? logins.has(login) : manager.feeds.includes(feed),
  );
  const feeds = await Promise.all(
    manager.feeds.map(async (feed) => {
      const runs = await runsFinished(db, { feed, from, to, limit: RUNS_SHOWN });
      const total = runs.length < RUNS_SHOWN ? runs.length : await countRuns(db, { feed, from, to });
      return { feed, runs: await Promise.all(runs.map(({ id }) => answerOf(id, ctx))), total };
    }),
  );
  const timeZone = config.mail.daily.timezone;
  return buildDayMail({ day, from, to, incidents: open.map(mailed), feeds, sandbox, timeZone }, envelope);
}

function mailed(row: IncidentRow): MailedIncident {
  const { id, opened_at, recovered_at, recovery } = row;
  return { id, ...factsOf(row), openedAt: opened_at, recoveredAt: recovered_at, recovery };
}

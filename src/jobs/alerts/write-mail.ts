import { publicOrigin } from '../../config/public-origin.ts';
import { supplierName } from '../../config/supplier.ts';
import type { Context } from '../../context.ts';
import { MAILED_BY_RUN, type Audience } from '../../incidents.ts';
import type { MailSubject } from '../../ledger/schema/json-values.ts';
import { factsOf } from '../../ledger/alerts/incidents.ts';
import { queuedMails } from '../../ledger/alerts/mails.ts';
import { findRun } from '../../ledger/runs/runs.ts';
import type { IncidentRow, MailRow } from '../../ledger/schema/schema.ts';
import { incidentsById, incidentsOfRun } from '../../ledger/alerts/claims.ts';
import type { MailedIncident } from '../../notify/content/incident-content.ts';
import { buildDigestMail } from '../../notify/digest/mail.ts';
import { buildIncidentMail, buildRunMail, type Envelope, type Mail } from '../../notify/mail.ts';
import { digestRecipients } from '../../notify/recipients.ts';
import { groupCauses } from '../../report/causes.ts';
import { openLanguage } from '../../wording/language/language.ts';
import { reportInput } from '../queries/run-report.ts';
import { buildScorecardMail } from '../../report/scorecard/mail.ts';
import { scorecard } from '../queries/scorecard.ts';
import { gatherDigest } from './digest-facts.ts';
import { newestDigestId } from './digests.ts';
import { isSamePerson, peopleNow, workOf, type People } from './people.ts';
import { lastDone } from './reminders.ts';
import { supplierFiles } from './supplier-files.ts';

/** Writes a mail from what the ledger holds now; null when there is nothing left to say. */
export async function writeMail(row: MailRow, ctx: Context): Promise<Mail | null> {
  const about = row.about;
  const envelope = { from: ctx.config.mail.from, to: row.recipient };
  if (about.of === 'run') return runMail(about, envelope, ctx);
  if (about.of === 'incidents') return incidentMail(about, row, envelope, ctx);
  return about.of === 'month' ? scorecardMail(about, envelope, ctx) : digestMail(about, row, envelope, ctx);
}

type About<Of extends MailSubject['of']> = Extract<MailSubject, { of: Of }>;

async function runMail(about: About<'run'>, envelope: Envelope, ctx: Context): Promise<Mail | null> {
  const run = await findRun(ctx.ledger.db, about.run);
  // An outcome that has been amended since has a mail of its own.
  if (run === undefined || run.outcome !== about.outcome) return null;
  const { language, audience } = readerOf(envelope.to, ctx);
  const input = await reportInput(run, ctx, language);
  const causes = await groupCauses(input);
  const answer = { ...input.answer, unreadable: [...input.unreadable] };
  const files = await supplierFiles(run, input, envelope.to, ctx);
  const incidents = await incidentsOfRun(ctx.ledger.db, run.id, MAILED_BY_RUN);
  return buildRunMail({ ...input, answer, audience, console: consoleOf(ctx), causes, ...files, incidents }, envelope);
}

/** Where readers find the console; what listens on one machine only is no address for them. */
export function consoleOf({ config }: Pick<Context, 'config'>): string | null {
  return publicOrigin(config);
}

/** How somebody is to be spoken to; whoever is no longer configured as a manager. */
export function readerOf(email: string, { config }: Context): { language: string; audience: Audience } {
  const known = config.managers.filter((manager) => manager.email.toLowerCase() === email.toLowerCase());
  const language = known.find((manager) => manager.language !== undefined)?.language ?? config.mail.language;
  return { language, audience: known.some(({ audience }) => audience === 'ops') ? 'ops' : 'managers' };
}

async function incidentMail(
  { phase, incidents }: About<'incidents'>,
  row: MailRow,
  envelope: Envelope,
  ctx: Context,
): Promise<Mail | null> {
  const known = await incidentsById(ctx.ledger.db, incidents);
  const still = phase === 'recovery' ? known : known.filter(({ recovered_at }) => recovered_at === null);
  const people = await peopleNow(ctx);
  const [first, ...more] = still.map((one) => mailed(one, envelope.to, people, ctx));
  if (first === undefined) return null;
  const zone = ctx.config.feeds[first.feed ?? '']?.schedule?.timezone;
  const minute = new Date(row.at).toISOString().slice(0, 16).replaceAll(/[-:]/gu, '');
  const { language: name, audience } = readerOf(envelope.to, ctx);
  const language = openLanguage(name, zone);
  return buildIncidentMail(
    { phase, incidents: [first, ...more], minute, sandbox: ctx.sandbox, language, audience, console: consoleOf(ctx) },
    envelope,
  );
}

async function digestMail(
  { of, day, from }: About<'day' | 'week' | 'month'>,
  row: MailRow,
  envelope: Envelope,
  ctx: Context,
) {
  const { config, clock, ledger } = ctx;
  const every = of === 'day' ? 'daily' : 'weekly';
  const recipients = digestRecipients(config.managers, every, Object.keys(config.feeds));
  const reader = recipients.find(({ email }) => email.toLowerCase() === envelope.to.toLowerCase());
  if (reader === undefined || reader.feeds.length === 0) return null;
  // Each says how things stand when it is sent: of several that waited for a mail server, the newest is enough.
  const newest = newestDigestId(config.mail, every, envelope.to, clock.now());
  if (newest !== null && newest !== row.id && (await queuedMails(ledger.db, [newest])).has(newest)) return null;
  const { language: name, audience } = readerOf(envelope.to, ctx);
  const language = openLanguage(name, config.mail[every].timezone);
  const input = await gatherDigest(
    { every, day, since: from, feeds: reader.feeds, audience, console: consoleOf(ctx), language },
    ctx,
  );
  return buildDigestMail(input, envelope);
}

async function scorecardMail(
  { day, from, to }: About<'day' | 'week' | 'month'>,
  envelope: Envelope,
  ctx: Context,
): Promise<Mail | null> {
  const { managers, feeds, mail } = ctx.config;
  const recipients = digestRecipients(managers, 'monthly', Object.keys(feeds));
  const reader = recipients.find(({ email }) => email.toLowerCase() === envelope.to.toLowerCase());
  if (reader === undefined || reader.feeds.length === 0) return null;
  const language = openLanguage(readerOf(envelope.to, ctx).language, mail.daily.timezone);
  // Ranks are among all suppliers; a manager reads of those that they watch.
  const all = await scorecard({ from, to, feeds: Object.keys(feeds), language }, ctx);
  const scores = all.scores.filter(({ feed }) => reader.feeds.includes(feed));
  return buildScorecardMail({ ...all, scores }, day, envelope);
}

const DAY_MS = 86_400_000;

function mailed(row: IncidentRow, reader: string, people: People, { config, clock }: Context): MailedIncident {
  const { id, feed, opened_at, recovered_at, recovery, taken_by: holder } = row;
  const email = holder === null ? null : (people.find(holder)?.email ?? null);
  return {
    id,
    supplier: feed === null ? null : supplierName(config, feed),
    ...factsOf(row),
    openedAt: opened_at,
    recoveredAt: recovered_at,
    recovery,
    work: workOf(row, people, clock.now()),
    isReaders: email !== null && isSamePerson(email, reader),
    isIdle: lastDone(row, clock.now()) <= clock.now() - DAY_MS,
  };
}

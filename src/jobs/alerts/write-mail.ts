import { publicOrigin } from '../../config/public-origin.ts';
import { supplierName } from '../../config/supplier.ts';
import type { Context } from '../../context.ts';
import { MAILED_BY_RUN, type Audience } from '../../incidents.ts';
import type { MailSubject } from '../../ledger/schema/json-values.ts';
import { factsOf } from '../../ledger/alerts/incidents.ts';
import { queuedMails } from '../../ledger/alerts/mails.ts';
import { findRun } from '../../ledger/runs/runs.ts';
import type { IncidentRow, MailRow, UserRow } from '../../ledger/schema/schema.ts';
import { allUsers } from '../../ledger/access/users.ts';
import type { IncidentWork } from '../../model.ts';
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
import { supplierFiles } from './supplier-files.ts';

/** Writes a mail from what the ledger holds now; null when there is nothing left to say. */
export async function writeMail(row: MailRow, ctx: Context): Promise<Mail | null> {
  const about = row.about;
  const envelope = { from: ctx.config.mail.from, to: row.recipient };
  if (about.of === 'run') return runMail(about, row, envelope, ctx);
  if (about.of === 'incidents') return incidentMail(about, row, envelope, ctx);
  return about.of === 'month' ? scorecardMail(about, envelope, ctx) : digestMail(about, row, envelope, ctx);
}

type About<Of extends MailSubject['of']> = Extract<MailSubject, { of: Of }>;

async function runMail(about: About<'run'>, row: MailRow, envelope: Envelope, ctx: Context): Promise<Mail | null> {
  const run = await findRun(ctx.ledger.db, about.run);
  // An outcome that has been amended since has a mail of its own.
  if (run === undefined || run.outcome !== about.outcome) return null;
  const { language, audience } = await readerOf(envelope.to, ctx);
  const input = await reportInput(run, ctx, language);
  const causes = await groupCauses(input);
  const answer = { ...input.answer, unreadable: [...input.unreadable] };
  const files = await supplierFiles(run, input, row, ctx);
  const incidents = await incidentsOfRun(ctx.ledger.db, run.id, MAILED_BY_RUN);
  const work = await workOfRun(run.id, ctx);
  const facts = { audience, console: consoleOf(ctx), causes, incidents, work };
  return buildRunMail({ ...input, answer, ...facts, ...files }, envelope);
}

/** Who works on the incidents that a run brought and that are open, and which of them are quiet. */
export async function workOfRun(run: string, ctx: Context): Promise<IncidentWork[]> {
  const { db } = ctx.ledger;
  const brought = await incidentsById(db, await incidentsOfRun(db, run, MAILED_BY_RUN));
  const open = brought.filter(({ recovered_at }) => recovered_at === null);
  const people = await peopleNow(ctx);
  return open.map((row) => workOf(row, people, ctx.clock.now()));
}

/** Where readers find the console; what listens on one machine only is no address for them. */
export function consoleOf({ config }: Pick<Context, 'config'>): string | null {
  return publicOrigin(config);
}

/** How somebody is to be spoken to: as `managers` say of the address, else as a user of the console who has it; whoever is neither, as a manager. */
export async function readerOf(
  email: string,
  { config, ledger }: Context,
): Promise<{ language: string; audience: Audience }> {
  const known = config.managers.filter((manager) => isSamePerson(manager.email, email));
  const users = known.length > 0 ? [] : (await allUsers(ledger.db)).filter((user) => isUserAt(user, email));
  const language = [...known, ...users].find((one) => one.language != null)?.language ?? config.mail.language;
  const isOps = known.some(({ audience }) => audience === 'ops') || users.some(({ role }) => OPERATORS.includes(role));
  return { language, audience: isOps ? 'ops' : 'managers' };
}

/** The roles of users who run the installation. */
const OPERATORS: readonly UserRow['role'][] = ['ops', 'admin'];

function isUserAt({ email, disabled_at }: UserRow, address: string): boolean {
  return disabled_at === null && email !== null && isSamePerson(email, address);
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
  const { language: name, audience } = await readerOf(envelope.to, ctx);
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
  const { language: name, audience } = await readerOf(envelope.to, ctx);
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
  const language = openLanguage((await readerOf(envelope.to, ctx)).language, mail.daily.timezone);
  // Ranks are among all suppliers; a manager reads of those that they watch.
  const all = await scorecard({ from, to, feeds: Object.keys(feeds), language }, ctx);
  const scores = all.scores.filter(({ feed }) => reader.feeds.includes(feed));
  return buildScorecardMail({ ...all, scores }, day, envelope);
}

function mailed(row: IncidentRow, reader: string, people: People, { config, clock }: Context): MailedIncident {
  const { id, feed, opened_at, recovered_at, recovery, taken_by: holder } = row;
  const email = holder === null ? null : (people.find(holder)?.email ?? null);
  const work = workOf(row, people, clock.now());
  return {
    id,
    supplier: feed === null ? null : supplierName(config, feed),
    ...factsOf(row),
    openedAt: opened_at,
    recoveredAt: recovered_at,
    recovery,
    work,
    isReaders: email !== null && isSamePerson(email, reader),
  };
}

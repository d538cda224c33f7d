import type { Context } from '../../context.ts';
import { AFFECTING, INCIDENTS, INSTALLATION, isRequest } from '../../incidents.ts';
import type { Db } from '../../ledger/ledger.ts';
import { wasWorkedOn } from '../../ledger/alerts/incident-work.ts';
import { factsOf } from '../../ledger/alerts/incidents.ts';
import { queueMail } from '../../ledger/alerts/mails.ts';
import { findRun } from '../../ledger/runs/runs.ts';
import type { IncidentRow, RunRow } from '../../ledger/schema/schema.ts';
import { dueNotifications, claimNotification, dueToManagers, type Due } from '../../ledger/alerts/claims.ts';
import type { MailSubject } from '../../ledger/schema/json-values.ts';
import type { Outcome } from '../../model.ts';
import { brandsWatched, hasOps, runRecipients, incidentRecipients } from '../../notify/recipients.ts';
import { spellingsOf } from '../../config/schema/feed-settings.ts';
import { createSpeller } from '../../parts/spellings.ts';
import { brandsTouched } from '../../report/touched.ts';
import { reportInput } from '../queries/run-report.ts';
import { DAY_MS, isGone, isSamePerson, lastDone, peopleNow, type People } from './people.ts';
import { reminderOf, type Reminded } from './reminders.ts';

const HOUR_MS = 3_600_000;

/** Outcomes with which a strange delivery is the one that the next is compared with: it is announced once. */
const LIVE: readonly Outcome[] = ['live', 'partial', 'unchanged'];

/** Queues the mails to those who want one about every run and, of a strange delivery that is live, to those who want problems. */
export async function notifyOfRun(run: RunRow, ctx: Context): Promise<void> {
  if (run.outcome === null) return;
  const isStrange = LIVE.includes(run.outcome) && (run.signals?.findings.length ?? 0) > 0;
  for (const { email } of runRecipients(ctx.config.managers, run.feed, isStrange)) {
    await queueMail(ctx.ledger.db, runMail(run.id, run.outcome, email), ctx.clock.now());
  }
}

/**
 * Queues the mails about incidents: one when something is wrong, one a day while it is, one when it is over. Each notification is
 * claimed in the ledger, so that several workers send it once. Several suppliers or logins with the same problem share a mail.
 */
export async function notifyOfIncidents(ctx: Context): Promise<void> {
  const { managers } = ctx.config;
  const people = await peopleNow(ctx);
  const due: Due[] = [];
  for (const one of await dueNotifications(ctx.ledger.db, ctx.clock.now(), DAY_MS)) {
    const reminded = one.phase === 'reminder' ? await remindedOf(one.incident, people, ctx) : 'all';
    if (reminded !== null) due.push({ ...one, onlyHolder: reminded === 'holder' });
  }
  const affected = hasOps(managers) ? await dueToManagers(ctx.ledger.db, AFFECTING, ctx.clock.now() - HOUR_MS) : [];
  const groups = Map.groupBy([...due, ...affected], sharedMail);
  for (const group of groups.values()) await notifyOfGroup(group, people, ctx);
}

async function remindedOf(incident: IncidentRow, people: People, { ledger, clock }: Context): Promise<Reminded | null> {
  const now = clock.now();
  const gone = isGone(incident, people);
  const since = now - DAY_MS;
  const isAsked = incident.taken_by !== null && !gone;
  const worked = isAsked && (lastDone(incident, now) > since || (await wasWorkedOn(ledger.db, incident, since)));
  const reminded = reminderOf(incident, { now, every: DAY_MS, gone, worked });
  // Of what nobody is reminded of, whoever is given it is told once.
  const isGiven = reminded === 'holder' && incident.holder_told_at === null;
  return INCIDENTS[incident.kind].remind || isGiven ? reminded : null;
}

/** What shares a mail: the same problem in the same phase. What a run brought has rows of its own, unless it could not even begin. */
function sharedMail({ phase, incident }: Due): string {
  const { kind, run, id } = incident;
  const { ended } = factsOf(incident);
  if (run === null || !INCIDENTS[kind].byRun) return `${phase} ${kind}`;
  return ended?.outcome === 'failed' ? `${phase} ${kind} ${ended.cause}` : `${phase} ${kind} ${id}`;
}

/** A mail as it is decided. */
type Decided = { id: string; recipient: string; about: MailSubject };

async function notifyOfGroup(group: Due[], people: People, ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const concerned = await Promise.all(group.map(async (due) => ({ due, emails: await emailsOf(due, people, ctx) })));
  await ctx.ledger.transaction(async (trx) => {
    const mine: typeof concerned = [];
    for (const one of concerned) if (await claimNotification(trx, one.due, now)) mine.push(one);
    // No recovery is announced of what was never announced.
    const announced = mine.filter(({ due: { phase, incident } }) => phase !== 'recovery' || incident.told_at !== null);
    const recipients = new Set(announced.flatMap(({ emails }) => emails));
    for (const email of recipients) {
      const theirs = announced.filter(({ emails }) => emails.includes(email)).map(({ due }) => due);
      await queueMail(trx, await mailOf(theirs, email, now, trx), now);
    }
  });
}

/** Whom a notification goes to; whoever works on the incident hears of it in any case. */
async function emailsOf(due: Due, people: People, ctx: Context): Promise<string[]> {
  const { taken_by: holder } = due.incident;
  const email = holder === null || due.phase === 'affected' ? null : (people.find(holder)?.email ?? null);
  const others = due.onlyHolder ? [] : withDeciders(await emailsFor(due, ctx), due, people);
  return email === null || others.some((other) => isSamePerson(other, email)) ? others : [...others, email];
}

/** Of what waits for a second person, all who may agree are told, and how it ended whoever asked as well; no reminder follows. */
function withDeciders(emails: string[], { phase, incident: { kind, feed, numbers } }: Due, people: People): string[] {
  if (!isRequest(kind)) return emails;
  const deciders = people.deciders(feed, phase === 'recovery' ? null : String(numbers['by']));
  return [...emails, ...deciders.filter((one) => !emails.some((other) => isSamePerson(other, one)))];
}

async function emailsFor({ phase, incident }: Due, ctx: Context): Promise<string[]> {
  const { managers, feeds: configured } = ctx.config;
  const { feed, login, run, managers_told_at } = incident;
  const { kind, ended = null } = factsOf(incident);
  const isOfLogin = (name: string) => login === INSTALLATION || configured[name]?.login === login;
  const ofLogin = () => Object.keys(configured).filter(isOfLogin);
  const brands = kind === 'rejected-rows' && feed !== null ? brandsWatched(managers, feed) : new Set<string>();
  const row = run === null || brands.size === 0 ? undefined : await findRun(ctx.ledger.db, run);
  const spell = createSpeller(spellingsOf(ctx.config, feed ?? undefined));
  const touched =
    row === undefined ? new Set<string>() : await brandsTouched(await reportInput(row, ctx), brands, spell);
  const feeds = feed === null ? ofLogin() : [feed];
  const managersKnow = managers_told_at !== null;
  const recipients = incidentRecipients(managers, { kind, ended, phase, feeds, touched, managersKnow });
  return recipients.map(({ email }) => email);
}

/** What a run brought is announced by that run's mail with its rows, everything else by a mail about the incident. */
async function mailOf(due: Due[], email: string, now: number, db: Db): Promise<Decided> {
  const [{ phase, incident }] = due as [Due, ...Due[]];
  const source = phase === 'problem' ? incident.run : phase === 'recovery' ? incident.recovered_run : null;
  if (due.length === 1 && source !== null && INCIDENTS[incident.kind].byRun) {
    const run = await findRun(db, source);
    if (run !== undefined && run.outcome !== null) return runMail(source, run.outcome, email);
  }
  const incidents = due.map(({ incident: { id } }) => id);
  const stamp = phase === 'reminder' ? `reminder ${now}` : phase;
  return { id: `${incident.id} ${stamp} ${email}`, recipient: email, about: { of: 'incidents', phase, incidents } };
}

/** One address gets one mail about a run and its outcome, even if there are several occasions. */
function runMail(run: string, outcome: Outcome, email: string): Decided {
  return { id: `${run} ${outcome} ${email}`, recipient: email, about: { of: 'run', run, outcome } };
}

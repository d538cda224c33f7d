import type { HookConfig } from '../../config/schema/hooks/hook-schema.ts';
import { own } from '../../io/dictionary.ts';
import type { Context } from '../../context.ts';
import { INSTALLATION, type IncidentFacts } from '../../incidents.ts';
import { incidentsById } from '../../ledger/alerts/claims.ts';
import { findRun } from '../../ledger/runs/runs.ts';
import type { Content } from '../../notify/content/content.ts';
import { incidentContent, type IncidentMailInput, type MailedIncident } from '../../notify/content/incident-content.ts';
import { runContent } from '../../notify/content/run-content.ts';
import { alertOf, testAlert } from '../../notify/hooks/alertmanager.ts';
import { mattermostMessage } from '../../notify/hooks/chat/mattermost.ts';
import { chatParts, noteParts, type ChatParts } from '../../notify/hooks/chat/parts.ts';
import { slackMessage } from '../../notify/hooks/chat/slack.ts';
import { teamsMessage } from '../../notify/hooks/chat/teams.ts';
import { payloadIn, type IncidentData, type Payload } from '../../notify/hooks/payload.ts';
import { groupCauses } from '../../report/causes.ts';
import { openLanguage, type Language } from '../../wording/language/language.ts';
import { consoleOf, workOfRun } from '../alerts/write-mail.ts';
import { reportInput } from '../queries/run-report.ts';

type Written = Pick<HookConfig, 'format' | 'language' | 'audience'>;

const CHATS = { slack: slackMessage, teams: teamsMessage, mattermost: mattermostMessage };

/** Writes a message in the format of its hook; null when there is nothing left to say, or the format cannot say it. */
export async function writeBody(body: string, hook: Written, ctx: Context): Promise<string | null> {
  const { format } = hook;
  if (format === 'json') return body;
  const payload = payloadIn(body);
  if (format === 'alertmanager') return alertBody(payload, ctx);
  const parts = await partsOf(payload, hook, ctx);
  return parts === null ? null : JSON.stringify(CHATS[format](parts));
}

async function alertBody({ type, data }: Payload, { clock, ledger }: Context): Promise<string | null> {
  if (type === 'hook.test') return JSON.stringify([testAlert(data.hook, clock.now())]);
  if (!isIncident(type)) return null;
  const incident = data as IncidentData;
  // A message that is replayed must not open again what is over.
  const [row] = await incidentsById(ledger.db, [incident.incident]);
  const until = incident.until ?? row?.recovered_at ?? null;
  return JSON.stringify([alertOf({ ...incident, until }, clock.now())]);
}

function isIncident(type: Payload['type']): boolean {
  return type.startsWith('incident.');
}

async function partsOf(payload: Payload, hook: Written, ctx: Context): Promise<ChatParts | null> {
  const { type, data } = payload;
  const name = hook.language ?? ctx.config.mail.language;
  if (type === 'hook.test') return noteParts(openLanguage(name).say('hook.test', { hook: data.hook }));
  const feed = 'feed' in data && typeof data.feed === 'string' ? data.feed : null;
  const zone = feed === null ? undefined : own(ctx.config.feeds, feed)?.schedule?.timezone;
  const language = openLanguage(name, zone);
  if (isIncident(type)) return chatParts(contentOfIncident(payload, hook, language, ctx));
  if (type !== 'run.ended') return null;
  const content = await contentOfRun(data.run, data.outcome, hook, language, ctx);
  return content === null ? null : chatParts(content);
}

/** The same as the mail about it; what changed is said like what begins. */
function contentOfIncident(
  { type, timestamp, data }: Payload,
  hook: Written,
  language: Language,
  ctx: Context,
): Content {
  const incident = data as IncidentData;
  const isReminder = type === 'incident.changed' && incident.change === 'reminder';
  const input: IncidentMailInput = {
    phase: type === 'incident.closed' ? 'recovery' : isReminder ? 'reminder' : 'problem',
    incidents: [mailedIncident(incident)],
    minute: timestamp.slice(0, 16).replaceAll(/[-:]/gu, ''),
    sandbox: ctx.sandbox,
    language,
    audience: hook.audience,
    console: consoleOf(ctx),
  };
  return incidentContent(input);
}

function mailedIncident({ incident: id, login, numbers, since, until, ...rest }: IncidentData): MailedIncident {
  const { supplier, recovery, taken } = rest;
  const holder = taken === null ? null : { by: taken.by, since: taken.at, hasMail: true, gone: false, idle: false };
  const work = { work: { taken: holder, quiet: null }, isReaders: false };
  const { kind, feed, run, text, reason } = rest as unknown as IncidentFacts;
  const { outcome = null, cause } = numbers as Partial<NonNullable<IncidentFacts['ended']>>;
  const ended = cause === undefined ? null : { outcome, cause };
  const facts = { kind, login: login ?? INSTALLATION, feed, run, text, reason: reason ?? null, ended };
  return { id, supplier, ...facts, ...work, openedAt: since, recoveredAt: until, recovery };
}

/** The same as the mail about it; null of a run that has another outcome by now, which has a message of its own. */
async function contentOfRun(
  id: string,
  outcome: string,
  hook: Written,
  language: Language,
  ctx: Context,
): Promise<Content | null> {
  const run = await findRun(ctx.ledger.db, id);
  if (run === undefined || run.outcome !== outcome) return null;
  const input = await reportInput(run, ctx, language.name);
  const causes = await groupCauses(input);
  const { audience } = hook;
  const facts = { audience, console: consoleOf(ctx), causes, csv: null, incidents: [], work: await workOfRun(id, ctx) };
  return runContent({ ...input, ...facts }, null);
}

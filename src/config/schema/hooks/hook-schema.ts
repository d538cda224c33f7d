import { AUDIENCES } from '../../../incidents.ts';
import { z } from '../zod.ts';
import { credential, type WithSecrets } from '../credential.ts';
import { language } from '../feeds/feed-schema.ts';
import { name } from '../names.ts';
import { hostName } from '../service-schema.ts';
import { duration } from '../units.ts';

/** What hooks are told of; docs/hooks.md says when each happens. */
export const HOOK_EVENTS = [
  'run.ended',
  'incident.opened',
  'incident.changed',
  'incident.closed',
  'dataset.live',
  'decision.made',
] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/** How messages are written: for programs, for people in a chat, for an Alertmanager. */
export const HOOK_FORMATS = ['json', 'slack', 'teams', 'mattermost', 'alertmanager'] as const;

export type HookFormat = (typeof HOOK_FORMATS)[number];

/** What a format can say: chats say what mails say, an Alertmanager knows what is wrong and what is not. */
const SAYABLE: Record<HookFormat, readonly HookEvent[]> = {
  json: HOOK_EVENTS,
  slack: HOOK_EVENTS.slice(0, 4),
  teams: HOOK_EVENTS.slice(0, 4),
  mattermost: HOOK_EVENTS.slice(0, 4),
  alertmanager: HOOK_EVENTS.slice(1, 4),
};

const SECRET =
  'expected a secret such as "${HOOK_SECRET}" or { file: PATH }, or a list of two while one takes the place of the other';

/** An address that is told of events. Its URL is a credential: whoever knows it may write there. */
export const hook = z.strictObject({
  url: credential('line'),
  secret: z.union([credential(), z.array(credential()).min(1).max(2)], { error: SECRET }).optional(),
  events: z.array(z.enum(HOOK_EVENTS)).min(1).optional(),
  feeds: z.array(name).optional(),
  format: z.enum(HOOK_FORMATS).default('json'),
  language: language.optional(),
  audience: z.enum(AUDIENCES).default('managers'),
  timeout: duration
    .refine((ms) => ms >= 1000 && ms <= 300_000, 'expected 1s to 5m: the hook is told nothing else meanwhile')
    .prefault('10s'),
  allowHosts: z.array(hostName).default([]),
});

export type HookConfig = WithSecrets<z.output<typeof hook>>;

/** The events that a hook is told of: unless it says which, a program is told of all, and others of incidents. */
export function eventsOf({ events, format }: Pick<HookConfig, 'events' | 'format'>): readonly HookEvent[] {
  return events ?? (format === 'json' ? HOOK_EVENTS : SAYABLE.alertmanager);
}

/** Events among some that a format cannot say. */
export function unsayable(events: readonly HookEvent[], format: HookFormat): HookEvent[] {
  return events.filter((event) => !SAYABLE[format].includes(event));
}

/** The secrets that its messages are signed with, the newest first. */
export function secretsOf({ secret }: Pick<HookConfig, 'secret'>): string[] {
  return [secret ?? []].flat().map((one) => one.reveal());
}

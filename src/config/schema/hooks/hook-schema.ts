import { z } from '../zod.ts';
import { credential, type WithSecrets } from '../credential.ts';
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

const SECRET =
  'expected a secret such as "${HOOK_SECRET}" or { file: PATH }, or a list of two while one takes the place of the other';

/** An address that is told of events. Its URL is a credential: whoever knows it may write there. */
export const hook = z.strictObject({
  url: credential('line'),
  secret: z.union([credential(), z.array(credential()).min(1).max(2)], { error: SECRET }).optional(),
  events: z.array(z.enum(HOOK_EVENTS)).min(1).optional(),
  feeds: z.array(name).optional(),
  timeout: duration.prefault('10s'),
  allowHosts: z.array(hostName).default([]),
});

export type HookConfig = WithSecrets<z.output<typeof hook>>;

/** The events that a hook is told of. */
export function eventsOf({ events }: Pick<HookConfig, 'events'>): readonly HookEvent[] {
  return events ?? HOOK_EVENTS;
}

/** The secrets that its messages are signed with, the newest first. */
export function secretsOf({ secret }: Pick<HookConfig, 'secret'>): string[] {
  return [secret ?? []].flat().map((one) => one.reveal());
}

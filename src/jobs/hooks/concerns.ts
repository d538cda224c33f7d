import type { HookConfig } from '../../config/schema/hooks/hook-schema.ts';
import type { IncidentData, Payload } from '../../notify/hooks/payload.ts';
import { hooksIn } from './incident.ts';

/** Incidents of the installation that are no business of whoever is told of some feeds only. */
const OPERATORS: readonly string[] = ['hook-stopped', 'missing-backup'];

/** Whether a hook is told of an incident: not of one about itself, which it could not take, and with `feeds` of what concerns one of them. */
export function isToldOf(
  hook: string,
  { feeds }: Pick<HookConfig, 'feeds'>,
  { data, feeds: concerned }: { data: Pick<IncidentData, 'kind' | 'numbers'>; feeds: readonly string[] },
): boolean {
  const { kind, numbers } = data;
  if (kind === 'hook-stopped' && hooksIn(numbers).includes(hook)) return false;
  if (feeds === undefined) return true;
  return !OPERATORS.includes(kind) && concerned.some((feed) => feeds.includes(feed));
}

/** A hook as the audit names it. */
export function subjectOfHook(hook: string): string {
  return `hook ${hook}`;
}

/** What a hook is told of an event; null when it is not its business: it hears nothing of tests and replays of its own. */
export function toldTo(
  hook: string,
  settings: Pick<HookConfig, 'feeds'>,
  { payload, feeds: concerned }: { payload: Payload; feeds: readonly string[] },
): Payload | null {
  if ('incident' in payload.data) {
    const incident = payload.data as IncidentData;
    return isToldOf(hook, settings, { data: incident, feeds: concerned }) ? payload : null;
  }
  if (payload.type === 'decision.made' && payload.data.subject === subjectOfHook(hook)) return null;
  const { feeds } = settings;
  if (feeds === undefined) return payload;
  if (!concerned.some((feed) => feeds.includes(feed))) return null;
  if (payload.type !== 'dataset.live') return payload;
  const { data } = payload;
  return { ...payload, data: { ...data, feeds: data.feeds.filter(({ feed }) => feeds.includes(feed)) } };
}

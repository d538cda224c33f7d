import type { Over } from '../../jobs/decisions/incident/work.ts';
import type { World } from './world.ts';

type Named = { incident: string; as?: string | undefined };

/** Takes an incident, as `offerline incidents take` does. */
export async function takeIncident({ incident, as, ...over }: Named & Over, { ctx, asker }: World): Promise<void> {
  const jobs = await import('../../jobs/decisions/incident/work.ts');
  await jobs.takeIncident(incident, over, { ...asker, as }, ctx);
}

/** Gives an incident to somebody, as `offerline incidents give` does. */
export async function giveIncident(
  { incident, as, ...over }: Named & Over & { to: string },
  { ctx, asker }: World,
): Promise<void> {
  const jobs = await import('../../jobs/decisions/incident/work.ts');
  await jobs.giveIncident(incident, over, { ...asker, as }, ctx);
}

/** Writes a note about an incident, as `offerline incidents note` does. */
export async function noteIncident(
  { incident, as, text }: Named & { text: string },
  { ctx, asker }: World,
): Promise<void> {
  const jobs = await import('../../jobs/decisions/incident/work.ts');
  await jobs.noteIncident(incident, text, { ...asker, as }, ctx);
}

/** Has nobody reminded of an incident for a while, as `offerline incidents quiet` does. */
export async function quietIncident(
  { incident, as, until }: Named & { until: string },
  { ctx, asker }: World,
): Promise<void> {
  const jobs = await import('../../jobs/decisions/incident/work.ts');
  await jobs.quietIncident(incident, until, { ...asker, as }, ctx);
}

/** Gives an incident back, as `offerline incidents release` does. */
export async function releaseIncident({ incident, as, ...over }: Named & Over, { ctx, asker }: World): Promise<void> {
  const jobs = await import('../../jobs/decisions/incident/work.ts');
  await jobs.releaseIncident(incident, over, { ...asker, as }, ctx);
}

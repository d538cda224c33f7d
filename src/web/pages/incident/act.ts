import { momentOf } from '../../../calendar/zone-time.ts';
import { OfferlineError } from '../../../errors.ts';
import { namedIncident } from '../../named.ts';
import { doneAt } from '../../parts/done.ts';
import type { Answer } from '../../route.ts';
import type { Visit } from '../../visit.ts';

/** Takes an incident in the visitor's name. */
export async function takeIncident(visit: Visit): Promise<Answer> {
  const { id: incident } = await namedIncident(visit);
  await visit.call('takeIncident', { incident, from: fromOf(visit) });
  return back(incident, 'take');
}

/** Gives an incident to somebody. */
export async function giveIncident(visit: Visit): Promise<Answer> {
  const { id: incident } = await namedIncident(visit);
  await visit.call('giveIncident', { incident, to: visit.form.get('to') ?? '', from: fromOf(visit) });
  return back(incident, 'give');
}

/** Writes a note about an incident. */
export async function noteIncident(visit: Visit): Promise<Answer> {
  const { id: incident } = await namedIncident(visit);
  await visit.call('noteIncident', { incident, text: visit.form.get('text') ?? '' });
  return back(incident, 'note');
}

/** Has nobody reminded of an incident for a while; times are those of the console. */
export async function quietIncident(visit: Visit): Promise<Answer> {
  const { id: incident } = await namedIncident(visit);
  const { form, ctx } = visit;
  const end = form.get('until') ?? '';
  const until = end === 'time' ? timeIn(form.get('at') ?? '', ctx.config.web.timezone) : end;
  await visit.call('quietIncident', { incident, until });
  return back(incident, 'quiet');
}

/** Gives an incident back. */
export async function releaseIncident(visit: Visit): Promise<Answer> {
  const { id: incident } = await namedIncident(visit);
  await visit.call('releaseIncident', { incident, from: fromOf(visit) });
  return back(incident, 'release');
}

function back(incident: string, done: string): Answer {
  return doneAt(`/incidents/${incident}`, done);
}

/** Who had it when the form was shown. */
function fromOf({ form }: Visit): string | undefined {
  return form.get('from') ?? undefined;
}

function timeIn(text: string, timezone: string): string {
  const shown = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/u.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  if (Number.isNaN(shown)) throw new OfferlineError('usage', 'No time was chosen, so nothing was done.');
  return new Date(momentOf(shown, timezone)).toISOString().slice(0, 19).concat('Z');
}

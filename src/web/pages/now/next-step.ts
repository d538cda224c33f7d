import type { StatusLine } from '../../../jobs/standing/status-line.ts';
import { html, type Part } from '../../../wording/html.ts';
import type { Visit } from '../../visit.ts';

/** The one next action of a line: a link to the page that explains and does it; what only a shell can do is the command. */
export function nextStep({ action, about, next }: StatusLine, { language }: Visit): Part {
  if (action === null) return null;
  if (action === 'start') return html`<code>${next}</code>`;
  const address = addressOf(action, about);
  if (address === null) return next === null ? null : html`<code>${next}</code>`;
  return html`<a class="next" href="${address}">${language.say(`web.action.${action}`)}</a>`;
}

function addressOf(action: NonNullable<StatusLine['action']>, about: StatusLine['about']): string | null {
  const of = (folder: string, id: string, part = '') => `/${folder}/${encodeURIComponent(id)}${part}`;
  if (action === 'look' && about.incident !== undefined) return of('incidents', about.incident);
  if (about.run !== undefined) return of('runs', about.run);
  if (action === 'resolve' && about.upload !== undefined) return of('uploads', about.upload);
  if (about.incident !== undefined && action === 'look') return of('incidents', about.incident);
  if (about.feed !== undefined) return of('feeds', about.feed, '#decide');
  if (about.login !== undefined) return of('logins', about.login, '#decide');
  return action === 'look' ? '/system' : null;
}

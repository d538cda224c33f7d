import type { Html } from '../../wording/html.ts';
import { namedFeed } from '../named.ts';
import { decisionForm } from '../parts/decision.ts';
import { doneAt } from '../parts/done.ts';
import type { Answer } from '../route.ts';
import type { Visit } from '../visit.ts';

/** What stands still, for the forms that end it. `denied`: a login whose credentials are refused, until somebody has them tried again. */
type Standing = { kind: 'feed' | 'login'; name: string; paused: boolean; denied: boolean; frozen: boolean };

/** The forms to pause, resume and release a feed or login. */
export function standstillForms({ kind, name, paused, denied, frozen }: Standing, { language }: Visit): Html[] {
  const { say } = language;
  const address = `/${kind}s/${encodeURIComponent(name)}`;
  const nothing = { risk: false, text: say('web.twice.nothing') };
  const forms = [
    frozen && {
      title: say('web.release.title'),
      says: [say(`web.release.says.${kind}`, { name })],
      twice: { risk: false, text: say('web.twice.later') },
      action: `${address}/release`,
      reason: true,
      button: say('web.release.title'),
    },
    (paused || denied) && {
      title: say('web.resume.title'),
      says: [say(`web.resume.says.${kind}`, { name })],
      twice: { risk: false, text: say('web.twice.later') },
      action: `${address}/resume`,
      reason: true,
      button: say('web.resume.title'),
    },
    !paused && {
      title: say('web.pause.title'),
      says: [say(`web.pause.says.${kind}`, { name })],
      twice: nothing,
      action: `${address}/pause`,
      reason: true,
      button: say('web.pause.title'),
    },
  ];
  return forms.filter((form) => form !== false).map((form) => decisionForm(form, language));
}

/** Pauses, resumes or releases a feed or a login. */
export function standstill(
  what: 'pause' | 'resume' | 'release',
  kind: 'feed' | 'login',
): (visit: Visit) => Promise<Answer> {
  return async (visit) => {
    const name = visit.params[kind] ?? '';
    if (kind === 'feed') namedFeed(visit);
    await visit.call(what, { name: `${kind}:${name}`, reason: visit.form.get('reason') ?? '' });
    return doneAt(`/${kind}s/${encodeURIComponent(name)}`, what);
  };
}

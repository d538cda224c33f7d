import { percent } from '../../wording/words.ts';
import { incidentSays } from './incident-says.ts';
import type { LoginState } from './login-state.ts';
import { NOTHING_TO_DO, type Clock, type OpenIncident, type Says, type StatusLine } from './status-line.ts';

/** A login in one line. `incidents`: its own, not those of its feeds. */
export function loginLine(state: LoginState, incidents: OpenIncident[], clock: Clock): StatusLine {
  const { login, live } = state;
  const known = { what: 'login' as const, name: login, login, rows: live?.rows ?? null, since: live?.since ?? null };
  const says = incidentSays(incidents) ?? loginSays(state, clock);
  return { ...known, ...says, about: { login, ...says.about } };
}

function loginSays(
  { login, denied, doubt, open, paused, frozen, waiting, live, watched }: LoginState,
  clock: Clock,
): Says {
  if (denied !== null)
    return {
      tone: 'bad',
      says: `the service refuses the credentials since ${clock(denied.since)}: ${denied.text}`,
      next: `offerline resume login:${login} --reason TEXT`,
      action: 'resume',
    };
  if (open?.state === 'unknown')
    return {
      tone: 'bad',
      says: `the outcome of upload ${open.upload} is unknown, and looked up`,
      next: `offerline resolve ${open.upload} --help`,
      action: 'resolve',
      about: { upload: open.upload },
    };
  if (paused !== null)
    return {
      tone: 'waiting',
      says: `paused since ${clock(paused.since)} by ${paused.who}: ${paused.reason}`,
      next: `offerline resume login:${login} --reason TEXT`,
      action: 'resume',
    };
  if (open !== null)
    return {
      tone: 'busy',
      says: `upload ${open.offerId ?? open.upload} is ${open.state}${share(open)}`,
      ...NOTHING_TO_DO,
      about: { upload: open.upload },
    };
  if (doubt !== null) return { tone: 'bad', says: doubt, next: `offerline incidents --login ${login}`, action: 'look' };
  if (frozen.length > 0)
    return {
      tone: 'waiting',
      says: `rolled back; frozen: ${frozen.join(', ')}`,
      next: `offerline release login:${login} --reason TEXT`,
      action: 'release',
    };
  if (waiting.length > 0) return { tone: 'busy', says: `to be uploaded: ${waiting.join(', ')}`, ...NOTHING_TO_DO };
  if (live === null) return { tone: 'quiet', says: 'nothing is live yet', ...NOTHING_TO_DO };
  const seen = watched.at === null ? '' : `, looked at ${clock(watched.at)}`;
  const proved = live.verified === false ? 'not verified' : 'proved';
  return { tone: 'good', says: `live since ${clock(live.since)}, ${proved}${seen}`, ...NOTHING_TO_DO };
}

/** How much the service has processed of an upload. */
function share({ processed }: NonNullable<LoginState['open']>): string {
  if (processed === null || processed.of === null || processed.of === 0) return '';
  return `, ${percent(Math.floor(Math.min(1, processed.rows / processed.of) * 100) / 100)} processed`;
}

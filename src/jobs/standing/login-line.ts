import type { Language } from '../../wording/language/language.ts';
import type { Doubt } from '../logins/live-now.ts';
import { doubtSays } from './doubt-says.ts';
import { incidentSays } from './incident-says.ts';
import type { LoginState } from './login-state.ts';
import { NOTHING_TO_DO, type OpenIncident, type Says, type StatusLine, type Wording } from './status-line.ts';

/** A login in one line. `incidents`: its own, not those of its feeds. `doubt`: why it is not certain for good what is live. */
export function loginLine(
  state: LoginState,
  { incidents, doubt }: { incidents: OpenIncident[]; doubt: Doubt | null },
  wording: Wording,
): StatusLine {
  const { login, live } = state;
  const known = { what: 'login' as const, name: login, login, rows: live?.rows ?? null, since: live?.since ?? null };
  const says = incidentSays(incidents, wording) ?? loginSays(state, doubt, wording);
  return { ...known, ...says, about: { login, ...says.about } };
}

function loginSays(
  { login, denied, open, paused, frozen, waiting, live, watched }: LoginState,
  doubt: Doubt | null,
  { language, clock }: Wording,
): Says {
  const { say } = language;
  if (denied !== null)
    return {
      tone: 'bad',
      says: say('status.denied', { since: clock(denied.since), text: denied.text }),
      next: `offerline resume login:${login} --reason TEXT`,
      action: 'resume',
    };
  if (open?.state === 'unknown')
    return {
      tone: 'bad',
      says: say('status.unknown', { upload: open.upload }),
      next: `offerline resolve ${open.upload} --help`,
      action: 'resolve',
      about: { upload: open.upload },
    };
  if (paused !== null)
    return {
      tone: 'waiting',
      says: say('status.paused', { who: paused.who, reason: paused.reason, since: clock(paused.since) }),
      next: `offerline resume login:${login} --reason TEXT`,
      action: 'resume',
    };
  if (open !== null)
    return {
      tone: 'busy',
      says: uploadSays(open, language),
      ...NOTHING_TO_DO,
      about: { upload: open.upload },
    };
  if (doubt !== null) {
    const { text: says, ...quoted } = doubtSays(doubt, language);
    return { tone: 'bad', says, ...quoted, next: `offerline incidents --login ${login}`, action: 'look' };
  }
  if (frozen.length > 0)
    return {
      tone: 'waiting',
      says: say('status.rolledBack', { feeds: frozen.join(', ') }),
      next: `offerline release login:${login} --reason TEXT`,
      action: 'release',
    };
  if (waiting.length > 0)
    return { tone: 'busy', says: say('status.toUpload', { feeds: waiting.join(', ') }), ...NOTHING_TO_DO };
  if (live === null) return { tone: 'quiet', says: say('status.nothingLive'), ...NOTHING_TO_DO };
  const words = [
    say('status.liveSince', { since: clock(live.since) }),
    say(live.verified === false ? 'status.notVerified' : 'status.proved'),
    ...(watched.at === null ? [] : [say('status.lookedAt', { at: clock(watched.at) })]),
  ];
  return { tone: 'good', says: words.join(', '), ...NOTHING_TO_DO };
}

/** Where an upload is, and how much of it the service has processed. */
function uploadSays(
  { offerId, upload, state, processed }: NonNullable<LoginState['open']>,
  language: Language,
): string {
  const said = language.say('status.upload', { upload: offerId ?? upload, state });
  if (processed === null || processed.of === null || processed.of === 0) return said;
  const share = language.percent(Math.floor(Math.min(1, processed.rows / processed.of) * 100) / 100);
  return `${said}, ${language.say('status.processed', { share })}`;
}

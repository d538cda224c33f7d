import { counted, grouped } from './wording/words.ts';

/** The fields of one line of the log, by name. */
type Fields = Record<string, unknown>;

/**
 * A line of the log in words, for people who watch a terminal; null for what is rare enough to be shown with its fields. The texts
 * in it must be `printable` already.
 */
export function logWords(fields: Fields): string | null {
  return WORDS.get(String(fields['msg']))?.(fields) ?? null;
}

const WORDS = new Map<string, (fields: Fields) => string>([
  [
    'ready',
    ({ scheduledFeeds, home, redis }) =>
      `ready: ${counted(Number(scheduledFeeds), 'scheduled feed')}; home ${text(home)}; queue at ${text(redis)}`,
  ],
  ['stopping', ({ signal }) => `stopping (${text(signal)}): work under way is handed back`],
  ['run began', ({ feed, run, cause }) => `${text(feed)}: run ${text(run)} began (${text(cause)})`],
  ['run ended', ended],
  ['mail sent', ({ recipient, run }) => `mail to ${text(recipient)}${run === null ? '' : ` about run ${text(run)}`}`],
  [
    'upload moved',
    ({ login, upload, offerId, from, to, note }) =>
      `${text(login)}: upload ${text(offerId ?? upload)} ${text(from)} → ${text(to)}${note === null ? '' : `: ${text(note)}`}`,
  ],
]);

function ended({ feed, run, outcome, rows, seconds, reason }: Fields): string {
  const { live, read } = (rows ?? {}) as { live?: number; read?: number };
  const counts = read === undefined ? '' : `, ${grouped(live ?? 0)} of ${counted(read, 'row')} live`;
  const why = reason === null ? '' : ` — ${text(reason)}`;
  return `${text(feed)}: ${text(outcome)}${counts}, ${text(seconds)} s (run ${text(run)})${why}`;
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

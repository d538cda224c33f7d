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

const WORDS = new Map<string, (fields: Fields) => string | null>([
  [
    'ready',
    ({ scheduledFeeds, home, redis }) =>
      `ready: ${counted(Number(scheduledFeeds), 'scheduled feed')}; home ${text(home)}; queue at ${text(redis)}`,
  ],
  ['stopping', ({ signal }) => `stopping (${text(signal)}): work under way is handed back`],
  ['run began', ({ feed, run, cause }) => `${text(feed)}: run ${text(run)} began (${text(cause)})`],
  ['run ended', ended],
  ['mail sent', mailTo],
  ['mail not sent yet', (fields) => unsent(fields, 'is not sent yet and is tried again')],
  ['mail given up', (fields) => unsent(fields, 'is given up')],
  [
    'upload moved',
    ({ login, upload, offerId, from, to, note }) =>
      `${text(login)}: upload ${text(offerId ?? upload)} ${text(from)} → ${text(to)}${note === null ? '' : `: ${text(note)}`}`,
  ],
]);

/** How grave a line is for people, as pino numbers it, where its outcome says more than its level; else null. */
export function levelOfWords({ msg, outcome }: Fields): number | null {
  if (msg !== 'run ended') return null;
  return outcome === 'failed' || outcome === 'rejected' ? ERROR : outcome === 'held' ? WARN : null;
}

const WARN = 40;
const ERROR = 50;

function mailTo({ recipient, run }: Fields): string {
  return `mail to ${text(recipient)}${typeof run === 'string' ? ` about run ${run}` : ''}`;
}

/** A fault of ours is shown with its fields, where its stack is. */
function unsent(fields: Fields, what: string): string | null {
  return typeof fields['reason'] === 'string' ? `${mailTo(fields)} ${what}: ${fields['reason']}` : null;
}

function ended({ feed, run, outcome, rows, seconds, reason }: Fields): string {
  const { live, read } = (rows ?? {}) as { live?: number; read?: number };
  const counts = read === undefined ? '' : `, ${grouped(live ?? 0)} of ${counted(read, 'row')} live`;
  const why = reason === null ? '' : ` — ${text(reason)}`;
  return `${text(feed)}: ${text(outcome)}${counts}, ${text(seconds)} s (run ${text(run)})${why}`;
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

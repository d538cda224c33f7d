import type { Resumed } from '../../jobs/restored/choose.ts';
import type { ListedUpload, RestoredFeed, RestoredLogin, RestoredState } from '../../jobs/restored/restored-state.ts';
import type { RestoreChoice } from '../../ledger/alerts/notes.ts';
import { counted } from '../../wording/words.ts';

const time = (at: number) => new Date(at).toISOString();

/**
 * The page after a restore: what is live, what the backup does not know, what was delivered since, and what to choose from. `given`: options that each next
 * command needs.
 */
export function* restoredLines({ note, logins, feeds }: RestoredState, given: string): Generator<string> {
  yield `This installation was restored from the backup of ${time(note.madeAt)}. Nothing is sent before you have chosen.`;
  for (const login of logins) {
    yield '';
    yield login.login;
    for (const line of loginLines(login)) yield `  ${line}`;
    for (const feed of feeds) if (feed.login === login.login) yield `  ${feedLine(feed)}`;
  }
  yield '';
  const isSame = logins.every(({ same, sameRows, error }) => error === null && (same || sameRows === true));
  if (isSame) {
    yield 'Everything that is live is what the backup knows. Go on:';
    yield `  offerline restore --resume live${given}`;
    return;
  }
  yield 'Choose what to go on with:';
  yield `  offerline restore --resume live${given}     what is live stays, and is taken over; fetch the newest files afterwards`;
  yield `  offerline restore --resume backup${given}   what the backup knows as live is sent again wherever something else is live`;
}

function* loginLines({ live, known, same, sameRows, unknown, open, error }: RestoredLogin): Generator<string> {
  if (error !== null) yield `the service could not be asked: ${error}`;
  else if (live === null) yield 'live now: nothing; the service lists no upload that succeeded';
  else yield `live now: ${uploadWords(live)}`;
  if (known === null) yield 'the backup knows no upload that was accepted';
  else
    yield `the backup knows: upload ${known.offerId ?? '?'}, ${counted(known.rows, 'row')}, accepted ${time(known.at)}`;
  if (same) yield 'they are the same';
  else if (sameRows === true) yield 'another upload, with the same rows';
  else if (sameRows === false) yield 'their rows differ';
  if (unknown.length > 0) yield `the backup does not know ${counted(unknown.length, 'upload')}:`;
  for (const upload of unknown.slice(0, SHOWN)) yield `  ${uploadWords(upload)}`;
  if (unknown.length > SHOWN) yield `  and ${unknown.length - SHOWN} more`;
  if (open !== null) {
    yield open.listed
      ? `an upload was open when the backup was made (${open.token}); the service lists it, and it is continued`
      : `an upload was open when the backup was made (${open.token}); the service does not list it, and it is not sent`;
  }
}

const SHOWN = 10;

function uploadWords({ offerId, state, file, lines, at, named }: ListedUpload): string {
  const by = named === 'ours' ? '' : ', not named like ours';
  return `upload ${offerId}${file === null ? '' : ` (${JSON.stringify(file)})`}, ${state}, ${counted(lines, 'line')}, ${time(at)}${by}`;
}

function feedLine({ feed, lastRun, waits, error }: RestoredFeed): string {
  const last = lastRun === null ? 'no delivery in the backup' : `newest delivery in the backup ${time(lastRun)}`;
  if (error !== null) return `feed ${feed}: ${last}; its source could not be looked at: ${error}`;
  return `feed ${feed}: ${last}; ${waits === null ? 'nothing newer lies at its source' : `${JSON.stringify(waits)} lies at its source and is fetched`}`;
}

/** What became of each login. */
export function* resumedLines(resumed: Resumed[], choice: RestoreChoice, given: string): Generator<string> {
  for (const { login, done, offerId, rows } of resumed) {
    const what = `upload ${offerId ?? '?'}, ${counted(rows ?? 0, 'row')}`;
    if (done === 'nothing') yield `${login}: nothing to do`;
    else if (done === 'taken-over') yield `${login}: what is live was taken over: ${what}`;
    else yield `${login}: what the backup knows is sent again: ${what}`;
  }
  yield '';
  yield `Chosen: ${choice}. Start offerline: \`offerline up${given}\`. The original installation, if it comes back, stops by itself.`;
}

/** The options that name the installation as they were given, for the next command; whoever copies it stands in the same folder. */
export function givenWords({ config, home }: { config?: string; home?: string }): string {
  const option = (name: string, value: string | undefined) =>
    value === undefined ? '' : ` ${name} ${forShell(value)}`;
  return option('--config', config) + option('--home', home);
}

/** A word of a command as a shell takes it: in quotes where it has to be. */
function forShell(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

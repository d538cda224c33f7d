import type { Resumed } from '../../jobs/restored/plan-login.ts';
import type { ListedUpload, RestoredFeed, RestoredLogin, RestoredState } from '../../jobs/restored/restored-state.ts';
import type { RestoreChoice } from '../../ledger/alerts/notes.ts';
import type { RowsApart } from '../../jobs/restored/live-rows.ts';
import { forShell } from '../../wording/escapes.ts';
import { counted } from '../../wording/words.ts';
import type { Gaps } from './restored-gaps.ts';

const time = (at: number) => new Date(at).toISOString();

/**
 * The page after a restore: what is missing here, what is live, what the backup does not know, what was delivered since, and what to choose from. `given`:
 * options that each next command needs. `paused`: feeds that are not fetched after the choice unless they are resumed before.
 */
export function* restoredLines(
  { note, logins, feeds }: RestoredState,
  gaps: Gaps,
  { given, file, paused }: { given: string; file: string; paused: readonly string[] },
): Generator<string> {
  yield `This installation was restored from the backup of ${time(note.madeAt)}. Nothing is sent before you have chosen.`;
  yield* gapLines(gaps, { given, file });
  for (const login of logins) {
    yield '';
    yield login.login;
    for (const line of loginLines(login)) yield `  ${line}`;
    for (const feed of feeds) if (feed.login === login.login) yield `  ${feedLine(feed, login)}`;
  }
  yield '';
  const isSame = logins.every(({ same, sameRows, error }) => error === null && (same || sameRows === true));
  if (isSame) {
    yield 'Everything that is live is what the backup knows. Go on:';
    yield `  offerline restore --resume live${given}`;
    return;
  }
  yield `${gaps.missing.length === 0 ? 'Choose' : 'Once that is set, choose'} what to go on with:`;
  yield `  offerline restore --resume live${given}     what is live stays, and is taken over; \`offerline up\` then fetches its feeds by itself before it sends anything`;
  yield `  offerline restore --resume backup${given}   what the backup knows as live is sent again wherever something else is live`;
  yield '';
  yield 'Files that were given by hand since the backup (`ingest --file`) lie nowhere any more: give them again once you have chosen, before you start `offerline up`.';
  const held = paused.filter((name) => feeds.some(({ feed }) => feed === name));
  if (held.length === 0) return;
  yield 'Paused feeds are not fetched, and have the rows of the backup in the next upload. Resume them before you choose live:';
  for (const name of held) yield `  offerline resume feed:${name} --reason TEXT${given}`;
}

function* gapLines(
  { missing, paths, elsewhere }: Gaps,
  { given, file }: { given: string; file: string },
): Generator<string> {
  if (missing.length > 0) {
    yield '';
    yield `A backup holds no credentials. These are missing; set them, and see this page again (\`offerline restore${given}\`):`;
    for (const { setting, says } of missing) yield `  ${setting}: ${says}`;
  }
  if (paths.length > 0) {
    yield '';
    yield `These paths are relative to ${file}, and nothing is there. Bring what belongs there, or write the whole path:`;
    for (const { setting, written, leads, led } of paths) {
      const before = led === null || led === leads ? '' : `; it led to ${led}`;
      yield `  ${setting}: ${written} leads to ${leads}${before}`;
    }
  }
  if (elsewhere.length > 0) {
    yield '';
    yield `${file} lay elsewhere when the backup was made, and so do these paths. See that the right files are there:`;
    for (const { setting, leads, led } of elsewhere) yield `  ${setting}: ${leads}; it was ${led}`;
  }
}

function* loginLines(login: RestoredLogin): Generator<string> {
  const { live, known, same, sameRows, apart, notCompared, unknown, open, error } = login;
  if (error !== null) yield `the service could not be asked: ${error}`;
  else if (live === null) yield 'live now: nothing; the service lists no upload that succeeded';
  else yield `live now: ${uploadWords(live)}`;
  if (known === null) yield 'the backup knows no upload that was accepted';
  else
    yield `the backup knows: upload ${known.offerId ?? '?'}, ${counted(known.rows, 'row')}, accepted ${time(known.at)}`;
  if (same) yield 'they are the same';
  else if (sameRows === true) yield 'another upload, with the same rows';
  else if (sameRows === false) yield `their rows differ${apart === null ? '' : `: ${apartWords(apart)}`}`;
  else if (notCompared !== null) yield `whether their rows differ is not known: ${notCompared}`;
  if (unknown.length > 0) yield `the backup does not know ${counted(unknown.length, 'upload')}:`;
  for (const upload of unknown.slice(0, SHOWN)) yield `  ${uploadWords(upload)}`;
  if (unknown.length > SHOWN) yield `  and ${unknown.length - SHOWN} more`;
  if (open !== null) yield `an upload was open when the backup was made (${open.token}); ${openWords(open)}`;
}

function openWords({ listed, replaced }: NonNullable<RestoredLogin['open']>): string {
  if (!listed) return 'the service does not list it, and it is not sent';
  return replaced
    ? 'the service has ended it, and something else is live: its deliveries are composed again'
    : 'the service lists it, and it is continued';
}

const SHOWN = 10;

function uploadWords({ offerId, state, file, lines, at, named }: ListedUpload): string {
  const by = named === 'ours' ? '' : ', not named like ours';
  return `upload ${offerId}${file === null ? '' : ` (${JSON.stringify(file)})`}, ${state}, ${counted(lines, 'line')}, ${time(at)}${by}`;
}

function apartWords({ onlyBackup, onlyLive, changed, alike }: RowsApart): string {
  return `${counted(onlyBackup, 'row')} only in the backup, ${counted(onlyLive, 'row')} only at the service, ${counted(changed, 'row')} changed, ${counted(alike, 'row')} the same`;
}

function feedLine({ feed, lastRun, waits, pushed, after, movedTo, error }: RestoredFeed, login: RestoredLogin): string {
  const last = lastRun === null ? 'no delivery in the backup' : `newest delivery in the backup ${time(lastRun)}`;
  const known = `feed ${feed}: ${last}`;
  if (error !== null) return `${known}; its source could not be looked at: ${error}`;
  const isBehind = login.unknown.length > 0;
  if (pushed) {
    const isAwaited = isBehind && !login.same && login.sameRows !== true;
    const taken = waits === null ? '' : `; ${JSON.stringify(waits)} was pushed before the backup and is read`;
    const lost = `what was pushed since the backup is lost, so have the newest file pushed again`;
    return `${known}${taken}; ${lost}${isAwaited ? `: after live, nothing of ${login.login} is sent before that` : ''}`;
  }
  if (waits !== null) return `${known}; ${JSON.stringify(waits)} lies at its source and is fetched`;
  const nothing = `${known}; nothing newer lies at its source`;
  if (after === 'keep' || !isBehind) return nothing;
  const gone = movedTo === null ? 'deleted' : `moved to ${JSON.stringify(movedTo)}`;
  return `${nothing}, where files that were taken are ${gone}: if one came since, put it back before you choose live, or the next upload has the rows of the backup`;
}

/** What became of each login. */
export function* resumedLines(resumed: Resumed[], choice: RestoreChoice, given: string): Generator<string> {
  for (const { login, done, offerId, rows, fetches, awaits, paused } of resumed) {
    const what = `upload ${offerId ?? '?'}, ${counted(rows ?? 0, 'row')}`;
    if (done === 'nothing') yield `${login}: nothing to do`;
    else if (done === 'taken-over') yield `${login}: what is live was taken over: ${what}`;
    else yield `${login}: what the backup knows is sent again: ${what}`;
    if (fetches.length > 0) yield `  fetched by \`offerline up\` before anything is sent: ${fetches.join(', ')}`;
    if (awaits.length > 0)
      yield `  nothing is sent before a file is pushed to ${awaits.join(', ')}: what was pushed since the backup is lost; a feed that is paused goes on with the rows of the backup`;
    if (paused.length > 0)
      yield `  paused, so not fetched, and with the rows of the backup in the next upload: ${paused.join(', ')}`;
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

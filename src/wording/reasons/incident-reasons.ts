import type { Cause, Outcome, RowCounts } from '../../model.ts';
import { readingName } from '../files/side-by-side.ts';
import { wordsOf } from '../causes.ts';
import { readReason, sentenceIn, type ReasonIn, type StoredReason } from './reason.ts';
import { NO_CHECK, shownReason, type RunReason } from './run-reasons.ts';
import { counted, grouped, headlineOf, moment, rowsInWords, span } from '../words.ts';

/** Why a feed or a login has an incident: a sentence for each code, without a full stop. */
export const INCIDENT_REASONS = {
  'run-ended': ({ outcome, cause, reason }: EndOfRun) =>
    `${outcome}: ${headlineOf(shownReason(reason)) ?? wordsOf(outcome, cause).headline}`,
  'delivery-approved': ({ who, reason }: { who: string; reason: string }) =>
    `approved by ${who}: ${reason}; its rows are waiting to be uploaded`,
  'columns-accepted': ({ who, reason }: { who: string; reason: string }) =>
    `its columns were accepted by ${who}: ${reason}; the file is being read again`,
  'reading-taken': ({ who, reason, ...reading }: { charset: string; delimiter: string; who: string; reason: string }) =>
    `it is read as ${readingName(reading)} because ${who} said so: ${reason}; the file is being read again`,
  'rows-rejected': ({ verified, ...rows }: RowCounts & { verified: boolean | null }) =>
    `${rowsInWords(rows)}${verified === false ? ', not verified' : ''}`,
  'rows-unexplained': ({ count, contributed }: { count: number; contributed: number }) =>
    `${counted(count, 'row')} of ${grouped(contributed)} ${count === 1 ? 'is' : 'are'} unexplained`,
  'rows-lost': ({ offerId, wasLive, lost, live }: LostRows) =>
    `${grouped(lost)} of the ${counted(wasLive, 'row')} that ${wasLive === 1 ? 'was' : 'were'} live ` +
    `${lost === 1 ? 'has' : 'have'} been rejected by the service since upload ${offerId}; ` +
    `${counted(live, 'row')} ${live === 1 ? 'is' : 'are'} live now`,
  'parts-not-found': ({ missing, asked, upload, examples }: PartsNotFound) =>
    `${grouped(missing)} of ${counted(asked, 'part')} that upload ${upload} made live ${missing === 1 ? 'is' : 'are'} not found by the search: ` +
    `${examples.join(', ')}${missing > examples.length ? ` and ${counted(missing - examples.length, 'other')}` : ''}`,
  'receipt-failed': ({ upload, failed }: { upload: string | null; failed: string[] }) =>
    `upload ${upload}: ${failed.length === 0 ? NO_CHECK : failed.join('; ')}`,
  'live-unverified': ({ failedUpload, upload, failed, next }: Unverified) =>
    `upload ${failedUpload} failed, and the dataset before it (upload ${upload}) could not be confirmed as live: ${failed.join('; ')}; ${next}`,
  'upload-stalled': ({ upload, since, note }: { upload: string | null; since: number; note: string | null }) =>
    `${upload === null ? 'nothing could be sent' : `upload ${upload} has made no progress`} since ${moment(since)}${after(note)}`,
  'foreign-upload': ({ found, sameRows, next }: { found: string; sameRows: boolean; next: string }) =>
    `${found}${sameRows ? ', with the same rows' : ''}; ${next}`,
  'accepted-late': ({ attempt, intent, upload, state, next }: AcceptedLate) =>
    `attempt ${attempt} of intent ${intent} had been given up, but the service accepted it late as upload ${upload} (${state}); ${next}`,
  'credentials-refused': ({ said }: { said: string }) => said.replace(/\.$/, ''),
  'no-usable-answer': ({ since, note }: { since: number; note: string | null }) =>
    `the service has given no usable answer since ${moment(since)}${after(note)}`,
  'file-damaged': ({ file, path, damage, more, leaves }: DamagedFile) =>
    `${file}: the archived file ${path} is ${damage} and could not be rebuilt` +
    `${more === 0 ? '' : `, nor could ${counted(more, 'other file')}`}${leaves ? LEAVES : ''}`,
  'feed-frozen': ({ who, reason }: { who: string; reason: string }) => `frozen by ${who}: ${reason}`,
  'second-asked': ({ who, reason, ends }: { request: string; who: string; reason: string; ends: number }) =>
    `${who} asked for it: ${reason}; a second person has to agree by ${moment(ends)}`,
  misnamed: ({ files, more, pattern }: { files: string[]; more: number; pattern: string }) =>
    `${files.join(', ')}${more === 0 ? '' : ` and ${counted(more, 'other file')}`} ` +
    `${files.length + more === 1 ? 'is there and does' : 'are there and do'} not fit ${pattern}`,
  'changes-stopped': ({ file, run, state, count }: ChangesStopped) =>
    `${counted(count, 'file')} of changes ${count === 1 ? 'waits' : 'wait'} behind ${file}, ` +
    `which ${STOPPED[state]} (run ${run})`,
  'changes-late': ({ file, more }: { file: string; more: number }) =>
    `${file}${more === 0 ? ' has' : ` and ${counted(more, 'other file')} have`} a lower number than the changes taken before and came after them: ` +
    'the supplier may count anew',
  incomplete: ({ there, more, missing, within, isTaken }: IncompleteDelivery) => {
    const others = more === 0 ? '' : ` and ${counted(more, 'other file')}`;
    const found =
      there.length === 0
        ? 'nothing else is'
        : `${there.join(', ')}${others} ${there.length + more === 1 ? 'is' : 'are'}`;
    const taken = isTaken ? ', and taken without the rest' : '';
    return `${missing.join(', ')} missing after ${span(within)}; ${found} there${taken}`;
  },
  'nothing-delivered': ({ forMs, expectEvery, last, timeZone }: NothingDelivered) =>
    `nothing has arrived for ${span(forMs)} (expected every ${span(expectEvery)}); ` +
    (last === null ? 'nothing has ever been delivered' : `the last delivery arrived ${moment(last, timeZone)}`),
  'not-in-time': ({ due, came, of, last, timeZone }: NotInTime) =>
    `${came === 0 ? '' : `${came} of ${of} deliveries of the day came; `}the delivery that was due ${moment(due, timeZone)} has not come; ` +
    (last === null ? 'nothing has ever been delivered' : `the last delivery arrived ${moment(last, timeZone)}`),
  'expiry-ahead': ({ forMs, expires, leaves, login, timeZone }: ExpiryAhead) =>
    `nothing has arrived for ${span(forMs)} (expires: ${span(expires)}); ` +
    `${leaves === null ? 'it leaves' : `after ${moment(leaves, timeZone)} it leaves`} the dataset with the next upload of ${login}`,
  expired: (_none: object) =>
    'it has left the dataset because nothing was delivered for too long; the next good delivery brings it back',
  'lane-failed': ({ times, since, said }: { times: number; since: number; said: string }) =>
    `work on it has failed ${counted(times, 'time')} since ${moment(since)}: ${said}`,
  unserved: ({ run, labels }: { run: string; labels: string[] }) =>
    `run ${run} waits for a worker that serves ${labels.join(' or ')} (source.on); none is running`,
  'not-removed': ({ file, said }: { file: string; said: string }) =>
    `${file} was taken and cannot be moved or deleted there: ${said.replace(/\.$/, '')}`,
  'result-not-put': ({ file, said }: { file: string; said: string }) =>
    `the result ${file} cannot be put there: ${said.replace(/\.$/, '')}`,
  'backup-late': (late: BackupLate) =>
    `the backup to ${late.place} that was due ${moment(late.due, late.timeZone)} has not been made${after(late.said?.replace(/\.$/u, '') ?? null)}; ${newestBackup(late)}`,
  'backup-lacks': ({ place, backup, files }: { place: string; address?: string; backup: string; files: number }) =>
    `backup ${backup} in ${place} lacks ${counted(files, 'file')} that the archive has lost`,
  'hooks-stopped': ({ hooks }: { hooks: StoppedHook[] }) =>
    hooks
      .map(({ hook, since, lost, said }) =>
        said === null
          ? `hook ${hook} refused ${counted(lost, 'message')}, which ${lost === 1 ? 'was' : 'were'} given up`
          : `hook ${hook} has taken nothing since ${moment(since)} (${said.replace(/\.$/u, '')}), and ${counted(lost, 'message')} ${lost === 1 ? 'was' : 'were'} given up`,
      )
      .join('; '),
  'no-report': ({ run, said }: { run: string; said: string }) => `no report of run ${run} could be written: ${said}`,
};

/** What keeps a dataset from being sent again: its login is paused, its bytes are gone, it was sent too often in a day. */
export type RestoreObstacle = 'pause' | 'archive' | 'limit';

/** Why an incident is open. */
export type IncidentReason = ReasonIn<typeof INCIDENT_REASONS>;

/** The sentence of an incident's reason, without a full stop. */
export function reasonSentence(reason: IncidentReason): string {
  return sentenceIn(INCIDENT_REASONS, reason);
}

/** An incident's reason; null where an earlier version wrote only a sentence. */
export function reasonOfIncident(incident: StoredReason): IncidentReason | null {
  return readReason(INCIDENT_REASONS, incident);
}

/** An incident's reason as it is shown; where an earlier version wrote it, the sentence as it was worded then. */
export function shownText(
  incident: StoredReason & { text: string },
  reason: IncidentReason | null = reasonOfIncident(incident),
): string {
  return reason === null ? incident.text : reasonSentence(reason);
}

type EndOfRun = { outcome: Outcome; cause: Cause; reason: RunReason | string | null };
type LostRows = { offerId: string | null; wasLive: number; lost: number; live: number };
type Unverified = { failedUpload: string; upload: string | null; failed: string[]; next: string };
type AcceptedLate = {
  attempt: number;
  intent: string;
  upload: string | null;
  state: string;
  next: string;
  /** What keeps the last good dataset from being sent again where this one took its place; earlier versions did not say. */
  obstacle?: RestoreObstacle | null;
};
type DamagedFile = { file: string; path: string; damage: string; more: number; leaves: boolean };
type PartsNotFound = { missing: number; asked: number; upload: string | null; examples: readonly string[] };
type BackupLate = {
  place: string;
  /** How a command names the place; earlier versions did not say. */
  address?: string;
  due: number;
  last: number | null;
  /** When the newest one was made, by a clock that was far ahead; earlier versions did not say. */
  ahead?: number | null;
  said: string | null;
  timeZone: string;
};
/** `within`: how long the rest was waited for, in milliseconds; `isTaken`: what is there is taken without it. */
type IncompleteDelivery = {
  there: string[];
  more: number;
  missing: string[];
  within: number;
  isTaken: boolean;
};

/** `state`: why the rows have no changes of a file; `count` of files that come after it. */
type ChangesStopped = { file: string; run: string; state: 'rejected' | 'failed' | 'replaced'; count: number };

const STOPPED: Record<ChangesStopped['state'], string> = {
  rejected: 'was rejected',
  failed: 'could not be processed',
  replaced: 'is not among the live rows',
};

/** `lost`: messages that were given up since then. `said` is null where the hook takes messages and refused these alone. */
type StoppedHook = { hook: string; since: number; lost: number; said: string | null };

type NothingDelivered = { forMs: number; expectEvery: number; last: number | null; timeZone?: string | undefined };
/** `came` of the `of` deliveries that are expected on the day have come. */
type NotInTime = { due: number; came: number; of: number; last: number | null; timeZone: string };
type ExpiryAhead = {
  forMs: number;
  expires: number;
  /** Null: with the next upload, whenever that is. */
  leaves: number | null;
  login: string;
  timeZone?: string | undefined;
};

const LEAVES = '; the live dataset does not have its rows either, so they LEAVE the dataset with the next upload';

function newestBackup({ last, ahead = null, timeZone }: BackupLate): string {
  if (ahead !== null)
    return `the newest one is of ${moment(ahead, timeZone)}, which lies in the future: a clock was wrong when it was made`;
  return last === null ? 'there is no backup there yet' : `the newest one is of ${moment(last, timeZone)}`;
}

function after(note: string | null): string {
  return note === null ? '' : `: ${note}`;
}

import type { EmptiedColumn, RowCounts, RuleNumbers, Share, TrippedGuard } from '../../model.ts';
import { ruleColumnText, ruleEmptiedText, ruleNumbersText, type RuleColumnProblem } from './rule-reasons.ts';
import { counted, grouped, moment, percent, span } from '../words.ts';
import { guardSentence } from './guard-reasons.ts';
import { unsureCellsText, type UnsureCells } from '../columns/unsure-cells.ts';
import { unsureColumnsText, type UnsureColumns } from '../columns/unsure-columns.ts';
import { changeOrderText, type ChangeOrder } from './order-reasons.ts';
import { readReason, sentenceIn, type ReasonIn, type StoredReason } from './reason.ts';

/** Why a run ended as it did: a text for each code. */
export const RUN_REASONS = {
  /** Found and worded by the source or the reader, which know neither feeds nor runs; `why` is said in other languages. */
  found: ({ text }: { text: string; why?: Known }) => text,
  /** `run`: null in a rehearsal, whose runs nobody can approve. */
  'unsure-columns': ({ run, feed, ...columns }: UnsureColumns & { run: string | null; feed: string }) => {
    const first = run === null ? `after \`offerline ingest ${feed}\` ` : '';
    const given = columns.missing.length === 0 ? '--columns' : '--columns KEY=COLUMN,…';
    const how = columns.missing.length === 0 ? `, or ${first}run` : `, or ${first}name them:`;
    return `${unsureColumnsText(columns, feed)}${how} \`offerline approve ${run ?? 'RUN'} ${given} --reason TEXT\``;
  },
  'unsure-cells': ({ feed, ...cells }: UnsureCells & { feed: string }) => unsureCellsText(cells, feed),
  'rule-column': ({ feed, ...problem }: RuleColumnProblem & { feed: string }) => ruleColumnText(problem, feed),
  'rule-numbers': (numbers: RuleNumbers) => ruleNumbersText(numbers),
  'rule-emptied': (column: EmptiedColumn) => ruleEmptiedText(column),
  guard: ({ tripped }: { tripped: TrippedGuard }) => guardSentence(tripped),
  'new-checks': ({ rows, read, checks, feed }: NewChecks) =>
    `${grouped(rows)} of the ${counted(read, 'row')} of ${feed} (${percent(rows / read)}) are left out by checks that the live delivery was not ` +
    `read with: ${checks.map(checkText).join('; ')}. Approve it if that is right. To keep such values, set feeds.${feed}.values.keep ` +
    `or feeds.${feed}.onDamagedNumber: keep`,
  failed: ({ said, fault, diskFull, tries }: Failed) =>
    `${diskFull && fault ? 'the disk is full: ' : fault ? 'internal error: ' : ''}${said}${tries === 1 ? '' : ` (Tried ${tries} times.)`}`,
  'process-died': ({ run, stage, times }: { run: string; stage: string; times: number }) => {
    const [doing, from] = DEADLY[stage] ?? ['composing these rows', 'upload'];
    return (
      `offerline was killed or ran out of memory ${counted(times, 'time')} while ${doing}, so this run was abandoned; other runs continue. ` +
      `Look in the system log for the cause; then try again with \`offerline rerun ${run} --from ${from}\`.`
    );
  },
  superseded: ({ feed, run }: { feed: string; run: string }) =>
    `a newer delivery of ${feed} (run ${run}) replaced it before it was uploaded`,
  'same-file': ({ missing, uncertain, unseenSince }: SameFile) => {
    const unseen = unseenSince === null ? '' : `; the live dataset could not be checked since ${moment(unseenSince)}`;
    if (uncertain !== null) return `the same file; it is not certain what is live of it: ${uncertain}${unseen}`;
    const said =
      missing === null
        ? 'the same bytes, read with the same settings, are already live'
        : `the same file; ${lossText(missing)}`;
    return `${said}${unseen}`;
  },
  'same-dataset': ({ missing }: { missing: MissingRows | null }) =>
    `the composed dataset equals the live one; nothing was sent${missing === null ? '' : `; ${lossText(missing)}`}`,
  'older-file': ({ file, known, run, isLive }: OlderFile) =>
    `the file ${dated(file)} is older than ${dated(known)}, which ${isLive ? 'is live' : 'is waiting to be uploaded'} (run ${run}). ` +
    'If it is the right one all the same, approve it',
  'change-order': (order: ChangeOrder) => changeOrderText(order),
  'same-changes': ({ file, other, run }: { file: string; other: string; run: string }) =>
    `${file} has the same bytes as ${other}, which run ${run} took before; its changes are among the rows already`,
  correction: ({ rows, matching, accepted, missing, file, run }: Correction) =>
    `this looks like a correction of ${counted(rows, 'row')}, not the full list: ask for the full list. ` +
    `${grouped(matching)} of its ${counted(rows, 'part')} had mistakes in ${file} (run ${run}), and ` +
    `${grouped(missing)} of the ${counted(accepted, 'part')} that were right there are missing`,
  'joined-file-old': ({ feed, role, file, at, maxAge }: JoinedFileOld) =>
    `${file} is of ${moment(at)} and so older than ${span(maxAge)} (feeds.${feed}.join.partners.${role}.maxAge): its values may be wrong by now. ` +
    'Ask the supplier for a newer one; if it is right all the same, approve this run',
  'files-missing': ({ file, missing, more, run }: FilesMissing) =>
    `${file} lacks ${missing.length + more === 1 ? 'a file' : 'files'} that the live delivery had (run ${run}): ${missing.join(', ')}` +
    `${more === 0 ? '' : ` and ${more} more`}. Ask the supplier for the whole list; if it is right all the same, approve this run`,
  'joined-file-shrank': ({ feed, file, limit, before, after }: JoinedFileShrank) =>
    `${file} has values for ${grouped(after.rows)} of ${counted(after.of, 'row')} of the list, and had them for ${grouped(before.rows)} of ` +
    `${grouped(before.of)} in what is live: a larger drop than feeds.${feed}.guard.maxRowDrop (${percent(limit)}). ` +
    'Ask the supplier for the whole file; if it is right all the same, approve this run',
  'feed-frozen': ({ at, who, reason }: { at: number; who: string; reason: string }) =>
    `the feed has been frozen since ${moment(at)} by ${who}: ${reason}. Approve this run, or release the feed for the next delivery.`,
  rejected: ({ who, reason }: { who: string; reason: string }) => `rejected by ${who}: ${reason}`,
  'credentials-refused': ({ login, said, at }: { login: string; said: string; at: number }) =>
    `the service refused the login ${login}: ${said}. The login has been paused since ${moment(at)}: correct its credentials, ` +
    'then run `offerline doctor`; what is waiting is sent then, and the outcome is amended',
  unreachable: ({ note }: { note: string | null }) =>
    `the service gives no usable answer: ${note ?? 'the reason is not known'}. Nothing has been sent yet; it will be sent when the service answers, and the outcome is amended then.`,
  unsent: ({ run, note }: { run: string; note: string | null }) =>
    `nothing could be sent before the deadline (service.poll.deadline): ${note ?? 'the reason is not known'}. It is sent as soon as possible, and the outcome of run ${run} is amended then.`,
  'outcome-unknown': ({ run, upload, note }: { run: string; upload: string; note: string }) =>
    `the outcome of upload ${upload} was still unknown at the deadline (service.poll.deadline): ${note}. offerline keeps watching it, and amends the outcome of run ${run} when it is known.`,
  'rows-damaged': ({ path, feed }: { path: string; feed: string }) =>
    `its accepted rows are damaged or missing in the archive (${path}) and could not be rebuilt; \`offerline ingest ${feed} --force\` reads the file again`,
  partial: ({ read, live, rejectedLocally, rejectedRemotely, unexplained }: Partial) => {
    const losses = [
      rejectedLocally > 0 && `${grouped(rejectedLocally)} rejected here`,
      rejectedRemotely > 0 && `${grouped(rejectedRemotely)} rejected by the service`,
      unexplained > 0 && `${grouped(unexplained)} unexplained`,
    ].filter((loss) => loss !== false);
    return `${grouped(live)} of ${counted(read, 'row')} ${live === 1 ? 'is' : 'are'} live; ${losses.join(', ')}`;
  },
  unproved: ({ upload, failed, checks }: { upload: string | null; failed: string[]; checks: string[] }) =>
    `the service reports success (upload ${upload}), but ` +
    (failed.length > 0
      ? `what it shows is not what was sent: ${failed.join('; ')}`
      : `${NO_CHECK}: ${checks.join('; ')}`),
  'upload-refused': ({ said }: { said: string | null }) =>
    `the service refused the upload: ${said ?? 'it gave no reason'}`,
  'upload-failed': ({ upload, said }: FailedUpload) => `the service failed upload ${upload}: ${saidOf(said)}`,
  'upload-aborted': ({ upload, said }: FailedUpload) => `the service aborted upload ${upload}: ${saidOf(said)}`,
  'failed-together': ({ feed, said }: { feed: string; said: string }) =>
    `${said}; that dataset had several feeds, so ${feed} is uploaded alone`,
};

/** Why a run ended as it did. */
export type RunReason = ReasonIn<typeof RUN_REASONS>;

/** The sentence of a run's reason. */
export function runSentence(reason: RunReason): string {
  return sentenceIn(RUN_REASONS, reason);
}

/** A run's reason; the sentence alone where an earlier version wrote it. */
export function reasonOfRun(run: StoredReason & { reason: string | null }): RunReason | string | null {
  // Without a sentence there is no reason: a process of an earlier version, which knows no codes, has decided it anew.
  return run.reason === null ? null : (readReason(RUN_REASONS, run) ?? run.reason);
}

/** A run's reason as it is shown. */
export function shownReason(reason: RunReason | string | null): string | null {
  return reason === null || typeof reason === 'string' ? reason : runSentence(reason);
}

/** What is said of a receipt of which no check could be made. */
export const NO_CHECK = 'it could not be checked';

/** Rows of a feed's file that are not live: how many of how many, and why. */
export type MissingRows = Pick<RowCounts, 'read' | 'rejectedRemotely' | 'outranked' | 'unexplained'> & {
  /** The upload since which the service rejects them. */
  since: string | null;
};

/** Rows that a check costs, with the first of them. */
export type LostToCheck = { code: string; rows: number; examples: { place: string; value: string }[] };
type NewChecks = { feed: string; rows: number; read: number; checks: LostToCheck[] };
type Failed = { said: string; fault: boolean; diskFull: boolean; tries: number; why?: Known };
/** What is known of a sentence that was worded elsewhere: why a file is refused, or which limit the reply of a source passed. */
type Known = { refusal: string } | { limit: string; most: number };
type SameFile = { missing: MissingRows | null; uncertain: string | null; unseenSince: number | null };
type File = { name: string | null; at: number };
type Correction = {
  rows: number;
  /** Of them, parts with mistakes in the delivery before. */
  matching: number;
  /** Parts that were accepted there, and how many of them are missing. */
  accepted: number;
  missing: number;
  file: string;
  run: string;
};
type FilesMissing = { feed: string; file: string; missing: string[]; more: number; run: string };
type JoinedFileShrank = { feed: string; role: string; file: string; limit: number; before: Share; after: Share };
type JoinedFileOld = { feed: string; role: string; file: string; at: number; maxAge: number };
type OlderFile = { file: File; known: File; run: string; isLive: boolean };
type Partial = Pick<RowCounts, 'read' | 'live' | 'rejectedLocally' | 'rejectedRemotely' | 'unexplained'>;
type FailedUpload = { upload: string | null; said: string };

/** What a process was doing that died in a stage, and the stage that a re-run starts at. */
const DEADLY: Readonly<Record<string, readonly [doing: string, from: string]>> = {
  pull: ['pulling this file', 'pull'],
  read: ['reading this file', 'validate'],
};

/** Which rows are not live: `20 of its 40 rows have been rejected by the service since upload 17`. */
function lossText({ read, rejectedRemotely, outranked, unexplained, since }: MissingRows): string {
  const many = (count: number, one: string, more: string) => (count === 1 ? one : more);
  const losses = [
    {
      count: rejectedRemotely,
      how: `${many(rejectedRemotely, 'has', 'have')} been rejected by the service since upload ${since}`,
    },
    { count: outranked, how: `${many(outranked, 'is', 'are')} outranked by another feed` },
    { count: unexplained, how: `${many(unexplained, 'is', 'are')} unexplained` },
  ].filter(({ count }) => count > 0);
  const [first, ...others] = losses;
  if (first === undefined) return '';
  const share =
    first.count === read
      ? read === 1
        ? 'its only row'
        : `all ${grouped(read)} of its rows`
      : `${grouped(first.count)} of its ${counted(read, 'row')}`;
  return [`${share} ${first.how}`, ...others.map(({ count, how }) => `${grouped(count)} ${how}`)].join(', ');
}

function checkText({ code, rows, examples }: LostToCheck): string {
  return `${code} ${grouped(rows)} (${examples.map(({ place, value }) => `${place}: "${value}"`).join(', ')})`;
}

function dated({ name, at }: File): string {
  return `${name} of ${moment(at)}`;
}

function saidOf(text: string): string {
  return text === '' ? 'it gives no reason' : text.replace(/\.$/, '');
}

import type { KeptSentence } from './kept-sentence.ts';

/** Why a decision was not carried out. */
export const DECISIONS: KeptSentence[] = [
  [
    /^Run (?<run>\S+) is not held: it has no outcome yet \(it is at the stage (?<stage>\S+)\)\. `offerline runs --outcome held` lists those that are\.$/u,
    'kept.done.runOpen',
  ],
  [/^Run (?<run>\S+) is not held: it is (?<outcome>\w+), and nothing of it waits to be sent\.$/u, 'kept.done.runSent'],
  [
    /^Run (?<run>\S+) is not held: it is (?<outcome>\w+)\. `offerline runs --outcome held` lists those that are\.$/u,
    'kept.done.runNotHeld',
  ],
  [
    /^Run (?<run>\S+) has no outcome yet \(it is at the stage (?<stage>\S+)\)\. Wait until it has finished\.$/u,
    'kept.done.runNoOutcome',
  ],
  [
    /^Run (?<run>\S+) cannot be rejected: it was sent\. Wait for its outcome; `offerline rollback (?<login>\S+)` then brings the dataset before it back\.$/u,
    'kept.done.runSentAlready',
  ],
  [/^Run (?<run>\S+) has just gone on to the stage (?<stage>\S+); try again\.$/u, 'kept.done.runWentOn'],
  [
    /^Run (?<run>\S+) is being run again already, as run (?<other>\S+)\. Wait for its outcome\.$/u,
    'kept.done.runAgain',
  ],
  [/^The feed (?<feed>\S+) is already running, as run (?<run>\S+)\. Wait for its outcome\.$/u, 'kept.done.feedRunning'],
  [/^Run (?<run>\S+) has accepted no rows of a file, so there is nothing to compare\.$/u, 'kept.done.runNoRows'],
  [/^Run (?<run>\S+) has no archived delivery(?:.*); re-run it with --from pull\.$/u, 'kept.done.runNoDelivery'],
  [/^Run (?<run>\S+) has no archived accepted rows(?:.*); re-run it with --from pull\.$/u, 'kept.done.runNoAccepted'],
  [/^Run (?<run>\S+) has no report yet: it is still running\.$/u, 'kept.done.runNoReport'],
  [
    /^Run (?<run>\S+) has no reports(?:.*); `offerline show (?<other>\S+)` still gives its account\.$/u,
    'kept.done.runNoReports',
  ],
  [
    /^(?:Run \S+ has no row with a mistake, so there is nothing to mark|There is nothing to mark in it)\.$/u,
    'kept.done.nothingToMark',
  ],
  [/^Run (?<run>\S+) is older than run (?<other>\S+) of (?<feed>\S+), which is live\.$/u, 'kept.done.runOlderLive'],
  [
    /^Run (?<run>\S+) is older than run (?<other>\S+) of (?<feed>\S+), which waits to be uploaded\.$/u,
    'kept.done.runOlderWaits',
  ],
  [
    /^No upload of (?<login>\S+) has been verified as live, so there is nothing to roll back to\.$/u,
    'kept.done.noRollback',
  ],
  [
    /^There is no good dataset of (?<login>\S+) older than the live one \(upload (?<upload>\S+)\)\.$/u,
    'kept.done.noOlder',
  ],
  [/^The dataset of upload (?<upload>\S+) was pruned on (?<time>.+) \(keep\.datasets\)\.$/u, 'kept.done.datasetPruned'],
  [
    /^An upload of (?<login>\S+) is open; wait for its end \(`offerline logins`\), or settle it with `offerline resolve`\.$/u,
    'kept.done.uploadOpen',
  ],
  [/^Upload (?<upload>\S+) is closed: its outcome is (?<outcome>[\w-]+)\.$/u, 'kept.done.uploadClosed'],
  [/^Upload (?<upload>\S+) was never sent; there is nothing to resolve\.$/u, 'kept.done.uploadUnsent'],
  [
    /^The (?:feed|login) (?<name>\S+) has been paused since (?<time>.+?) by (?<who>.+?): (?<reason>.+)\. `offerline resume (?<what>\S+) --reason TEXT` continues it\.$/u,
    'kept.done.paused',
  ],
  [/^The (?:feed|login) (?<name>\S+) is already paused\.$/u, 'kept.done.alreadyPaused'],
  [/^The (?:feed|login) (?<name>\S+) is not paused\.$/u, 'kept.done.notPaused'],
  [
    /^The list has changed: (?<count>\d+) runs? would be run again now\. Look at it once more\.$/u,
    'kept.done.listChanged',
  ],
  [/^A worker is busy with (?<name>\S+); try again in a minute\.$/u, 'kept.done.busyWorker'],
  [
    /^.+ files are being checked already\. Wait until one is done, and send this one then\.$/u,
    'kept.done.filesChecked',
  ],
  [
    /^.+ of your files are being checked already\. Wait until one is done, and send this one then\.$/u,
    'kept.done.filesChecked',
  ],
  [
    /^There is a user (?<name>.+) already; `offerline user passwd (?<other>.+)` gives them another password\.$/u,
    'kept.done.userThere',
  ],
  [/^(?<name>.+) is the last administrator; add another one first\.$/u, 'kept.done.lastAdmin'],
  [/^(?<name>.+) is disabled already\.$/u, 'kept.done.disabledAlready'],
  [/^(?<name>.+) is not disabled\.$/u, 'kept.done.notDisabled'],
  [/^There is no run (?<run>\S+?)\.(?: .+)?$/u, 'kept.done.noRun'],
  [/^There is no feed (?<feed>\S+)(?: in the configuration)?\.(?: .+)?$/u, 'kept.done.noFeed'],
  [/^There is no login (?<login>\S+)(?: in the configuration)?\.(?: .+)?$/u, 'kept.done.noLogin'],
];

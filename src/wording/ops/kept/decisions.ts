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
  [/^The feed (?<feed>\S+) is away on (?<days>\S+) already\.$/u, 'kept.done.awayAlready'],
  [
    /^No absence of the feed (?<feed>\S+) is recorded for (?<days>\S+); `offerline expect \S+` lists those that are\.$/u,
    'kept.done.notAway',
  ],
  [
    /^(?<who>.{1,254}) has had incident (?<incident>\S+) since (?<time>.+)\. Talk to them; --force does it all the same\.$/u,
    'kept.done.incidentTaken',
  ],
  [/^Incident (?<incident>\S+) has been over since (?<time>.+)\.$/u, 'kept.done.incidentOver'],
  [/^Nobody has incident (?<incident>\S+), and it is not quiet\.$/u, 'kept.done.incidentFree'],
  [/^Incident (?<incident>\S+) is being worked on by too many at once; try again\.$/u, 'kept.done.incidentBusy'],
  [
    /^There is nobody called "(?<name>.*)" to give it to: name a user of the console, or an address of managers\.$/u,
    'kept.done.nobodyCalled',
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
  [
    /^Run (?<run>\S+) is older than run (?<other>\S+) of (?<feed>\S+), which is held; decide about that one first\.$/u,
    'kept.done.runOlderHeld',
  ],
  [
    /^(?<who>.{1,254}) asked for this, so a second person has to agree; `offerline requests decline \S+ --reason TEXT` withdraws it\.$/u,
    'kept.done.requestOwn',
  ],
  [/^Request (?<request>\S+) is over: (?<because>.+)\.$/su, 'kept.done.requestOver'],
  [/^Request (?<request>\S+) is over: (?<quoted>.+)\.$/su, 'kept.done.requestEnded'],
  [
    /^Request (?<request>\S+) of (?<who>.{1,254}) waits for a second person already; `offerline requests` shows what it is about; agree to it, or decline it first\.$/u,
    'kept.done.requestWaits',
  ],
  [
    /^Another request waits for a second person already; `offerline requests` shows what it is about; agree to it, or decline it first\.$/u,
    'kept.done.requestOther',
  ],
  [
    /^There is no request (?<request>\S+?)(?:; `offerline requests` lists those that wait|, or none that you may decide about)\.$/u,
    'kept.done.noRequest',
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
  [/^The feed (?<feed>\S+) has no link (?<link>\S+) that is open\. See them with --list\.$/u, 'kept.done.noOpenLink'],
  [
    /^The supplier of the feed (?<feed>\S+) has no page\. Set feeds\.\S+\.supplier\.page: true in the configuration\.$/u,
    'kept.done.noSupplierPage',
  ],
  [
    /^The list has changed: (?<count>\d+) runs? would be run again now\. Look at it once more\.$/u,
    'kept.done.listChanged',
  ],
  [/^A worker is busy with (?<name>\S+); try again in a minute\.$/u, 'kept.done.busyWorker'],
  [
    /^Another dossier is being made, and the service may not answer\. Ask for this one again in a minute\.$/u,
    'kept.done.dossierMade',
  ],
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
  [/^(?<name>.{1,500}) is the last administrator; add another one first\.$/u, 'kept.done.lastAdmin'],
  [/^(?<name>.{1,500}) is disabled already\.$/u, 'kept.done.disabledAlready'],
  [/^(?<name>.{1,500}) is not disabled\.$/u, 'kept.done.notDisabled'],
  [/^There is no archive at (?<place>.{1,500}?): .{1,500} is missing\. .{1,200}$/u, 'kept.done.noArchive'],
  [/^There is no run (?<run>\S+?)\.(?: .+)?$/u, 'kept.done.noRun'],
  [/^There is no feed (?<feed>\S+)(?: in the configuration)?\.(?: .+)?$/u, 'kept.done.noFeed'],
  [/^There is no login (?<login>\S+)(?: in the configuration)?\.(?: .+)?$/u, 'kept.done.noLogin'],
  [
    /^"(?<name>.{0,200})" looks like the user (?<other>.*); choose a name that nobody takes for it\.$/u,
    'kept.done.nameLike',
  ],
  [/^Another process has held (?<name>.+) for (?<seconds>[\d.]+) s\. Try again\.$/u, 'kept.done.heldByOther'],
  [
    /^It is not certain how the file of run (?<run>\S+) is written, so its columns are not known yet\. `offerline show (?<other>\S+)` says what to do\.$/u,
    'kept.done.dialectOpen',
  ],
  [
    /^No columns are accepted for the header of run (?<run>\S+) of (?<feed>\S+)\. `offerline feeds` shows what is accepted\.$/u,
    'kept.done.noColumns',
  ],
  [/^Run (?<run>\S+) has no rows to upload: (?<quoted>.+)$/u, 'kept.done.noRowsToUpload'],
  [
    /^Run (?<run>\S+) has read no rows of a file, so there is nothing to mark\. `offerline show` says why\.$/u,
    'kept.done.noRowsToMark',
  ],
  [/^The accepted rows of run (?<run>\S+) were pruned on (?<time>.+) \(keep\.deliveries\)\.$/u, 'kept.done.rowsPruned'],
  [
    /^The archived delivery (?<name>.+) would be read in another way by now, so its rows cannot be found again\.$/u,
    'kept.done.readOtherwise',
  ],
  [
    /^The bytes of upload (?<upload>\S+) are no longer in the archive(?:: they were pruned on .+ \(keep\.datasets\))?; `offerline rollback (?<login>\S+) --list` shows the others\.$/u,
    'kept.done.bytesGone',
  ],
  [
    /^The columns of the file of run (?<run>\S+) are not known; run `offerline rerun (?<other>\S+) --from validate`\.$/u,
    'kept.done.columnsUnknown',
  ],
  [
    /^The feed (?<feed>\S+) has moved from the login (?<login>\S+) to (?<to>\S+) since run (?<run>\S+); run `offerline rerun (?<other>\S+) --from validate`\.$/u,
    'kept.done.moved',
  ],
  [
    /^The file of run (?<run>\S+) has no readings to choose from; it is held for another reason: (?<quoted>.+)$/u,
    'kept.done.noReadings',
  ],
  [/^The file of run (?<run>\S+) has no readings to choose from: (?<quoted>.+)$/u, 'kept.done.noReadings'],
  [
    /^The login (?<login>\S+) has no upload (?<upload>\S+) that (?:has rows|was verified as live); `offerline rollback (?<other>\S+) --list` shows what there is\.$/u,
    'kept.done.noSuchUpload',
  ],
  [/^The rows cannot be compared\. (?<quoted>.+)$/u, 'kept.done.notComparable'],
  [
    /^The rows of run (?<run>\S+) were read with columns that were taken back since \(.+\)\. Read its file again: `offerline rerun (?<other>\S+) --from validate`\.$/u,
    'kept.done.columnsTakenBack',
  ],
  [/^offerline (?<name>.+) took too long, and was ended\.$/u, 'kept.done.tookTooLong'],
  [/^(?<name>.{1,500}) was changed while it was checked\. Check it again\.$/u, 'kept.done.changedWhileChecked'],
  [/^There are no rows called (?<name>.+); there are (?<names>.+)\.$/u, 'kept.done.noRowsCalled'],
  [/^There is no file (?<name>.+)\.$/u, 'kept.done.noFile'],
  [
    /^There is no incident (?<name>\S+?)(?:, or it is of no feed that you see|; `offerline incidents --all` lists them)?\.$/u,
    'kept.done.noIncident',
  ],
  [/^There is no such upload(?:, or it is of no feed that you see)?\.$/u, 'kept.done.noUpload'],
  [/^There is no upload \S+; .+\.$/u, 'kept.done.noUpload'],
  [/^The login (?<login>\S+) has no upload yet; .+\.$/u, 'kept.done.noUploadYet'],
  [/^There is no page “(?<name>.*)”\. See \/docs\.$/u, 'kept.done.noPage'],
  [/^There is no picture “(?<name>.*)”\.$/u, 'kept.done.noPicture'],
  [/^There is no run (?<run>\S+?), or it is of no feed that you see\.$/u, 'kept.done.noRunSeen'],
  [/^There is no run (?<run>\S+?); `offerline runs` lists them\.$/u, 'kept.done.noRunSeen'],
  [/^There is no feed (?<feed>\S+?), or it is of no feed that you see\.$/u, 'kept.done.noFeedSeen'],
  [/^There is no (?<file>.{1,300}) of an upload\.$/u, 'kept.done.noDossier'],
  [/^There is no single mail (?<mail>.{1,300}); `offerline mails` lists them\.$/u, 'kept.done.noMail'],
  [/^The mail (?<mail>.{1,300}) has not been sent, so there is no file of it\.$/u, 'kept.done.mailUnsent'],
  [
    /^The mail (?<mail>.{1,200}) went to (?<where>.{1,300}), so there is no file of it here\.$/u,
    'kept.done.mailElsewhere',
  ],
  [/^The archive has lost the message of the mail (?<mail>.{1,300})\.$/u, 'kept.done.mailLost'],
  [/^There is no feed "(?<feed>.*)"; `offerline feeds` lists them\.$/u, 'kept.done.noFeedSeen'],
  [/^There is no user (?<name>.+); `offerline user list` shows them\.$/u, 'kept.done.noUser'],
  [/^There is no token (?<name>.+) that could be used; `offerline token list` shows them\.$/u, 'kept.done.noToken'],
  [
    /^Token (?<name>\S+) has two secrets that are valid, the older one until (?<time>\S+)\. Wait until then, or end both: .{1,100}$/u,
    'kept.done.twoSecrets',
  ],
  [
    /^Token (?<name>\S+) was given another secret, or revoked, at the same moment; `offerline token list` shows how it stands\.$/u,
    'kept.done.tokenReplaced',
  ],
  [
    /^(?:No space is left|The disk quota is used up) for (?<name>.+?)(?: \(.+ free\))?\. Free some(?: space)? and try again\.$/u,
    'kept.done.diskFull',
  ],
  [/^There is no space left to write (?<name>.+)\. Free some space and try again\.$/u, 'kept.done.diskFull'],
  [/^No space is left for the ledger (?<name>.+)\. Free some and try again\.$/u, 'kept.done.diskFull'],
  [
    /^The disk is full: the unpacked file does not fit into (?<name>.+)\. Free some space and try again\.$/u,
    'kept.done.diskFull',
  ],
  [
    /^The archive file (?<name>.+) is (?:missing|damaged|unreadable): .+\. Run `offerline verify --repair` to restore what can be restored\.$/u,
    'kept.done.archiveFile',
  ],
  [
    /^The lease on (?<name>.+) was lost(?: while sending; the upload was aborted|; another worker goes on with it)\.$/u,
    'kept.done.leaseLost',
  ],
  [/^.+: no whole reply within (?<seconds>[\d.]+) (?:ms|min)(?:, the deadline of the call)?\.$/u, 'kept.done.noReply'],
  [/^.+: the reply was cut off: (?<quoted>.+)$/u, 'kept.done.noReply'],
  [
    /^the service was silent for (?<seconds>[\d.]+) s \(service\.timeout\); the connection was closed$/u,
    'kept.done.noReply',
  ],
  [/^The download of .+ was interrupted: (?<quoted>.+)$/u, 'kept.done.noReply'],
];

import type { KeptSentence } from './kept-sentence.ts';

/** What was found live in place of a dataset, and what is done about it. */
export const WATCH: KeptSentence[] = [
  [/^the next upload, already due, replaces it$/u, 'kept.watch.nextReplaces'],
  [/^nothing has to be sent$/u, 'kept.watch.nothingToSend'],
  [/^logins\.(?<login>.+)\.onForeign is alarm: it stays until something is uploaded$/u, 'kept.watch.alarm'],
  [/^(?<because>it|the current dataset|upload .+) was sent again once \((?<upload>.+)\)$/u, 'kept.watch.restoredOnce'],
  [/^a waiting delivery will replace it$/u, 'kept.watch.waiting'],
  [/^(?<because>it|the current dataset|upload .+) is sent again$/u, 'kept.watch.sentAgain'],
  [/^(?<because>it|the current dataset|upload [^:]+) is not sent again: (?<obstacle>.+)$/u, 'kept.watch.notSentAgain'],
  [/^upload (?<upload>\S+), the last one verified,$/u, 'kept.watch.lastVerified'],
  [
    /^the service lists no successful upload instead of upload (?<upload>\S+): it may have been restored from a backup$/u,
    'kept.watch.noneLive',
  ],
  [
    /^our older upload (?<older>\S+) is live instead of upload (?<upload>\S+): the service may have been restored from a backup$/u,
    'kept.watch.olderLive',
  ],
  [
    /^somebody else's upload (?<other>\S+)(?: \((?<file>".*")\))? is live instead of upload (?<upload>\S+)$/u,
    'kept.watch.foreignLive',
  ],
  [
    /^upload (?<other>\S+)(?: \((?<file>".*")\))? of another installation of offerline, or of this one after the backup that its ledger comes from, is live instead of upload (?<upload>\S+)$/u,
    'kept.watch.otherInstallation',
  ],
  [/^with the same rows$/u, 'kept.watch.sameRows'],
  [/^it is the dataset that was verified last, and stays live$/u, 'kept.watch.lastProved'],
  [/^what is live is the current dataset all the same$/u, 'kept.watch.currentLive'],
  [/^the outcome of its runs is amended$/u, 'kept.watch.amended'],
  [/^it$/u, 'kept.watch.it'],
  [/^the current dataset$/u, 'kept.watch.current'],
  [/^the login (?<login>\S+) is paused$/u, 'kept.watch.paused'],
  [/^its bytes are no longer archived$/u, 'kept.watch.unarchived'],
  [/^that was done (?<times>\d+) times within 24 hours and did not last$/u, 'kept.watch.tooOften'],
];

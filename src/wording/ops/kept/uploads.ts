import type { KeptSentence } from './kept-sentence.ts';

/** What an upload waits for, and what the checks of its receipt found. */
export const UPLOADS: KeptSentence[] = [
  [/^the service says (?<state>\w+), (?<lines>\d+) lines$/u, 'kept.note.processing'],
  [/^the service says "(?<state>.*)", a state that its documentation does not list$/u, 'kept.note.oddState'],
  [/^treated as unfinished$/u, 'kept.note.asUnfinished'],
  [/^no progress since (?<time>\S+)$/u, 'kept.note.noProgress'],
  [/^outcome unknown$/u, 'kept.note.unknown'],
  [/^outcome unknown: (?<quoted>.+)$/u, 'kept.note.unknownWhy'],
  [/^look (?<count>\d+) saw nothing$/u, 'kept.note.look'],
  [/^checking whether the service accepted the file anyway$/u, 'kept.note.checkingRefusal'],
  [/^upload (?<upload>\S+) cannot be compared yet$/u, 'kept.note.notComparable'],
  [/^an earlier upload of ours \((?<upload>.+), (?<state>.+)\) is unfinished$/u, 'kept.note.behindOurs'],
  [/^someone else's upload \((?<upload>.+), (?<state>.+)\) is unfinished$/u, 'kept.note.behindOther'],
  [/^a login can have only one$/u, 'kept.note.onlyOne'],
  [/^refused \((?<status>\d+)\) while another upload was made$/u, 'kept.note.refusedBeside'],
  [
    /^attempt (?<attempt>\d+) waits: the service took the earlier ones without showing any of them$/u,
    'kept.note.attemptWaits',
  ],
  [/^given up, and accepted late$/u, 'kept.note.late'],
  [/^the \.errors file cannot be fetched: (?<quoted>.+)$/u, 'kept.note.errorsFile'],
  [/^what is live cannot be checked: (?<because>.+)$/u, 'kept.note.unchecked'],
  [
    /^(?<call>[\w.]+(?: \S+)?|[A-Z]+ \S+) answered (?<status>\d{3}) \([^)]*\)(?:: (?<quoted>.+))?$/u,
    'kept.note.answered',
  ],
  [/^(?<call>[\w.]+(?: \S+)?): no reply from (?<place>\S+?): (?<quoted>.+)$/u, 'kept.note.noReply'],
  [/^the service says (?<state>\w+): (?<quoted>.+)$/u, 'kept.note.said'],
  [/^the service says (?<state>\w+): $/u, 'kept.note.saidState'],
  [/^sent (?<sent>"[^"]*"), the service read it with (?<said>"[^"]*")$/u, 'kept.note.sentRead'],
  [
    /^(?<lines>\d+) lines processed for (?<rows>\d+) rows sent: this service counts lines differently$/u,
    'kept.note.countsOtherwise',
  ],
  [/^missing: (?<names>.+)$/u, 'kept.note.tagsMissing'],
  [/^not sent: (?<names>.+)$/u, 'kept.note.tagsForeign'],
  [/^(?<count>[\d,]+) of (?<rows>[\d,]+) rows? sent cannot be found by a search: (?<names>.+)$/u, 'kept.note.notFound'],
  [
    /^(?<count>[\d,]+) rows? that should be gone can still be found by a search: (?<names>.+)$/u,
    'kept.note.stillFound',
  ],
  [/^they may be among the rejected rows, which are not all known$/u, 'kept.note.mayBeRejected'],
  [/^it could not be checked$/u, 'kept.note.uncheckable'],
];

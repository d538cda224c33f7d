import type { KeptSentence } from './kept-sentence.ts';

/** Why a file that was sent to a feed was not taken. */
export const PUSHES: KeptSentence[] = [
  [
    /^(?<file>.{1,300}) does not fit\. The feed (?<feed>\S+) takes files that fit (?<pattern>.+) \(feeds\.\S+\.source\); send it under such a name\.$/u,
    'kept.push.noFit',
  ],
  [/^push:(?<feed>\S+) has lost (?<file>.{1,300}?): .+ Have it pushed again\.$/u, 'kept.push.lost'],
  [
    /^The Idempotency-Key was used before, for (?<file>.{1,300}) with other bytes\. Give each delivery a key of its own\.$/u,
    'kept.push.keyUsed',
  ],
  [
    /^The Idempotency-Key was used before, for (?<file>.{1,300}) under that name\. Give each delivery a key of its own\.$/u,
    'kept.push.keyUsedForName',
  ],
  [
    /^The feed (?<feed>\S+) takes its files from a source of type (?<type>\S+); only one with `source: \{ type: push \}` takes what is sent to it\.$/u,
    'kept.push.otherSource',
  ],
  [
    /^The (?:feed|login) (?<name>\S+) has been paused since (?<time>.+?): (?<reason>.+)\. Send the file again once it goes on; nothing of it was taken\.$/u,
    'kept.push.paused',
  ],
  [
    /^The archive has no room for a file of (?<bytes>\d+) bytes now\. Free some space there and send it again\.$/u,
    'kept.push.noRoom',
  ],
  [/^The archive has no room for this file now\. Free some space there and send it again\.$/u, 'kept.push.noRoomLeft'],
  [/^This file waits no longer to be delivered\. Check it once more\.$/u, 'kept.push.waitsNoLonger'],
  [/^The same file is sent by another request now\.$/u, 'kept.push.sentAgain'],
  [/^Another console takes this file just now\. Ask again how much of it has come\.$/u, 'kept.push.elsewhere'],
  [
    /^(?<count>\d+) (?:of your )?files have come in part; send the rest of one first\. A part is kept for a day\.$/u,
    'kept.push.tooManyParts',
  ],
];

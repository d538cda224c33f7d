import type { KeptSentence } from './kept-sentence.ts';

/** What happened in a run. */
export const EVENTS: KeptSentence[] = [
  [/^pulled (?<name>.+), (?<bytes>\d+) bytes$/u, 'kept.pulled'],
  [/^superseded: (?<names>.+)$/u, 'kept.superseded'],
  [/^(?<file>.{1,500}) is older than (?<other>.{1,500}), which was taken before$/u, 'kept.changes.isOlder'],
  [/^(?<file>.{1,500}) has a lower number than (?<other>.{1,500}) and came after it$/u, 'kept.changes.isLate'],
  [
    /^(?<file>.{1,500}) was written anew since it was taken: its changes are put upon those of before$/u,
    'kept.changes.writtenAnew',
  ],
  [/^(?<file>.{1,500}) has a date in the future, which does not count$/u, 'kept.files.aheadDate'],
  [/^(?<file>.{1,500}) has a time of change in the future, which does not count$/u, 'kept.files.aheadTime'],
  [/^(?<file>.{1,500}) is not named by (?<other>.{1,500})$/u, 'kept.files.notNamed'],
  [/^(?<file>.{1,500}) fits neither delivery\.full nor delivery\.changes$/u, 'kept.changes.fitsNeither'],
  [/^(?<file>.{1,500}) fits both delivery\.full and delivery\.changes$/u, 'kept.changes.fitsBoth'],
  [/^waits for the rest of the delivery: (?<files>.{1,5000}) missing$/u, 'kept.waitsForRest'],
  [/^(?<file>.{1,500}) waits for (?<missing>.{1,5000}), which (?:comes|come) before it$/u, 'kept.changes.before'],
  [
    /^(?<file>.{1,500}) waits for a decision about (?<other>.{1,500}), which comes before it \(run (?<run>\S+)\)$/u,
    'kept.changes.waitsForDecision',
  ],
  [
    /^(?<file>.{1,500}) stays behind (?<other>.{1,500}), which was rejected \(run (?<run>\S+)\): that file once more or a full list lets it go on, or --force$/u,
    'kept.changes.behindRejected',
  ],
  [
    /^(?<file>.{1,500}) waits until run (?<run>\S+) has read (?<other>.{1,500}), which comes before it$/u,
    'kept.changes.waitsForRun',
  ],
  [/^(?<file>.{1,500}) is still being read \(run (?<run>\S+)\)$/u, 'kept.changes.stillRead'],
  [
    /^(?<file>.{1,500}) waits for a decision \(run (?<run>\S+)\), and no new file is there$/u,
    'kept.changes.standsForDecision',
  ],
  [
    /^(?<file>.{1,500}) was rejected \(run (?<run>\S+)\), and no new file is there: ask for that file once more, or for a full list$/u,
    'kept.changes.standsRejected',
  ],
  [/^(?<file>.{1,500}) waits for a full list that its changes can be put upon$/u, 'kept.changes.waitsForFull'],
  [/^(?<file>.{1,500}) can be put upon the rows now: run (?<run>\S+) reads it again$/u, 'kept.changes.again'],
  [
    /^(?<file>.{1,500}) has the same bytes as (?<other>.{1,500}), which run (?<run>\S+) took$/u,
    'kept.changes.sameBytes',
  ],
  [/^(?<count>\d+) files are one delivery: (?<names>.+)$/u, 'kept.oneDelivery'],
  [/^columns: (?<columns>.+)$/u, 'kept.columns'],
  [/^took the archived delivery of run (?<run>\S+)$/u, 'kept.archived'],
  [/^(?<count>\d+) lines that are no offers were skipped$/u, 'kept.skipped'],
  [/^composed (?<rows>\d+) rows: (?<feeds>.+)$/u, 'kept.composed'],
  [/^live as upload (?<upload>\S+) at attempt (?<attempt>\d+)$/u, 'kept.live'],
  [/^accepted, but not verified as live, as upload (?<upload>\S+) at attempt (?<attempt>\d+)$/u, 'kept.unverified'],
  [/^approved by (?<who>[^:]+): (?<reason>.+)$/u, 'kept.approved'],
  [/^approval asked for by (?<who>[^:]+): (?<reason>.+)$/su, 'kept.asked'],
  [/^approval not given: (?<because>.+)$/su, 'kept.notGiven'],
  [/^the folder (?<name>.{1,500}) is not on worker (?<place>\S{1,64}); another worker is asked$/u, 'kept.notOnWorker'],
  [/^waits for a worker that serves (?<names>.{1,5000}): none is running$/u, 'kept.unserved'],
  [/^rejected by (?<who>[^:]+): (?<reason>.+)$/u, 'kept.rejected'],
  [
    /^changes put upon the (?<base>[\d,]+) rows of run (?<run>\S+): (?<added>[\d,]+) added, (?<changed>[\d,]+) changed, (?<removed>[\d,]+) removed, (?<same>[\d,]+) the same, (?<absent>[\d,]+) not there$/u,
    'kept.put',
  ],
  [
    /^changes put upon no rows: (?<added>[\d,]+) added, (?<changed>[\d,]+) changed, (?<removed>[\d,]+) removed, (?<same>[\d,]+) the same, (?<absent>[\d,]+) not there$/u,
    'kept.putFirst',
  ],
  [
    /^rows of run (?<run>\S+) were read with other settings and stay so; a full list brings those of now to all rows$/u,
    'kept.readOtherwise',
  ],
  [/^the rows before it were changed while it was read, so it is put upon them again$/u, 'kept.putAgain'],
];

import type { KeptSentence } from './kept-sentence.ts';

/** What happened in a run. */
export const EVENTS: KeptSentence[] = [
  [/^pulled (?<name>.+), (?<bytes>\d+) bytes$/u, 'kept.pulled'],
  [/^superseded: (?<names>.+)$/u, 'kept.superseded'],
  [/^columns: (?<columns>.+)$/u, 'kept.columns'],
  [/^took the archived delivery of run (?<run>\S+)$/u, 'kept.archived'],
  [/^(?<count>\d+) lines that are no offers were skipped$/u, 'kept.skipped'],
  [/^composed (?<rows>\d+) rows: (?<feeds>.+)$/u, 'kept.composed'],
  [/^live as upload (?<upload>\S+) at attempt (?<attempt>\d+)$/u, 'kept.live'],
  [/^accepted, but not verified as live, as upload (?<upload>\S+) at attempt (?<attempt>\d+)$/u, 'kept.unverified'],
  [/^approved by (?<who>[^:]+): (?<reason>.+)$/u, 'kept.approved'],
  [/^the folder (?<name>.{1,500}) is not on worker (?<place>\S{1,64}); another worker is asked$/u, 'kept.notOnWorker'],
  [/^waits for a worker that serves (?<names>.{1,5000}): none is running$/u, 'kept.unserved'],
  [/^rejected by (?<who>[^:]+): (?<reason>.+)$/u, 'kept.rejected'],
];

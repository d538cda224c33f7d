import type { KeptSentence } from './kept-sentence.ts';

/** What the checks of a receipt found. */
export const RECEIPTS: KeptSentence[] = [
  [/^the service says success$/u, 'kept.success'],
  [/^(?<lines>\d+) lines processed for (?<rows>\d+) rows sent$/u, 'kept.lines'],
  [/^not shown by the service$/u, 'kept.notShown'],
  [/^the service read it with (?<said>".*")$/u, 'kept.readWith'],
  [/^the service keeps the (?<rows>\d+) rows that were sent$/u, 'kept.keeps'],
  [/^the service keeps (?<kept>\d+) rows that differ from the (?<rows>\d+) that were sent$/u, 'kept.differs'],
  [/^(?<count>[\d,]+) tags? (?:is|are) listed$/u, 'kept.tags'],
  [/^(?<count>[\d,]+) rows? that (?:was sent is|were sent are) found$/u, 'kept.found'],
  [/^(?<count>[\d,]+) removed rows? (?:is|are) not$/u, 'kept.removed'],
];

import type { KeptSentence } from './kept-sentence.ts';

/** Why not all rows behind a number can be shown. */
export const ROWS: KeptSentence[] = [
  [
    /^The delivery and the accepted rows of run (?<run>\S+) were pruned on (?<time>.+) \(keep\.deliveries\)\.$/u,
    'kept.rows.deliveryPruned',
  ],
  [
    /^The issues and rejections of run (?<run>\S+) were pruned on (?<time>.+) \(keep\.reports\)\.$/u,
    'kept.rows.issuesPruned',
  ],
  [
    /^(?<rows>[\d,]+) rows? of these may not be live: what the service says of the upload does not tell which\.$/u,
    'kept.rows.mayNotBeLive',
  ],
  [
    /^The account counts (?<rows>[\d,]+) rows?; (?<count>[\d,]+) of them are known one by one\.$/u,
    'kept.rows.knownOneByOne',
  ],
  [
    /^(?<because>The .+\.) Of the lines that are no offers only the first of each kind are kept\.$/u,
    'kept.rows.firstKept',
  ],
  [/^(?<count>[\d,]+) older datasets of (?<login>\S+) were pruned \(keep\.datasets\)\.$/u, 'kept.rows.olderPruned'],
  [
    /^Which rows of run (?<run>\S+) other feeds have won is not known any more: its dataset has the rows of a later run by now\.$/u,
    'kept.rows.wonByLater',
  ],
  [
    /^Which rows of run (?<run>\S+) other feeds have won is not known any more: its dataset was pruned\.$/u,
    'kept.rows.wonPruned',
  ],
  [/^Which rows of run (?<run>\S+) other feeds have won is not known: (?<quoted>.+)$/u, 'kept.rows.wonUnknown'],
  [
    /^The service rejected (?<rows>[\d,]+) rows?; which ones is known of (?<count>[\d,]+)\. The others are listed with those that may be live\.$/u,
    'kept.rows.rejectedKnown',
  ],
  [/^The dataset of upload (?<upload>\S+) cannot be looked into\. (?<quoted>.+)$/u, 'kept.rows.datasetDamaged'],
];

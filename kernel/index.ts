export { cells, cutEntry, findingAt, leftOut, nameDuplicate, nameLeftOut, warnings } from './findings';
export { breaks, indexBytes } from './index-bytes';
export { hashHigh, hashKey, hashLow, hashSpelling } from './part-key';
export { findDuplicates, touched } from './part-table';
export { room } from './rule-changes';
export { askCell, keepAnswer, keepNumber } from './rule-cells';
export { configure, entryAt, line, open, outAt, resume, rowAt, rowEnd, parseRows } from './rows';
export { wrapCounts } from './settings';
export { transcode } from './transcode';

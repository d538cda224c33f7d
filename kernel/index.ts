export { cells, cutEntry, findingAt, nameDuplicate, nameLeftOut, warnings } from './findings';
export { breaks, indexBytes } from './index-bytes';
export { hashHigh, hashKey, hashLow, hashSpelling } from './part-key';
export { findDuplicates, touched } from './part-table';
export { configure, entryAt, line, open, outAt, resume, rowAt, rowEnd, parseRows } from './rows';
export { wrapCounts } from './settings';
export { transcode } from './transcode';

export { configure } from './settings';
export { countBreaks, indexBytes, transcode } from './bytes';
export { hashHigh, hashKey, hashLow } from './part-key';
export { findDuplicates, rehash } from './part-table';
export { entryAt, line, open, outAt, resume, rowAt, takeRows } from './rows';

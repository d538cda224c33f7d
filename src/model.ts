/**
 * The nouns of offerline as types, by subject in src/model; nothing else. Times are epoch milliseconds, ids are strings (offer ids are int64 and
 * never become JS numbers), lines count physical lines of the unpacked supplier file from 1, the header included; of a
 * workbook the rows of a sheet.
 */
export type * from './model/detection.ts';
export type * from './model/diff.ts';
export type * from './model/effect.ts';
export type * from './model/findability.ts';
export type * from './model/guard.ts';
export type * from './model/incident-work.ts';
export type * from './model/issue.ts';
export type * from './model/joined.ts';
export type * from './model/outcome.ts';
export type * from './model/parts-gone.ts';
export type * from './model/request.ts';
export type * from './model/rows.ts';
export type * from './model/rules.ts';
export type * from './model/run.ts';
export type * from './model/signals.ts';
export type * from './model/upload.ts';

/** What the other threads of a crew load. */
export { pairDuplicates } from './part-buckets.ts';
export { takeStretches } from './take-stretches.ts';

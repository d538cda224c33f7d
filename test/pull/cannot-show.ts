/**
 * What the listings of a server cannot carry by their nature. The suites expect less of it then, and of most what happens instead is
 * tested in its place; docs/sources.md says the same in words.
 */
export type CannotShow = readonly (
  | 'exact times'
  | 'sizes'
  /** Which entries are links. */
  | 'links'
  /** Names of other letters than those of ASCII, or with blanks. */
  | 'foreign names'
  /** That a line is the rest of a name with a line break. */
  | 'broken names'
)[];

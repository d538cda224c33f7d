import type { HeaderSetting } from '../config/schema/feed-settings.ts';
import type { AcceptedColumns, EarlierHeader, Format, TablePart } from '../model.ts';
import type { Split } from '../parts/split-cell.ts';
import type { LiveParts } from './columns/live-parts.ts';
import type { MarkHints } from './marks/marks-in.ts';

/** What is known in advance: settings override evidence, names help to find the header. */
export type Hints = MarkHints & {
  /**
   * The text was made of a file of another format: then how it is cut is known, and of records that the first row names their fields.
   */
  table?: { format: Format; parts: TablePart[]; isHeaded: boolean; evidence: string[] };
  /** What stands around the content of the file and was left out, in sentences. */
  passedOver?: string[];
  charset?: string;
  /** The charset of other deliveries of the same feed: it decides where bytes alone do not. */
  likelyCharset?: string | undefined;
  delimiter?: string;
  header?: HeaderSetting;
  /** What two values they say are in one cell. */
  split?: Split | null;
  /** What people accepted for headers of the feed. */
  accepted?: AcceptedColumns[];
  /** The columns of the feed's live delivery. */
  earlierHeader?: EarlierHeader | null | undefined;
  /** The brands that are live in the login; asked for only where the lists of makers leave open which column has them. */
  brands?: (() => Promise<string[]>) | undefined;
  /** What is live of the feed. */
  parts?: LiveParts | undefined;
};

/** A setting that leaves it to detection. */
export const AUTO = 'auto';

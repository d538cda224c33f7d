/** How a delivery compares with one before it, in parts. */
export type ComparedParts = {
  /** Of the new delivery: all, those that were rejected before, and those that were accepted and doubtful. */
  rows: number;
  rejectedBefore: number;
  doubtfulBefore: number;
  /** Of the delivery before: rejected, accepted, and those of the accepted that the new one has, too. */
  rejected: number;
  accepted: number;
  kept: number;
};

/** So many of its parts had mistakes before: few are others. */
const MOST = 0.8;
/** A full list keeps more than this of what was right. */
const KEPT = 0.5;
/** Doubtful parts count as mistakes when the correction has this share of the rejected ones, too. */
const CORRECTED = 0.5;

/**
 * Whether a delivery looks like the rows that were to be corrected, and not like the whole list: most of its parts had mistakes in
 * the delivery before, and most of the parts that were right there are missing. After a delivery in which nothing was right, a list
 * of its parts is the whole list.
 */
export function looksLikeCorrection(parts: ComparedParts): boolean {
  const { rows, rejectedBefore, doubtfulBefore, rejected, accepted, kept } = parts;
  if (rows === 0 || accepted === 0 || kept >= accepted * KEPT || rejectedBefore === 0) return false;
  if (rejectedBefore >= rows * MOST) return true;
  return rejectedBefore + doubtfulBefore >= rows * MOST && rejectedBefore >= rejected * CORRECTED;
}

/** A rejected row may be met again by its part, by its number and by its brand and name. */
const WAYS = 3;

/** What is known of a delivery without reading it: rows with mistakes, those of them that were rejected, and accepted ones; at most. */
export type KnownCounts = { mistakes: number; rejected: number; accepted: number };

/** Whether so many rows can be a correction at all: then it is worth reading both deliveries. A full list never can on a usual day. */
export function mayBeCorrection(rows: number, { mistakes, rejected, accepted }: KnownCounts): boolean {
  if (rows === 0 || rejected === 0 || mistakes * WAYS < rows * MOST) return false;
  // Of the parts that must have had mistakes, those that were not rejected were right, and are there.
  return rows * MOST - rejected * WAYS < accepted * KEPT;
}

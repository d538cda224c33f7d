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

/** Whether so many rows can be a correction of so many rows with mistakes at all: then they are worth comparing. */
export function mayBeCorrection(rows: number, mistakes: number): boolean {
  return rows > 0 && mistakes >= rows * MOST;
}

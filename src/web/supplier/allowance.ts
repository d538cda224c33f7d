const HOUR = 3_600_000;

/** Files that may be sent to a feed in an hour, whatever becomes of them, and how many of the largest they may be together. */
const [FILES, LARGEST] = [30, 4];

/** A file that is or was sent; its bytes are those that were announced, and once it has come those that came. */
type Sent = { at: number; bytes: number };

const sent = new Map<string, Sent[]>();

/**
 * Counts a file that a supplier begins to send to a feed, or answers after how many milliseconds it may. `bytes`: so many are announced; `largest`:
 * so many a file may have.
 */
export function allow(
  feed: string,
  { bytes, largest, now }: { bytes: number; largest: number; now: number },
): { file: Sent } | { again: number } {
  const recent = (sent.get(feed) ?? []).filter(({ at }) => at <= now && now - at < HOUR);
  sent.set(feed, recent);
  const all = recent.reduce((sum, one) => sum + one.bytes, bytes);
  const [first] = recent;
  if (first !== undefined && (recent.length >= FILES || all > LARGEST * largest))
    return { again: first.at + HOUR - now };
  const file = { at: now, bytes };
  recent.push(file);
  return { file };
}

/** What PHP writes before a list by mistake: as a page, or as plain text. */
const KIND =
  '(?:Notice|Warning|Deprecated|Strict Standards|Parse error|Fatal error|User (?:Notice|Warning|Deprecated))';
const AS_PAGE = new RegExp(
  String.raw`\s{0,100}(?:<br\s?/?>\s{0,100})?<b>(${KIND})</b>:\s{0,10}([^<]{0,2000}?)\s{0,10}(?:in )?<b>[^<]{0,1000}</b> on line <b>\d{1,9}</b>\s{0,100}(?:<br\s?/?>\s{0,100})?`,
  'y',
);
const AS_TEXT = new RegExp(
  String.raw`\s{0,100}(?:PHP )?(${KIND}): {1,4}([^\r\n]{1,2000}) on line \d{1,9}\s{0,10}\n\s{0,100}`,
  'y',
);
const MOST = 100;

/** Messages of PHP at the beginning of a text: how many, where they end, the first of them, and whether one is written as a page. */
export type Notices = { count: number; end: number; first: string; areOfPage: boolean };

/** Finds the messages of PHP with which a text begins. Pure. */
export function noticesIn(text: string): Notices {
  const found: Notices = { count: 0, end: 0, first: '', areOfPage: false };
  while (found.count < MOST) {
    const [page, plain] = [AS_PAGE, AS_TEXT].map((pattern) => {
      pattern.lastIndex = found.end;
      return pattern.exec(text);
    });
    const notice = page ?? plain;
    if (notice === null || notice === undefined) break;
    if (found.count === 0) found.first = `${notice[1]}: ${notice[2]!.trim()}`;
    found.count += 1;
    found.end += notice[0].length;
    found.areOfPage ||= page !== null;
  }
  return found;
}

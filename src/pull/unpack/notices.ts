/** What PHP writes before a list by mistake: as a page, or as plain text. */
const KIND =
  '(?:Notice|Warning|Deprecated|Strict Standards|Parse error|Fatal error|User (?:Notice|Warning|Deprecated))';
const AS_PAGE = new RegExp(
  String.raw`\s{0,100}(?:<br\s?/?>\s{0,100})?<b>(${KIND})</b>:\s{0,10}((?:[^<]|</?a\b[^<>]{0,200}>){0,2000}?)\s{0,10}(?:in )?<b>[^<]{0,1000}</b> on line <b>\d{1,9}</b>[ \r\n]{0,100}(?:<br\s?/?>[ \r\n]{0,100})?`,
  'y',
);
const AS_TEXT = new RegExp(
  String.raw`\s{0,100}(?:PHP )?(${KIND}): {1,4}([^\r\n]{1,2000}) on line \d{1,9}\s{0,10}\n[ \r\n]{0,100}`,
  'y',
);
/** How Xdebug, the debugger of PHP, shows a message: a table, with its kind and text in the first row. */
const TABLE = /\s{0,100}(?:<br\s?\/?>\s{0,100})?<font size='1'>\s{0,10}<table class='xdebug-error\b/y;
const TABLE_END = '</table></font>';
const IN_TABLE = new RegExp(String.raw`(${KIND}): {1,4}([^<]{0,2000}?) on line <i>\d{1,9}</i>`);
const BLANKS = /[ \r\n]{0,100}(?:<br\s?\/?>[ \r\n]{0,100})?/y;
const MOST = 20_000;

/** Messages of PHP at the beginning of a text: how many, where they end, the first of them, and whether one is written as a page. */
export type Notices = { count: number; end: number; first: string; areOfPage: boolean };

/** Finds the messages of PHP with which a text begins. Pure. */
export function noticesIn(text: string): Notices {
  const found: Notices = { count: 0, end: 0, first: '', areOfPage: false };
  while (found.count < MOST) {
    const page = noticeAt(AS_PAGE, text, found.end) ?? tableAt(text, found.end);
    const notice = page ?? noticeAt(AS_TEXT, text, found.end);
    if (notice === null) break;
    if (found.count === 0) found.first = notice.said;
    found.count += 1;
    found.end = notice.end;
    found.areOfPage ||= page !== null;
  }
  return found;
}

type Notice = { said: string; end: number };

function noticeAt(pattern: RegExp, text: string, from: number): Notice | null {
  pattern.lastIndex = from;
  const found = pattern.exec(text);
  return found && { said: saidBy(found), end: pattern.lastIndex };
}

function tableAt(text: string, from: number): Notice | null {
  TABLE.lastIndex = from;
  const end = TABLE.test(text) ? text.indexOf(TABLE_END, TABLE.lastIndex) : -1;
  const found = end === -1 ? null : IN_TABLE.exec(text.slice(TABLE.lastIndex, end));
  if (found === null) return null;
  BLANKS.lastIndex = end + TABLE_END.length;
  BLANKS.test(text);
  return { said: saidBy(found), end: BLANKS.lastIndex };
}

/** Its kind and its text, without what a page shows around words. */
function saidBy([, kind, said]: RegExpExecArray): string {
  return `${kind}: ${said!.replaceAll(/<[^<>]*>/g, '').trim()}`;
}

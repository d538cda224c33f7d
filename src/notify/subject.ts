import { printable } from '../wording/printable.ts';

/** What mail programs show of a subject in a list, and what one line of a mail's header holds. */
const LENGTH = 78;

/**
 * The title of a mail as its subject, on one line: at most 78 UTF-16 units with the stamp of the sandbox, cut between words. A cut
 * subject ends with `…`.
 */
export function subjectLine({ sandbox, title }: { sandbox: boolean; title: string }): string {
  const stamp = sandbox ? '[SANDBOX] ' : '';
  const line = printable(title.replaceAll(/\s+/g, ' '));
  const room = LENGTH - stamp.length;
  return `${stamp}${line.length > room ? cutAtWord(line, room) : line}`;
}

/** Numbers are words: none loses its last digits. */
function cutAtWord(text: string, room: number): string {
  const cut = text.slice(0, room - 1).replace(/[\ud800-\udbff]$/, '');
  const space = cut.lastIndexOf(' ');
  return `${(space > 0 ? cut.slice(0, space) : cut).replace(/[\s,;:—(]+$/, '')}…`;
}

import { Parser } from 'htmlparser2';
import { refusal } from '../../io/refusal.ts';
import type { Encoding } from '../encoding.ts';
import type { TableInput } from '../table-file.ts';
import { textPieces } from '../text-pieces.ts';

/** What is met in a page; names are in lower case, entities are decoded. */
export type HtmlEvents = {
  open: (name: string, attributes: Record<string, string>) => void;
  text: (text: string) => void;
  close: (name: string) => void;
  /** Asked after each piece: true ends the reading. */
  done?: () => boolean;
};

/** Characters between two tags: more of them is no page. */
const MOST_BETWEEN = 1 << 24;
/** Elements that are open at once; browsers stop at 512. */
const DEEPEST = 2_000;

/** Parses a page in pieces, forgiving as browsers are, and yields after each. Throws `file-rejected` for what no page is. */
export async function* parseHtml(
  input: TableInput,
  encoding: Encoding,
  events: HtmlEvents,
): AsyncGenerator<void, void> {
  let depth = 0;
  let between = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        between = 0;
        if (++depth > DEEPEST) throw noPage(input.name, `has elements more than ${DEEPEST} deep in one another`);
        events.open(name, attributes);
      },
      ontext: (text) => {
        between = 0;
        events.text(text);
      },
      onclosetag: (name) => {
        between = 0;
        depth--;
        events.close(name);
      },
      oncomment: () => {
        between = 0;
      },
    },
    { decodeEntities: true },
  );
  for await (const piece of textPieces(input, encoding)) {
    between += piece.length;
    parser.write(piece);
    if (between > MOST_BETWEEN) throw noPage(input.name, 'has a tag or comment that does not end');
    yield;
    if (events.done?.() === true) return;
  }
  parser.end();
}

function noPage(file: string, why: string): Error {
  return refusal('no-table', `${file} ${why}, so its table cannot be read. Save the list as a workbook and send it.`);
}

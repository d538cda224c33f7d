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
/** Attributes of an element. */
const MOST_ATTRIBUTES = 1_000;

/**
 * Parses a page in pieces, forgiving as browsers are, and yields after each. Throws `file-rejected` for what no page is, and for one
 * that ends inside a table or a tag: what is missing there may be most of the list.
 */
export async function* parseHtml(
  input: TableInput,
  encoding: Encoding,
  events: HtmlEvents,
): AsyncGenerator<void, void> {
  let depth = 0;
  let between = 0;
  let [tables, attributes] = [0, 0];
  let [line, written] = [1, 0];
  let inTag = false;
  let tail = '';
  let isOver = false;
  const parser = new Parser(
    {
      onopentagname: () => {
        inTag = true;
      },
      onattribute: () => {
        if (++attributes > MOST_ATTRIBUTES)
          throw noPage(input.name, `has an element with more than ${MOST_ATTRIBUTES} attributes`);
      },
      onopentag: (name, its) => {
        between = 0;
        attributes = 0;
        inTag = false;
        if (name === 'table') tables++;
        if (++depth > DEEPEST) throw noPage(input.name, `has elements more than ${DEEPEST} deep in one another`);
        events.open(name, its);
      },
      ontext: (text) => {
        between = 0;
        if (isOver) tail += text;
        events.text(text);
      },
      onclosetag: (name) => {
        between = 0;
        depth--;
        if (name === 'table') tables--;
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
    written += piece.length;
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1)) line++;
    parser.write(piece);
    if (between > MOST_BETWEEN) throw noPage(input.name, 'has a tag or comment that does not end');
    yield;
    if (events.done?.() === true) return;
  }
  if (tables > 0) throw cut(input.name, line, 'a table');
  const rest = written - parser.endIndex - 1;
  isOver = true;
  parser.end();
  // What the end does not give as text was the beginning of a tag.
  if (inTag || rest > tail.length || tail === '<') throw cut(input.name, line, 'a tag');
}

function cut(file: string, line: number, inside: string): Error {
  const what = `${file} is a web page that is cut: it ends inside ${inside} (line ${line}), so its rest is missing.`;
  return refusal('html-broken', `${what} Ask for the whole file, and send it again.`, { line });
}

function noPage(file: string, why: string): Error {
  return refusal('no-table', `${file} ${why}, so its table cannot be read. Save the list as a workbook and send it.`);
}

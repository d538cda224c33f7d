import { Parser } from 'htmlparser2';

/** Elements within each other; browsers go no deeper either. */
const DEEPEST = 512;
/** Attributes of an element. */
const MOST_ATTRIBUTES = 1000;

/** What is heard of a page. */
type Hearing = {
  open: (tag: string, attributes: Record<string, string>) => void;
  text?: (text: string) => void;
  close: (tag: string) => void;
};

/** A page that is made to cost more than it says. */
export class HtmlError extends Error {}

/** Walks through a page. Throws `HtmlError` for elements that are too deep in one another, or have too many attributes. */
export function walkHtml(page: string, { open, text = () => undefined, close }: Hearing): void {
  let depth = 0;
  let attributes = 0;
  const parser = new Parser({
    onattribute: () => {
      if ((attributes += 1) > MOST_ATTRIBUTES)
        throw new HtmlError(`an element of more than ${MOST_ATTRIBUTES} attributes`);
    },
    onopentag: (tag, given) => {
      attributes = 0;
      if ((depth += 1) > DEEPEST) throw new HtmlError(`more than ${DEEPEST} elements in one another`);
      open(tag, given);
    },
    ontext: text,
    onclosetag: (tag) => {
      depth -= 1;
      close(tag);
    },
  });
  parser.end(page);
}

import { lexer, type Tokens } from 'marked';
import { anchorsOf } from './render.ts';
import { docPages, type DocPage } from './page.ts';

/** A section of a page that has all words that are looked for. */
export type Section = { page: string; title: string; heading: string; anchor: string; text: string };

const MOST_FOUND = 30;
/** Characters that are shown of a section. */
const EXCERPT = 240;
/** A word in a title says more than one in a text. */
const WEIGHTS = { title: 4, heading: 8, whole: 2 };

/** The sections of the documentation that have all these words, the likeliest first, each with the place of its first word. */
export function searchDocs(words: string): Section[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  if (wanted.length === 0) return [];
  return sections()
    .map((section) => ({ section, weight: weightOf(section, wanted) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, MOST_FOUND)
    .map(({ section: { page, title, heading, anchor, text } }) => ({
      page,
      title,
      heading,
      anchor,
      text: excerpt(text, wanted),
    }));
}

let all: Section[] | undefined;

function sections(): Section[] {
  // Decisions are read by those who change offerline.
  all ??= [...docPages().values()].filter(({ name }) => !name.startsWith('decisions/')).flatMap(sectionsOf);
  return all;
}

function sectionsOf({ name, title, text }: DocPage): Section[] {
  const anchors = anchorsOf();
  const found: Section[] = [];
  for (const token of lexer(text)) {
    if (token.type === 'heading') {
      const heading = (token as Tokens.Heading).text;
      found.push({ page: name, title, heading: plain(heading), anchor: anchors(heading), text: '' });
    } else if (found.length > 0) found.at(-1)!.text += `${plain(token.raw)} `;
  }
  return found;
}

/** A text of Markdown without its signs, links and rules. */
function plain(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replaceAll(/[`*|>]|-{3,}/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

function weightOf({ title, heading, text }: Section, wanted: string[]): number {
  const [inTitle, inHeading, inText] = [title, heading, text].map((one) => one.toLowerCase());
  let weight = 0;
  for (const word of wanted) {
    const here =
      (inTitle!.includes(word) ? WEIGHTS.title : 0) +
      (inHeading!.includes(word) ? WEIGHTS.heading : 0) +
      (inText!.includes(word) ? 1 : 0);
    if (here === 0) return 0;
    weight += here;
  }
  return weight + (inText!.includes(wanted.join(' ')) ? WEIGHTS.whole : 0);
}

function excerpt(text: string, wanted: string[]): string {
  const places = wanted.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...(places.length === 0 ? [0] : places)) - EXCERPT / 4);
  const begin = from === 0 ? 0 : text.indexOf(' ', from) + 1;
  const shown = text.slice(begin, begin + EXCERPT);
  return `${begin > 0 ? '… ' : ''}${shown}${begin + EXCERPT < text.length ? ' …' : ''}`;
}

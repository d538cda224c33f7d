import { printable, shortened } from '../../../wording/printable.ts';
import type { Content, ContentList } from '../../content/content.ts';

/** What a chat message says: what a mail says, as far as people read it in a chat. */
export type ChatParts = {
  title: string;
  tone: Content['tone'];
  paragraphs: string[];
  lists: { heading: string; items: string[] }[];
  facts: [string, string][];
  links: [label: string, address: string][];
};

/** A mail has room for more. */
const MOST_ITEMS = 6;
const MOST_FACTS = 10;
const LONGEST = 600;

/** Takes what a mail says apart for a chat. */
export function chatParts(content: Content): ChatParts {
  const { language, sandbox, title, tone, why, meaning, standing, change, lists, steps, links, facts, technical } =
    content;
  const { say } = language;
  const stamp = sandbox ? `[${say('report.sandbox')}] ` : '';
  const list = { heading: say('report.steps.title'), items: steps.map(plain) };
  const commands = { heading: say('report.technical.title'), items: (technical?.commands ?? []).map(plain) };
  return {
    title: line(`${stamp}${title}`),
    tone,
    paragraphs: [why, meaning, change?.sentence ?? null].flatMap((text) => (text === null ? [] : [line(text)])),
    lists: [...lists.map(listOf), list, commands].filter(({ items }) => items.length > 0),
    facts: [...standing, ...facts, ...(technical?.facts ?? [])]
      .slice(0, MOST_FACTS)
      .map(([label, text]) => [line(label), line(text)]),
    links,
  };
}

/** A message of one sentence. */
export function noteParts(title: string): ChatParts {
  return { title: line(title), tone: 'neutral', paragraphs: [], lists: [], facts: [], links: [] };
}

function listOf({ heading, items, more }: ContentList): { heading: string; items: string[] } {
  const shown = items
    .slice(0, MOST_ITEMS)
    .map(({ head, details: [first] }) => (first === undefined ? head : `${head}: ${first}`));
  return { heading: line(heading), items: [...shown, ...(more === null ? [] : [more])].map(line) };
}

/**
 * A text in which a chat finds nobody to mention, no channel and no address to link to: a space without width stands behind what begins them.
 */
export function unlinked(text: string): string {
  return text
    .replaceAll(/[@#~]/gu, '$&\u200B')
    .replaceAll('://', ':\u200B//')
    .replaceAll(/(?:mailto|tel|sms|data|javascript)(?=:)|www(?=\.)|\.(?=\p{L}{2,}\/)/giu, '$&\u200B');
}

/** A sentence in which commands stand in backquotes. */
function plain(text: string): string {
  return line(text.replaceAll('`', ''));
}

function line(text: string): string {
  return shortened(printable(text.replaceAll(/\s+/gu, ' ')), LONGEST);
}

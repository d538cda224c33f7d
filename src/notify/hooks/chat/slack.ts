import { shortened } from '../../../wording/printable.ts';
import { unlinked, type ChatParts } from './parts.ts';

/** What Slack takes of a heading and of a text. */
const HEADING = 150;
const TEXT = 2900;

/**
 * A message for an incoming webhook of Slack, in blocks. Texts hold no marks of Slack's, which looks for names and addresses in them unless they are
 * `verbatim`: nobody is mentioned, nothing is a link.
 */
export function slackMessage({ title, paragraphs, lists, facts, links }: ChatParts): object {
  const sections = [
    paragraphs.map(escaped).join('\n'),
    ...lists.map(({ heading, items }) =>
      [`*${escaped(heading)}*`, ...items.map((item) => `• ${escaped(item)}`)].join('\n'),
    ),
    facts.map(([label, text]) => `*${escaped(label)}*: ${escaped(text)}`).join('\n'),
  ].filter((text) => text !== '');
  const buttons = links.map(([label, url]) => ({ type: 'button', text: plainText(label), url }));
  return {
    text: escaped(title),
    blocks: [
      { type: 'header', text: plainText(shortened(unlinked(title), HEADING - 1)) },
      ...sections.map((text) => ({
        type: 'section',
        text: { type: 'mrkdwn', text: shortened(text, TEXT), verbatim: true },
      })),
      ...(buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons }]),
    ],
  };
}

function plainText(text: string) {
  return { type: 'plain_text', text, emoji: false };
}

/** What would be a mark is shown as it is; a zero-width space keeps the marks of emphasis apart from their words. */
function escaped(text: string): string {
  return unlinked(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[*_~`]/gu, (mark) => `\u200B${mark}\u200B`);
}

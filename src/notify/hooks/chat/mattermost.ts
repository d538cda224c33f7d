import { unlinked, type ChatParts } from './parts.ts';

const COLORS: Record<ChatParts['tone'], string> = {
  good: '#1f8a55',
  warning: '#b26a00',
  bad: '#c22f2f',
  neutral: '#5b6470',
};

/** A message for an incoming webhook of Mattermost: an attachment, whose title and last line are links. Texts mention nobody. */
export function mattermostMessage({ title, tone, paragraphs, lists, facts, links }: ChatParts): object {
  const [first] = links;
  const text = [
    ...paragraphs.map(escaped),
    ...lists.map(({ heading, items }) =>
      [`**${escaped(heading)}**`, ...items.map((item) => `- ${escaped(item)}`)].join('\n'),
    ),
    facts.map(([label, value]) => `**${escaped(label)}**: ${escaped(value)}`).join('\n'),
    links.map(([label, url]) => `[${escaped(label)}](${url})`).join(' · '),
  ];
  // A title without an address is Markdown in which links are the only marks.
  const heading = unlinked(title).replaceAll('](', ']\u200B(');
  const attachment = {
    fallback: heading,
    color: COLORS[tone],
    title: heading,
    ...(first === undefined ? {} : { title_link: first[1] }),
    text: text.filter((block) => block !== '').join('\n\n'),
  };
  return { attachments: [attachment] };
}

/** Marks of Markdown as they are, and neither a mention, a link nor an emoji. */
function escaped(text: string): string {
  const bare = unlinked(text).replaceAll(/:(?=\p{L})/gu, ':\u200B');
  return bare.replaceAll(/[\\`*_{}[\]()<>#+!|~]|^-/gu, String.raw`\$&`);
}

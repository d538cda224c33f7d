import { unlinked, type ChatParts } from './parts.ts';

const COLORS: Record<ChatParts['tone'], string> = {
  good: 'Good',
  warning: 'Warning',
  bad: 'Attention',
  neutral: 'Default',
};

/**
 * A message for a workflow of Teams that posts what a webhook receives: an Adaptive Card. Its texts are runs, in which Markdown means nothing.
 */
export function teamsMessage({ title, tone, paragraphs, lists, facts, links }: ChatParts): object {
  const body = [
    block([{ text: title, size: 'Large', weight: 'Bolder', color: COLORS[tone] }]),
    ...paragraphs.map((text) => block([{ text }])),
    ...lists.flatMap(({ heading, items }) => [
      block([{ text: heading, weight: 'Bolder' }]),
      ...items.map((text) => block([{ text: `• ${text}` }])),
    ]),
    ...facts.map(([label, text]) => block([{ text: `${label}: `, weight: 'Bolder' }, { text }])),
  ];
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body,
    actions: links.map(([label, url]) => ({ type: 'Action.OpenUrl', title: label, url })),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

function block(runs: ({ text: string } & Record<string, string>)[]): object {
  return { type: 'RichTextBlock', inlines: runs.map((run) => ({ type: 'TextRun', ...run, text: unlinked(run.text) })) };
}

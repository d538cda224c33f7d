import type { Content, ContentList } from './content.ts';

/** A mail as plain text. */
export function textPart(content: Content): string {
  const blocks = [
    content.sandbox ? 'SANDBOX: nothing here reached the real service.' : '',
    content.sentence,
    content.reason ?? '',
    content.standing.map(([label, text]) => `${label}: ${text}`).join('\n'),
    [content.meaning, ...content.steps.map((step) => `* ${step.replaceAll('`', '')}`)].join('\n'),
    content.readings.lines.length === 0 ? '' : ['How the file may be read:', ...content.readings.lines].join('\n'),
    columns(content.account, true),
    ...content.lists.map(list),
    content.note ?? '',
    columns(content.facts, false),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function columns(rows: [string, string][], numbers: boolean): string {
  const left = Math.max(...rows.map(([name]) => name.length));
  const right = Math.max(...rows.map(([, text]) => text.length));
  return rows.map(([name, text]) => `${name.padEnd(left)}  ${numbers ? text.padStart(right) : text}`).join('\n');
}

function list({ heading, items, more }: ContentList): string {
  const lines = items.flatMap(({ head, detail }) => [`- ${head}`, ...(detail === null ? [] : [`  ${detail}`])]);
  return [`${heading}:`, ...lines, ...(more === null ? [] : [`- ${more}`])].join('\n');
}

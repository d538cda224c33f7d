import { printable, printableText } from '../wording/printable.ts';
import type { Content, ContentList } from './content.ts';

/** A mail as plain text. */
export function textPart(content: Content): string {
  const blocks = [
    content.sandbox ? 'SANDBOX: nothing here reached the real service.' : '',
    printable(content.sentence),
    content.reason ?? '',
    content.standing.map(([label, text]) => `${label}: ${printable(text)}`).join('\n'),
    [content.meaning, ...content.steps.map((step) => `* ${printable(step.replaceAll('`', ''))}`)].join('\n'),
    content.readings.lines.length === 0
      ? ''
      : ['How the file may be read:', ...content.readings.lines.map(printable)].join('\n'),
    columns(content.account, true),
    ...content.lists.map(list),
    content.note ?? '',
    columns(content.facts, false),
  ];
  return `${printableText(blocks.filter((block) => block !== '').join('\n\n'))}\n`;
}

function columns(rows: [string, string][], numbers: boolean): string {
  const shown = rows.map((row) => row.map(printable) as [string, string]);
  const left = Math.max(...shown.map(([name]) => name.length));
  const right = Math.max(...shown.map(([, text]) => text.length));
  return shown.map(([name, text]) => `${name.padEnd(left)}  ${numbers ? text.padStart(right) : text}`).join('\n');
}

function list({ heading, items, more }: ContentList): string {
  const lines = items.flatMap(({ head, detail }) => [
    `- ${printable(head)}`,
    ...(detail === null ? [] : [`  ${printable(detail)}`]),
  ]);
  return [`${heading}:`, ...lines, ...(more === null ? [] : [`- ${more}`])].join('\n');
}

import { printable, printableText } from '../wording/printable.ts';
import type { Content, ContentList } from './content/content.ts';

/** A mail as plain text. */
export function textPart(content: Content): string {
  const { language, standing, strip, change, lists, links, steps, readings, note, facts, technical } = content;
  const { say } = language;
  const blocks = [
    content.sandbox ? say('report.sandbox') : '',
    printable(content.title),
    [content.why, content.meaning].flatMap((text) => (text === null ? [] : [printable(text)])).join('\n'),
    [...standing.map(([label, text]) => `${label}: ${printable(text)}`), ...(strip === null ? [] : [strip.text])].join(
      '\n',
    ),
    change === null ? '' : `${change.heading}:\n${change.sentence}`,
    ...lists.map(list),
    comparison(readings, say('report.readings.title')),
    bullets(say('report.steps.title'), steps),
    links.map(([label, address]) => `${label}: ${address}`).join('\n'),
    note ?? '',
    columns(facts),
    technical === null ? '' : `${say('report.technical.title')}:\n${columns(technical.facts)}`,
    technical === null ? '' : technical.commands.map((command) => `- ${plain(command)}`).join('\n'),
  ];
  return `${printableText(blocks.filter((block) => block !== '').join('\n\n'))}\n`;
}

/** A sentence in which commands stand in backquotes. */
function plain(text: string): string {
  return printable(text.replaceAll('`', ''));
}

function bullets(heading: string, items: string[]): string {
  return items.length === 0 ? '' : [`${heading}:`, ...items.map((item) => `- ${plain(item)}`)].join('\n');
}

/** Under each row of the file one line for each reading. */
function comparison({ names, rows }: Content['readings'], heading: string): string {
  if (rows.length === 0) return '';
  const lines = rows.flatMap(({ place, texts }) =>
    [`${place}:`].concat(texts.map((text, at) => `  ${names[at] ?? ''}: ${printable(text)}`)),
  );
  return [`${heading}:`, ...lines].join('\n');
}

function columns(rows: [string, string][]): string {
  const shown = rows.map((row) => row.map(printable) as [string, string]);
  const left = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, text]) => `${name.padEnd(left)}  ${text}`).join('\n');
}

function list({ heading, items, more }: ContentList): string {
  const lines = items.flatMap(({ head, details }) =>
    [`- ${printable(head)}`].concat(details.map((detail) => `  ${printable(detail)}`)),
  );
  return [`${heading}:`, ...lines, ...(more === null ? [] : [`- ${more}`])].join('\n');
}

import { printable, printableText } from '../../wording/printable.ts';
import type { DigestContent, DigestLine } from './content.ts';

const BAR_LENGTH = 20;

/** A digest as plain text. */
export function digestText(content: DigestContent): string {
  const { sandbox, sentence, asOf, groups, more, legend, incidents, runs, link, technical } = content;
  const blocks = [
    sandbox,
    `${printable(sentence)}\n${asOf}`,
    ...groups.map(({ heading, lines }) => [`${heading}:`, ...lines.map(lineText)].join('\n')),
    more,
    legend?.signs ?? null,
    [
      incidents.items.length === 0 ? incidents.heading : `${incidents.heading}:`,
      ...incidents.items.map(({ head, detail }) => `- ${printable(head)}\n  ${printable(detail)}`),
      ...(incidents.more === null ? [] : [`- ${incidents.more}`]),
    ].join('\n'),
    runs,
    link === null ? null : `${link[0]}: ${link[1]}`,
    technical === null
      ? null
      : [
          `${technical.heading}:`,
          ...technical.facts.map(([place, text]) => `${printable(place)}: ${printable(text)}`),
          technical.command,
        ].join('\n'),
  ];
  return `${printableText(blocks.filter((block) => block !== null).join('\n\n'))}\n`;
}

function lineText({ name, live, why, link, facts, bar }: DigestLine): string {
  const drawn = bar === null ? '' : ` ${drawBar(bar)}`;
  const said = why === null ? '' : `\n  ${printable([why.cause, why.step].filter((text) => text !== null).join(' '))}`;
  const place = link === null ? '' : `\n  ${link[0]}: ${link[1]}`;
  return `- ${printable(name)}: ${live}${drawn}${said}${place}\n  ${facts.join(' · ')}`;
}

/** `[#####x----]`: `#` is online, `x` rejected. What there is some of has at least one sign. */
function drawBar({ live, rejected }: NonNullable<DigestLine['bar']>): string {
  const lost = rejected === 0 ? 0 : Math.max(1, Math.round(rejected * BAR_LENGTH));
  const shown = Math.min(BAR_LENGTH - lost, Math.round(live * BAR_LENGTH));
  return `[${'#'.repeat(shown)}${'x'.repeat(lost)}${'-'.repeat(BAR_LENGTH - shown - lost)}]`;
}

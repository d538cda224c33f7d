import { html, prose, type Html, type Part } from '../../wording/html.ts';
import type { Content, ContentChange, ContentList, ContentStrip, Tone } from '../content/content.ts';
import { bar, heading1, heading2, mailPage, SMALL, TEXT } from './frame.ts';

const COLORS: Record<Tone, string> = { good: '#1f8a55', warning: '#b26a00', bad: '#c22f2f', neutral: '#5b6470' };

/** A mail as HTML. */
export function htmlPart(content: Content): string {
  const { language, title, tone, sandbox, why, standing, meaning } = content;
  const [live] = standing.map(([label, text]) => `${label}: ${text}`);
  return mailPage({
    language: language.name,
    title,
    color: COLORS[tone],
    sandbox: sandbox ? language.say('report.sandbox') : null,
    preheader: [why, live, meaning].filter(Boolean).join(' '),
    body: body(content),
  });
}

function body(content: Content): Part {
  const { language, title, why, meaning, standing, strip, change, lists, links } = content;
  const { steps, readings, note, facts, technical } = content;
  const { say } = language;
  return [
    heading1(title),
    why !== null && paragraph(html`<bdi>${why}</bdi>`),
    paragraph(meaning),
    standing.length > 0 && [heading2(say('report.live.title')), box(standing)],
    strip !== null && stripTable(strip),
    change !== null && changePart(change),
    lists.map(list),
    readings.rows.length > 0 && [heading2(say('report.readings.title')), readingsTable(readings)],
    steps.length > 0 && [heading2(say('report.steps.title')), bullets(steps.map((step) => prose(step)))],
    links.map(([label, address]) => paragraph(html`<a href="${address}">${label}</a>`)),
    note !== null && paragraph(note),
    facts.length + (technical?.facts.length ?? 0) > 0 && rule(),
    facts.length > 0 && rows(facts),
    technical !== null && technicalPart(technical, say('report.technical.title')),
  ];
}

function paragraph(content: Part): Html {
  return html`<p class="text" style="${TEXT}margin:0 0 12px 0;">${content}</p>`;
}

function rule(): Html {
  return html`<div class="rule" style="border-top:1px solid #d9dde3;margin:22px 0 12px 0;font-size:0;line-height:0;">
    &nbsp;
  </div>`;
}

function box(lines: Content['standing']): Html {
  return html`<div class="box text" style="${TEXT}margin:0 0 12px 0;padding:10px 14px;background-color:#f5f6f8;">
    ${lines.map(([label, text]) => html`<div><b>${label}:</b> ${text}</div>`)}
  </div>`;
}

/** A sign and a colour for each outcome, so that nobody has to tell them apart by colour. */
const SIGNS: Record<ContentStrip['outcomes'][number], [sign: string, color: string]> = {
  live: ['✓', '#1b7a4b'],
  partial: ['◐', '#8a5200'],
  held: ['‖', '#8a5200'],
  rejected: ['✕', '#b02a2a'],
  failed: ['!', '#b02a2a'],
};

function stripTable({ outcomes, text }: ContentStrip): Html {
  return html`<table role="presentation" cellpadding="0" cellspacing="1" border="0" aria-hidden="true">
      <tr>
        ${outcomes.map((outcome) => {
          const [sign, color] = SIGNS[outcome];
          const style = `${SMALL}font-size:9px;line-height:18px;color:#ffffff;background-color:${color};`;
          return html`<td bgcolor="${color}" width="10" height="18" align="center" style="${style}">${sign}</td>`;
        })}
      </tr>
    </table>
    <p class="small" style="${SMALL}margin:4px 0 12px 0;">${text}</p>`;
}

/** Cells of whole per cent; what there is some of can be seen. */
function changePart({ heading, sentence, bar: { kept, added, removed } }: ContentChange): Html {
  const all = kept + added + removed;
  const share = (rows: number) => (rows === 0 ? 0 : Math.max(1, Math.floor((rows / all) * 100)));
  const [came, went] = [share(added), share(removed)];
  const cells = [
    { color: '#8a94a3', share: all === 0 ? 0 : Math.max(0, 100 - came - went) },
    { color: '#1f8a55', share: came },
    { color: '#c22f2f', share: went },
  ];
  return html`${heading2(heading)}${bar(cells)}
    <p class="text" style="${TEXT}margin:4px 0 12px 0;">${sentence}</p>`;
}

/** The readings next to each other: a row of the file in each row. */
function readingsTable({ names, rows: compared }: Content['readings']): Html {
  const cell = (text: Part, style: string) =>
    html`<td class="small" valign="top" style="${SMALL}${style}padding:2px 16px 4px 0;word-break:break-word;">
      <bdi>${text}</bdi>
    </td>`;
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px 0;">
    <tr>
      ${['', ...names].map((name) => cell(name, 'font-weight:bold;'))}
    </tr>
    ${compared.map(
      ({ place, texts }) =>
        html`<tr>
          ${[place, ...texts].map((text) => cell(text, ''))}
        </tr>`,
    )}
  </table>`;
}

function bullets(items: Part[]): Html {
  return html`<ul style="margin:0 0 16px 0;padding:0 0 0 20px;">
    ${items.map((item) => html`<li class="text" style="${TEXT}margin:0 0 4px 0;">${item}</li>`)}
  </ul>`;
}

function rows(lines: [string, string][]): Html {
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0">
    ${lines.map(
      ([name, text]) =>
        html`<tr>
          <td class="small" valign="top" style="${SMALL}padding:2px 20px 2px 0;">${name}</td>
          <td class="small" valign="top" style="${SMALL}padding:2px 0;word-break:break-word;"><bdi>${text}</bdi></td>
        </tr>`,
    )}
  </table>`;
}

function list({ heading, items, more }: ContentList): Part {
  return [
    heading2(heading),
    bullets([
      ...items.map(
        ({ head, details }) =>
          html`<b><bdi>${head}</bdi></b
            >${details.map((detail) => html`<br /><span class="small" style="${SMALL}"><bdi>${detail}</bdi></span>`)}`,
      ),
      ...(more === null ? [] : [more]),
    ]),
  ];
}

function technicalPart({ facts, commands }: NonNullable<Content['technical']>, heading: string): Part {
  return [heading2(heading), rows(facts), commands.length > 0 && bullets(commands.map((command) => prose(command)))];
}

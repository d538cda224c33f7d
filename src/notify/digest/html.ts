import { html, type Html, type Part } from '../../wording/html.ts';
import { short } from '../content.ts';
import type { DigestContent, DigestLine } from './content.ts';

/*
 * Mail programs drop flex and grid and often style sheets; nested tables with styles on each element are what all of them show. The
 * style sheet holds only what cannot be written on an element: the colours of the dark.
 */

const FONT = 'font-family:Segoe UI,Helvetica,Arial,sans-serif;';
const TEXT = `${FONT}font-size:15px;line-height:22px;color:#1b1f24;`;
const SMALL = `${FONT}font-size:13px;line-height:19px;color:#5b6470;`;
const COLORS = { good: '#1f8a55', bad: '#c22f2f', rest: '#c9ced6' };

const DARK: Html = {
  markup: `<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){.page{background-color:#14171b!important}.card{background-color:#1f2429!important}.text{color:#e8eaed!important}.small{color:#aab2bd!important}.rule{border-color:#3a424c!important}}
</style>`,
};

/** Mail programs show up to about 100 characters. */
const PREHEADER_LENGTH = 100;

/** A digest as HTML; it loads nothing. */
export function digestHtml(content: DigestContent): string {
  const tone = content.needsAttention ? COLORS.bad : COLORS.good;
  const stamp = html`<tr>
    <td align="center" style="${TEXT}padding:8px 24px;background-color:#ffd54a;color:#3a2c00;font-weight:bold;">
      ${content.sandbox}
    </td>
  </tr>`;
  return html`<!doctype html>
    <html lang="${content.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${content.sentence}</title>
        ${DARK}
      </head>
      <body class="page" style="margin:0;padding:0;background-color:#eef0f3;">
        ${preheader(content)}
        <table class="page" ${WIDE} bgcolor="#eef0f3">
          <tr>
            <td align="center" style="padding:20px 8px;">
              <table
                class="card"
                ${WIDE}
                bgcolor="#ffffff"
                style="max-width:640px;background-color:#ffffff;border-top:5px solid ${tone};"
              >
                ${content.sandbox !== null && stamp}
                <tr>
                  <td align="left" style="padding:22px 20px 26px 20px;">${body(content)}</td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>`.markup.replaceAll(/\n\s+/g, '\n');
}

const WIDE: Html = { markup: 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"' };

/** What mail programs show beside the subject in a list; the blanks keep the text that follows out of it. */
function preheader({ groups, runs }: DigestContent): Html {
  const worst = groups[0]?.lines.slice(0, 3).map(({ name, live }) => `${name}: ${live}`) ?? [];
  const text = short([...worst, runs].join(' · '), PREHEADER_LENGTH);
  const hidden = 'display:none;max-height:0;overflow:hidden;mso-hide:all;font-size:1px;line-height:1px;color:#eef0f3;';
  return html`<div style="${hidden}">
    ${text}${Array.from({ length: PREHEADER_LENGTH }, () => html`&#847;&zwnj;&nbsp; `)}
  </div>`;
}

function body({ sentence, asOf, groups, more, legend, incidents, runs }: DigestContent): Part {
  return [
    html`<h1 class="text" style="${FONT}font-size:20px;line-height:27px;color:#1b1f24;margin:0 0 4px 0;">
      ${sentence}
    </h1>`,
    paragraph(asOf),
    groups.map(({ heading, lines }) => [
      heading2(heading),
      html`<table ${WIDE}>
        ${lines.map(line)}
      </table>`,
    ]),
    more !== null && html`<p class="text" style="${TEXT}margin:10px 0 0 0;">${more}</p>`,
    legend !== null && html`<p class="small" style="${SMALL}margin:10px 0 0 0;">${legend.colors}</p>`,
    heading2(incidents.heading),
    incidents.items.map(
      ({ head, detail }) =>
        html`<p class="text" style="${TEXT}margin:0 0 10px 0;">
          <b>${head}</b><br /><span class="small" style="${SMALL}">${detail}</span>
        </p>`,
    ),
    incidents.more !== null && paragraph(incidents.more),
    html`<p class="small rule" style="${SMALL}margin:22px 0 0 0;padding:12px 0 0 0;border-top:1px solid #d9dde3;">
      ${runs}
    </p>`,
  ];
}

function heading2(text: string): Html {
  return html`<h2 class="text" style="${FONT}font-size:16px;line-height:22px;color:#1b1f24;margin:22px 0 8px 0;">
    ${text}
  </h2>`;
}

function paragraph(text: string): Html {
  return html`<p class="small" style="${SMALL}margin:0 0 12px 0;">${text}</p>`;
}

/** On a small screen the name and the number stay beside each other, and the facts below have the whole width. */
function line({ name, live, facts, bar }: DigestLine): Html {
  const shown = html`<b>${live}</b>`;
  return html`<tr>
      <td
        class="text rule"
        valign="top"
        style="${TEXT}padding:8px 12px 0 0;border-top:1px solid #d9dde3;word-break:break-word;"
      >
        ${name}
      </td>
      <td class="text rule" valign="top" align="right" style="${TEXT}padding:8px 0 0 0;border-top:1px solid #d9dde3;">
        ${shown}
      </td>
    </tr>
    <tr>
      <td class="small" colspan="2" style="${SMALL}padding:2px 0 8px 0;">
        ${bar !== null && drawBar(bar)}${facts.join(' · ')}
      </td>
    </tr>`;
}

/** Cells of whole per cent; what there is some of can be seen. */
function drawBar({ live, rejected }: NonNullable<DigestLine['bar']>): Html {
  const lost = rejected === 0 ? 0 : Math.max(1, Math.round(rejected * 100));
  const online = Math.min(100 - lost, Math.round(live * 100));
  const cell = (color: string, width: number) =>
    width > 0 &&
    html`<td bgcolor="${color}" width="${width}%" height="6" style="font-size:0;line-height:6px;">&nbsp;</td>`;
  const cells = [cell(COLORS.good, online), cell(COLORS.bad, lost), cell(COLORS.rest, 100 - online - lost)];
  return html`<table ${WIDE} style="margin:0 0 4px 0;">
    <tr>
      ${cells}
    </tr>
  </table>`;
}

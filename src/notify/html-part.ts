import { html, prose, type Html, type Part } from '../wording/html.ts';
import { short, type Content, type ContentList, type Tone } from './content.ts';

/*
 * Mail programs drop style sheets, flex and grid; nested tables with styles on each element are what all of them show.
 */

const FONT = 'font-family:Segoe UI,Helvetica,Arial,sans-serif;';
const TEXT = `${FONT}font-size:15px;line-height:22px;color:#1b1f24;`;
const SMALL = `${FONT}font-size:13px;line-height:19px;color:#5b6470;`;
const COLORS: Record<Tone, string> = { good: '#1f8a55', warning: '#b26a00', bad: '#c22f2f', neutral: '#5b6470' };

/** Mail programs show up to about 100 characters. */
const PREHEADER_LENGTH = 100;

/** A mail as HTML. */
export function htmlPart(content: Content): string {
  const stamp = html`<tr>
    <td align="center" style="${TEXT}padding:8px 24px;background-color:#ffd54a;color:#3a2c00;font-weight:bold;">
      SANDBOX — nothing here reached the real service
    </td>
  </tr>`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <title>${content.sentence}</title>
      </head>
      <body style="margin:0;padding:0;background-color:#eef0f3;">
        ${preheader(content)}
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#eef0f3">
          <tr>
            <td align="center" style="padding:20px 8px;">
              <table
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                border="0"
                bgcolor="#ffffff"
                style="max-width:640px;background-color:#ffffff;border-top:5px solid ${COLORS[content.tone]};"
              >
                ${content.sandbox && stamp}
                <tr>
                  <td align="left" style="${TEXT}padding:22px 24px 26px 24px;">${body(content)}</td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>`.markup;
}

/** What mail programs show beside the subject in a list; the blanks keep the text that follows out of it. */
function preheader({ reason, standing, meaning }: Content): Html {
  const [live] = standing.map(([label, text]) => `${label}: ${text}`);
  const text = short([reason, live, meaning].filter(Boolean).join(' ').replaceAll('`', ''), PREHEADER_LENGTH);
  const hidden = 'display:none;max-height:0;overflow:hidden;mso-hide:all;font-size:1px;line-height:1px;color:#eef0f3;';
  return html`<div style="${hidden}">
    ${text}${Array.from({ length: PREHEADER_LENGTH }, () => html`&#847;&zwnj;&nbsp; `)}
  </div>`;
}

function body(content: Content): Part {
  return [
    html`<h1 style="${FONT}font-size:20px;line-height:27px;color:#1b1f24;margin:0 0 12px 0;">${content.sentence}</h1>`,
    content.reason !== null && paragraph(content.reason),
    content.standing.length > 0 && standing(content.standing),
    paragraph(content.meaning),
    content.steps.length > 0 && bullets(content.steps.map(prose)),
    content.readings.rows.length > 0 && readings(content.readings),
    content.account.length > 0 && rows(content.account, TEXT, 'right'),
    content.lists.map(list),
    content.note !== null && paragraph(content.note),
    html`<div style="border-top:1px solid #d9dde3;margin:22px 0 12px 0;font-size:0;line-height:0;">&nbsp;</div>`,
    rows(content.facts, SMALL, 'left'),
  ];
}

function standing(lines: Content['standing']): Html {
  return html`<div style="${TEXT}margin:0 0 12px 0;padding:10px 14px;background-color:#f5f6f8;">
    ${lines.map(([label, text]) => html`<div><b>${label}:</b> ${text}</div>`)}
  </div>`;
}

function paragraph(content: Part): Html {
  return html`<p style="${TEXT}margin:0 0 12px 0;">${content}</p>`;
}

/** The readings next to each other: a row of the file in each row. */
function readings({ names, rows: compared }: Content['readings']): Html {
  const cell = (text: Part, style: string) =>
    html`<td valign="top" style="${SMALL}${style}padding:2px 16px 4px 0;word-break:break-word;">${text}</td>`;
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
    ${items.map((item) => html`<li style="${TEXT}margin:0 0 4px 0;">${item}</li>`)}
  </ul>`;
}

function rows(lines: [string, string][], style: string, align: 'left' | 'right'): Html {
  const weight = (name: string) => (align === 'right' && !name.startsWith('−') ? 'font-weight:bold;' : '');
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0">
    ${lines.map(
      ([name, text]) =>
        html`<tr>
          <td valign="top" style="${style}${weight(name)}padding:2px 20px 2px 0;white-space:nowrap;">${name}</td>
          <td align="${align}" valign="top" style="${style}${weight(name)}padding:2px 0;word-break:break-word;">
            ${text}
          </td>
        </tr>`,
    )}
  </table>`;
}

function list({ heading, items, more }: ContentList): Part {
  return [
    html`<h2 style="${FONT}font-size:16px;line-height:22px;color:#1b1f24;margin:22px 0 8px 0;">${heading}</h2>`,
    bullets([
      ...items.map(
        ({ head, detail }) =>
          html`<b>${head}</b>${detail !== null && html`<br /><span style="${SMALL}">${detail}</span>`}`,
      ),
      ...(more === null ? [] : [more]),
    ]),
  ];
}

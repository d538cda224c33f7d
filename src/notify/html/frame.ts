import { html, type Html, type Part } from '../../wording/html.ts';
import { short } from '../content/content.ts';

/*
 * Mail programs drop flex and grid and often style sheets; nested tables with styles on each element are what all of them show. The
 * style sheet holds only what cannot be written on an element: the colours of the dark.
 */

const FONT = 'font-family:Segoe UI,Helvetica,Arial,sans-serif;';
export const TEXT = `${FONT}font-size:15px;line-height:22px;color:#1b1f24;`;
export const SMALL = `${FONT}font-size:13px;line-height:19px;color:#5b6470;`;

/** The attributes of a table that only arranges. */
export const WIDE: Html = { markup: 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"' };

const DARK: Html = {
  markup: `<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){.page{background-color:#14171b!important}.card{background-color:#1f2429!important}.box{background-color:#2a3037!important}.text{color:#e8eaed!important}.small{color:#aab2bd!important}.rule{border-color:#3a424c!important}}
</style>`,
};

/** Mail programs show up to about 100 characters. */
const PREHEADER_LENGTH = 100;

/** A mail as a page that loads nothing. */
export type MailPage = {
  language: string;
  title: string;
  /** The colour at its top. */
  color: string;
  /** What says that nothing is real; null where it is. */
  sandbox: string | null;
  /** What mail programs show beside the subject in a list. */
  preheader: string;
  body: Part;
};

/** Sets a mail as HTML that mail programs show, Outlook's old engine included. */
export function mailPage({ language, title, color, sandbox, preheader, body }: MailPage): string {
  const stamp = html`<tr>
    <td align="center" style="${TEXT}padding:8px 24px;background-color:#ffd54a;color:#3a2c00;font-weight:bold;">
      ${sandbox}
    </td>
  </tr>`;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${title}</title>
        ${DARK}
      </head>
      <body class="page" style="margin:0;padding:0;background-color:#eef0f3;">
        ${hidden(preheader)}
        <table class="page" ${WIDE} bgcolor="#eef0f3">
          <tr>
            <td align="center" style="padding:20px 8px;">
              <table
                class="card"
                ${WIDE}
                bgcolor="#ffffff"
                style="max-width:640px;background-color:#ffffff;border-top:5px solid ${color};"
              >
                ${sandbox !== null && stamp}
                <tr>
                  <td align="left" style="padding:22px 20px 26px 20px;">${body}</td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>`.markup.replaceAll(/\n\s+/g, '\n');
}

/** The blanks keep the text that follows out of what a list of mails shows. */
function hidden(preheader: string): Html {
  const style = 'display:none;max-height:0;overflow:hidden;mso-hide:all;font-size:1px;line-height:1px;color:#eef0f3;';
  return html`<div style="${style}">
    ${short(preheader, PREHEADER_LENGTH)}${Array.from({ length: PREHEADER_LENGTH }, () => html`&#847;&zwnj;&nbsp; `)}
  </div>`;
}

/** The heading of a mail. */
export function heading1(text: string): Html {
  return html`<h1 class="text" style="${FONT}font-size:20px;line-height:27px;color:#1b1f24;margin:0 0 12px 0;">
    <bdi>${text}</bdi>
  </h1>`;
}

/** The heading of a part. */
export function heading2(text: string): Html {
  return html`<h2 class="text" style="${FONT}font-size:16px;line-height:22px;color:#1b1f24;margin:22px 0 8px 0;">
    ${text}
  </h2>`;
}

/** Cells beside each other, as wide as their shares of 100; what there is none of is left out. */
export function bar(cells: { color: string; share: number }[]): Html {
  return html`<table ${WIDE} style="margin:0 0 4px 0;">
    <tr>
      ${cells.map(
        ({ color, share }) =>
          share > 0 &&
          html`<td bgcolor="${color}" width="${share}%" height="6" style="font-size:0;line-height:6px;">&nbsp;</td>`,
      )}
    </tr>
  </table>`;
}

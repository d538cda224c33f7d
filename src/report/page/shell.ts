import { createHash } from 'node:crypto';
import { html, type Html, type Part } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import { STYLE } from './style.ts';

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The page may use its own style and nothing else: no script, no picture, no connection. */
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

/** A page in a language. `sandbox`: it is about nothing real, and says so. */
type Page = { title: string; language: Language; sandbox: boolean; top: Part; body: Part; foot: Part };

/** A whole page that needs nothing from elsewhere. The style is ours and therefore not escaped. */
export function page({ title, language, sandbox, top, body, foot }: Page): string {
  const style: Html = { markup: `<style>${STYLE}</style>` };
  const stamp = html`<p class="stamp">${language.say('report.sandbox')}</p>`;
  return html`<!doctype html>
    <html lang="${language.name}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${style}
      </head>
      <body>
        <header>
          ${sandbox && stamp}
          <div class="top">${top}</div>
        </header>
        <main>${body}</main>
        <footer>${foot}</footer>
      </body>
    </html> `.markup;
}

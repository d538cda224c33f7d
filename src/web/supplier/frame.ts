import type { Context } from '../../context.ts';
import { html, type Html, type Part } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import { ASSETS } from '../http/assets.ts';

/** A page for a supplier. `next`: the address that it leads on to at once. */
type SupplierPage = { title: string; body: Part; next?: string; foot?: Part };

/** A whole page for a supplier. Nothing of the console is in it, no script, and no address but its own. */
export function supplierFrame(
  { title, body, next, foot = null }: SupplierPage,
  { language, ctx }: { language: Language; ctx: Pick<Context, 'sandbox'> },
): Html {
  return html`<!doctype html>
    <html lang="${language.name}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${next !== undefined && html`<meta http-equiv="refresh" content="0; url=${next}" />`}
        <title>${title}</title>
        <link rel="stylesheet" href="${ASSETS.style}" />
        <link rel="icon" type="image/svg+xml" href="${ASSETS.icon}" />
      </head>
      <body class="console">
        <header>
          ${ctx.sandbox && html`<p class="stamp">${language.say('supplier.sandbox')}</p>`}
          <div class="bar"><span class="brand-name">offerline</span></div>
        </header>
        <main>${body}</main>
        <footer>${foot}</footer>
      </body>
    </html>`;
}

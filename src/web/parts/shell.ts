import { VERSION } from '../../version.ts';
import { html, type Html, type Part } from '../../wording/html.ts';
import { languages, openLanguage, type Language, type MessageKey } from '../../wording/language/language.ts';
import { ASSETS } from '../http/assets.ts';
import { markOfAll, type Cells } from '../live/cells.ts';
import { MAY, type Page, type Route, type Rule } from '../route.ts';
import type { Looker, WebWorld } from '../visit.ts';

/** What the frame of a page depends on. */
export type Frame = {
  route: Route;
  visitor: Looker | null;
  language: Language;
  url: URL;
  /** The cells of the page that is shown; null where it is not live. */
  cells: Cells | null;
};

/** The entries of the bar. */
const SECTIONS: readonly { path: string; name: MessageKey; may: Rule }[] = [
  { path: '/', name: 'web.nav.now', may: MAY.see },
  { path: '/runs', name: 'web.nav.runs', may: MAY.see },
  { path: '/incidents', name: 'web.nav.incidents', may: MAY.see },
  { path: '/uploads', name: 'web.nav.uploads', may: MAY.seeAll },
  { path: '/suppliers', name: 'web.nav.suppliers', may: MAY.see },
  { path: '/part', name: 'web.nav.part', may: MAY.see },
  { path: '/check', name: 'web.nav.check', may: MAY.see },
  { path: '/audit', name: 'web.nav.audit', may: MAY.seeAll },
  { path: '/system', name: 'web.nav.system', may: MAY.seeAll },
  { path: '/users', name: 'web.nav.users', may: MAY.administer },
  { path: '/docs', name: 'web.nav.docs', may: MAY.see },
];

/** A whole page: the bar, the stamp of the sandbox, the body, and the foot that names the time zone. */
export function shell(page: Page, frame: Frame, { loaded, ctx }: WebWorld): Html {
  const { language, cells, url } = frame;
  const follow =
    cells === null
      ? null
      : `/live?of=${encodeURIComponent(url.pathname + url.search)}&at=${encodeURIComponent(markOfAll(cells))}`;
  return html`<!doctype html>
    <html lang="${language.name}" ${follow !== null && html`data-follow="${follow}"`}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title} · offerline</title>
        <link rel="stylesheet" href="${ASSETS.style}" />
        <link rel="icon" type="image/svg+xml" href="${ASSETS.icon}" />
        <script src="${ASSETS.script}" defer></script>
      </head>
      <body class="console">
        <a class="skip" href="#main">${language.say('web.skip')}</a>
        <header>
          ${ctx.sandbox && html`<p class="stamp">${language.say('report.sandbox')}</p>`} ${bar(page, frame)}
        </header>
        <main id="main" tabindex="-1">${page.body}</main>
        <footer>
          <p>
            ${language.say('web.foot.times', { zone: loaded.config.web.timezone })} ·
            ${language.moment(ctx.clock.now())} · offerline ${VERSION}
          </p>
          ${languageForm(frame)} ${follow !== null && liveState(language)}
        </footer>
      </body>
    </html>`;
}

function bar(page: Page, { visitor, language, url }: Frame): Html {
  const open = visitor === null ? [] : SECTIONS.filter(({ may }) => may === 'everybody' || may.includes(visitor.role));
  const current = page.section ?? url.pathname;
  return html`<div class="bar">
    <a class="brand-name" href="/">offerline</a>
    <nav aria-label="${language.say('web.nav.label')}">
      <ul>
        ${open.map(
          ({ path, name }) =>
            html`<li><a href="${path}" ${path === current && html`aria-current="page"`}>${language.say(name)}</a></li>`,
        )}
      </ul>
    </nav>
    ${visitor !== null && who(visitor, language)}
  </div>`;
}

function who({ signedIn, name, role }: Looker, language: Language): Part {
  if (!signedIn) return html`<p class="who">${language.say('web.readOnlyHere')}</p>`;
  return html`<div class="who">
    <a href="/account">${name}</a> <span class="soft">${role}</span>
    <form method="post" action="/sign-out"><button class="plain">${language.say('web.signOut')}</button></form>
  </div>`;
}

/** Each language is named in itself, so that whoever cannot read the page finds it. */
function languageForm({ language, url }: Frame): Html {
  return html`<form method="post" action="/language" class="languages">
    <input type="hidden" name="to" value="${url.pathname + url.search}" />
    ${languages().map(
      (name) =>
        html`<button
          class="plain"
          name="language"
          value="${name}"
          lang="${name}"
          ${name === language.name && html`aria-pressed="true"`}
        >
          ${openLanguage(name).say('language.name')}
        </button> `,
    )}
  </form>`;
}

/** What the script shows of its connection; without scripts nothing. */
function liveState(language: Language): Html {
  return html`<p class="live-state" role="status">
    <span class="when-waiting">${language.say('web.live.waiting')}</span>
    <span class="when-on">${language.say('web.live.on')}</span>
    <span class="when-off">${language.say('web.live.off')}</span>
    <span class="when-ended">${language.say('web.live.ended')}</span>
  </p>`;
}

import { docPages, docPicture, docPictures, type DocPage } from '../../documentation/page.ts';
import { renderPage, renderText, type Addresses } from '../../documentation/render.ts';
import { searchDocs, type Section } from '../../documentation/search.ts';
import { explain } from '../../explain/find.ts';
import { meaningIn } from '../../explain/meaning.ts';
import type { Explanation } from '../../explain/explanation.ts';
import { OfferlineError } from '../../errors.ts';
import { html, prose, type Html, type Part } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import type { Answer } from '../route.ts';
import type { Visit } from '../visit.ts';

const SECTION = '/docs';
const ADDRESSES: Addresses = { page: (name) => `/docs/${name}`, picture: (name) => `/docs/pictures/${name}` };

/** The pages of the documentation, and what a search in them finds. */
export async function docsPage({ language, url }: Visit): Promise<Answer> {
  const { say } = language;
  const words = url.searchParams.get('q')?.trim().slice(0, 200) ?? '';
  const body = html`
    <h1>${say('web.nav.docs')}</h1>
    ${searchForm(words, language)} ${words === '' ? allPages() : found(searchDocs(words), words, language)}
  `;
  return { page: { title: say('web.nav.docs'), body, section: SECTION } };
}

/** One page of the documentation, by its name. */
export async function docPage({ language, params }: Visit): Promise<Answer> {
  const name = [params['folder'], params['page']].filter((part) => part !== undefined).join('/');
  const page = docPages().get(name);
  if (page === undefined) throw new OfferlineError('not-found', `There is no page “${name}”. See /docs.`);
  const body = html`${searchForm('', language)}
    <article class="docs" lang="en">${renderPage(page, ADDRESSES)}</article>`;
  return { page: { title: page.title, body, section: SECTION } };
}

/** A picture of the documentation. */
export async function docsPicture({ params }: Visit): Promise<Answer> {
  const name = params['picture'] ?? '';
  if (!docPictures().includes(name)) throw new OfferlineError('not-found', `There is no picture “${name}”.`);
  const bytes = docPicture(name);
  return {
    file: new Blob([new Uint8Array(bytes)]).stream(),
    name,
    type: 'image/png',
    bytes: bytes.length,
  };
}

function searchForm(words: string, { say }: Language): Html {
  return html`<form method="get" action="${SECTION}" role="search" class="fields">
    <p>
      <label for="q">${say('web.docs.words')}</label><input id="q" name="q" value="${words}" required maxlength="200" />
    </p>
    <p><button class="first">${say('web.docs.search')}</button></p>
  </form>`;
}

/** What users read; decisions are reached from these. */
function allPages(): Html {
  const pages = [...docPages().values()];
  const listed = (those: DocPage[]) =>
    those.map(({ name, title }) => html`<li><a href="${ADDRESSES.page(name)}">${title}</a></li>`);
  return html`<ul lang="en">
    ${listed(pages.filter(({ name }) => !name.startsWith('decisions/')))}
  </ul>`;
}

function found(sections: Section[], words: string, language: Language): Html {
  const { say } = language;
  return html`${explained(explain(words).explanations, words, language)}
    <p role="status">${say('web.docs.found', { count: sections.length, words })}</p>
    <dl class="found" lang="en">
      ${sections.map(
        ({ page, title, heading, anchor, text }) =>
          html`<dt>
              <a href="${ADDRESSES.page(page)}#${anchor}">${heading === title ? title : `${title}: ${heading}`}</a>
            </dt>
            <dd>${text}</dd>`,
      )}
    </dl>`;
}

/** What a code or a message means that was looked for. */
function explained(explanations: Explanation[], words: string, language: Language): Part {
  if (explanations.length === 0) return null;
  const { say } = language;
  return html`<section aria-label="${say('web.docs.explained', { words })}">
    <h2>${say('web.docs.explained', { words })}</h2>
    ${explanations.map((explanation) => {
      const { code, meaning, steps, page } = explanation;
      return html`${meaningIn(explanation, language).map((sentence) => html`<p>${prose(sentence)}</p>`)}
        <div class="docs" lang="en">
          <p><strong>${code}</strong>: ${renderText(meaning, ADDRESSES)}</p>
          <ul>
            ${steps.map((step) => html`<li>${renderText(step, ADDRESSES)}</li>`)}
          </ul>
          <p><a href="${ADDRESSES.page(page.replace('.md', ''))}">${page}</a></p>
        </div>`;
    })}
  </section>`;
}

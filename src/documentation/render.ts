import { posix } from 'node:path';
import { Lexer, lexer, type Token, type Tokens } from 'marked';
import { html, type Html, type Part } from '../wording/html.ts';
import { docPages, docPictures, type DocPage } from './page.ts';

/** Where pages and pictures are that a page leads to. */
export type Addresses = { page: (name: string) => string; picture: (name: string) => string };

/**
 * A page of the documentation as a part of a web page. Each text is escaped, and markup in it is left out: nothing that stands in a page
 * becomes a script.
 */
export function renderPage(page: DocPage, addresses: Addresses): Html {
  const anchors = anchorsOf();
  return html`${blocks(lexer(page.text), { page, addresses, anchors })}`;
}

/** A sentence of Markdown, whose links are those of a page directly below docs/. */
export function renderText(text: string, addresses: Addresses): Part {
  const page = { name: 'sentence', title: '', text };
  return words(new Lexer().inlineTokens(text), { page, addresses, anchors: anchorsOf() });
}

/** Makes the anchors of headings as GitHub does: in small letters, without signs, each once. */
export function anchorsOf(): (heading: string) => string {
  const taken = new Map<string, number>();
  return (heading) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const times = taken.get(anchor) ?? 0;
    taken.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  };
}

/** What a page is rendered with. */
type Rendering = { page: DocPage; addresses: Addresses; anchors: (heading: string) => string };

function blocks(tokens: Token[], rendering: Rendering): Part[] {
  return tokens.map((token) => block(token, rendering));
}

function block(token: Token, rendering: Rendering): Part {
  const inside = (tokens: Token[] = []) => words(tokens, rendering);
  switch (token.type) {
    case 'heading':
      return heading(token as Tokens.Heading, rendering);
    case 'paragraph':
      return html`<p>${inside(token.tokens)}</p>`;
    case 'text':
      return inside(token.tokens);
    case 'blockquote':
      return html`<blockquote>${blocks(token.tokens ?? [], rendering)}</blockquote>`;
    case 'code':
      return html`<pre tabindex="0"><code>${(token as Tokens.Code).text}</code></pre>`;
    case 'list':
      return list(token as Tokens.List, rendering);
    case 'table':
      return table(token as Tokens.Table, rendering);
    case 'hr':
      return html`<hr />`;
    default:
      return null;
  }
}

function heading({ depth, tokens, text }: Tokens.Heading, rendering: Rendering): Html {
  const anchor = rendering.anchors(text);
  const inside = words(tokens, rendering);
  if (depth === 1) return html`<h1 id="${anchor}">${inside}</h1>`;
  if (depth === 2) return html`<h2 id="${anchor}">${inside}</h2>`;
  return html`<h3 id="${anchor}">${inside}</h3>`;
}

function list({ ordered, items }: Tokens.List, rendering: Rendering): Html {
  const all = items.map(({ tokens }) => html`<li>${blocks(tokens, rendering)}</li>`);
  return ordered
    ? html`<ol>
        ${all}
      </ol>`
    : html`<ul>
        ${all}
      </ul>`;
}

function table({ header, rows }: Tokens.Table, rendering: Rendering): Html {
  return html`<div class="wide" tabindex="0">
    <table>
      <thead>
        <tr>
          ${header.map(({ tokens }) => html`<th scope="col">${words(tokens, rendering)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map(({ tokens }) => html`<td>${words(tokens, rendering)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function words(tokens: Token[], rendering: Rendering): Part[] {
  return tokens.map((token) => word(token, rendering));
}

function word(token: Token, rendering: Rendering): Part {
  const inside = () => words((token as Tokens.Generic).tokens ?? [], rendering);
  switch (token.type) {
    case 'codespan':
      return html`<code>${(token as Tokens.Codespan).text}</code>`;
    case 'strong':
      return html`<strong>${inside()}</strong>`;
    case 'em':
      return html`<em>${inside()}</em>`;
    case 'br':
      return html`<br />`;
    case 'link':
      return link(token as Tokens.Link, inside(), rendering);
    case 'image':
      return picture(token as Tokens.Image, rendering);
    case 'html':
      return null;
    default:
      return (token as Tokens.Generic).tokens === undefined ? (token as Tokens.Text).text : inside();
  }
}

/** Links lead to other pages and to the web; what they lead to in the repository nobody can open from here. */
function link({ href }: Tokens.Link, text: Part, { page, addresses }: Rendering): Part {
  if (href.startsWith('#')) return html`<a href="${href}">${text}</a>`;
  if (/^https?:\/\//u.test(href)) return html`<a href="${href}" rel="noreferrer">${text}</a>`;
  const [path = '', anchor] = href.split('#');
  const name = posix.join(posix.dirname(page.name), path).replace(/\.md$/u, '');
  if (!docPages().has(name)) return text;
  return html`<a href="${addresses.page(name)}${anchor === undefined ? '' : `#${anchor}`}">${text}</a>`;
}

function picture({ href, text }: Tokens.Image, { addresses }: Rendering): Part {
  const name = posix.basename(href);
  if (!docPictures().includes(name)) return text;
  return html`<img src="${addresses.picture(name)}" alt="${text}" loading="lazy" />`;
}

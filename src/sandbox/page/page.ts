import { html, type Html } from '../../wording/html.ts';
import type { SandboxSettings } from '../settings.ts';
import type { Asked } from './find.ts';
import type { LoginOverview, UploadOverview } from './overview.ts';
import { tryOf, type Ident } from './try.ts';

/** What the page shows. */
export type PageContent = {
  address: string;
  /** Epoch milliseconds of the sandbox's clock. */
  now: number;
  operations: { method: string; path: string }[];
  logins: LoginOverview[];
  /** Names of the faults that wait for calls. */
  faults: string[];
  asked: Asked;
  idents: Ident[];
  settings: SandboxSettings;
};

/** The sandbox at a glance; whoever uploaded it, nothing in it becomes markup. */
export function pageOf(content: PageContent): string {
  const { address, operations, idents, settings } = content;
  const page = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>offerline sandbox</title>
      <link rel="stylesheet" href="/page/style.css" />
      <script src="/page/live.js" defer></script>
    </head>
    <body>
      <h1>offerline sandbox</h1>
      <p class="quiet">
        The parts search service and the vehicle catalog, on this machine at <code>${address}</code>. Described by
        <a href="/openapi.json">openapi.json</a>.
      </p>
      <p id="connection" role="status"></p>
      ${searchOf(content)} ${live(content)} ${tryOf(address, idents, settings)}
      <section class="card">
        <h2>What it serves</h2>
        <ul>
          ${operations.map(({ method, path }) => html`<li><code>${method} ${path}</code></li>`)}
        </ul>
      </section>
    </body>
  </html>`;
  return `<!doctype html>\n${page.markup}\n`;
}

function searchOf({ logins, asked: { login, query, result } }: PageContent): Html {
  const option = ({ id, name, scheme }: LoginOverview) =>
    html`<option value="${id}" ${id === login && { markup: 'selected' }}>${name} (${scheme})</option>`;
  return html`<section class="card">
    <h2>Search</h2>
    <form action="/" method="get" role="search">
      <input
        type="search"
        name="query"
        value="${query}"
        maxlength="1000"
        aria-label="Article numbers, brands, names or a VIN"
        placeholder="oil filter"
      />
      ${
        logins.length > 0 &&
        html`<select name="login" aria-label="Login">
          ${logins.map(option)}
        </select>`
      }
      <button>Search</button>
    </form>
    ${result}
  </section>`;
}

function live({ logins, faults, now }: PageContent): Html {
  return html`<main>
    <p class="quiet">
      ${time(now)} by the sandbox's clock.
      ${faults.length > 0 && html`Faults that wait for calls: ${faults.join(', ')}.`}
    </p>
    ${logins.length === 0 ? html`<p>There are no uploads yet.</p>` : logins.map(loginOf)}
  </main>`;
}

function loginOf({ id, name, scheme, live: liveId, uploads }: LoginOverview): Html {
  const state = liveId === null ? 'nothing is live' : `offer ${liveId} is live`;
  return html`<section class="card">
    <h2>Login ${name} <span class="quiet">(${scheme}), ${state}</span></h2>
    <div class="wide">
      <table>
        <thead>
          <tr>
            <th>offer</th>
            <th>file</th>
            <th>state</th>
            <th class="number">lines</th>
            <th class="number">rejected</th>
            <th>uploaded</th>
          </tr>
        </thead>
        <tbody>
          ${uploads.map((upload) => uploadOf(id, upload))}
        </tbody>
      </table>
    </div>
  </section>`;
}

function uploadOf(login: string, { id, file, state, rows, rejected, error, createdAt }: UploadOverview): Html {
  const link = (name: 'source' | 'errors', ending: string) =>
    html`<a href="/page/${name}?${new URLSearchParams({ login, offerId: id }).toString()}">${ending}</a>`;
  return html`<tr>
    <td>${id}</td>
    <td class="text">${file ?? '–'}<br />${link('source', '.offer')} ${rejected > 0 && link('errors', '.errors')}</td>
    <td class="text"><span class="state ${state}">${state}</span> ${error}</td>
    <td class="number">${rows}</td>
    <td class="number">${rejected}</td>
    <td class="whole">${time(createdAt)}</td>
  </tr>`;
}

function time(ms: number): string {
  return new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');
}

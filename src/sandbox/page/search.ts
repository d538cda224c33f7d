import type { IncomingMessage } from 'node:http';
import { html, type Html } from '../../wording/html.ts';
import { Refusal } from '../http/reply.ts';
import type { LoginOverview } from './overview.ts';
import type { Visit } from './visit.ts';

/** What is asked for in the search box: words, as which login by its place on the page, and what was found. */
export type Asked = { query: string; at: number; found: FoundPart[]; refusal: string | null };

type FoundPart = { brand: string; oem: string; offerNames?: string[]; tags: string[]; score: number };

const SHOWN = 20;

/** Searches as the box asks for it; null when nothing is asked. What the service refuses is shown as it says it. */
export async function askedIn(
  query: URLSearchParams,
  logins: LoginOverview[],
  visit: Visit,
  request: IncomingMessage,
): Promise<Asked | null> {
  const text = query.get('query');
  if (text === null) return null;
  const at = Math.max(
    0,
    logins.findIndex((_, place) => String(place) === query.get('login')),
  );
  const login = logins[at] ?? { id: '', name: 'none', scheme: 'none' };
  try {
    const reply = await visit('search', login, { query: text, size: String(SHOWN) }, request);
    const { data } = ('json' in reply ? reply.json : { data: [] }) as { data: FoundPart[] };
    return { query: text, at, found: data, refusal: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { query: text, at, found: [], refusal: error.message };
  }
}

/** The search box with what was found, and vehicles whose identification can be part of a query. */
export function searchBox(logins: LoginOverview[], vins: { vin: string; name: string }[], asked: Asked | null): Html {
  const at = asked?.at ?? 0;
  const link = (vin: string) =>
    `/?${new URLSearchParams({ login: String(at), query: `oil filter ${vin}` }).toString()}`;
  return html`<section>
    <form action="/" method="get" role="search">
      <input
        type="search"
        name="query"
        value="${asked?.query ?? ''}"
        aria-label="Search"
        placeholder="brake pads, 0986424797, a VIN …"
      />
      <select name="login" aria-label="As login">
        ${logins.map(({ name }, place) =>
          place === at
            ? html`<option value="${place}" selected>${name}</option>`
            : html`<option value="${place}">${name}</option>`,
        )}
      </select>
      <button>Search</button>
    </form>
    <p class="quiet">
      VINs to try: ${vins.map(({ vin, name }) => html`<a href="${link(vin)}" title="${name}"><code>${vin}</code></a> `)}
    </p>
    ${asked !== null && results(asked)}
  </section>`;
}

function results({ query, found, refusal }: Asked): Html {
  if (refusal !== null) return html`<p role="status">The service refuses the search: ${refusal}</p>`;
  if (found.length === 0) return html`<p role="status">Nothing was found for “${query}”.</p>`;
  return html`<div class="wide">
    <table>
      <thead>
        <tr>
          <th>brand</th>
          <th>number</th>
          <th>names</th>
          <th>tags</th>
          <th>score</th>
        </tr>
      </thead>
      <tbody>
        ${found.map(
          ({ brand, oem, offerNames = [], tags, score }) =>
            html`<tr>
              <td>${brand}</td>
              <td>${oem}</td>
              <td>${offerNames.join('; ')}</td>
              <td>${tags.join(', ')}</td>
              <td class="number">${score.toFixed(2)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

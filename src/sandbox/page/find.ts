import { html, type Html } from '../../wording/html.ts';
import { Refusal } from '../http/reply.ts';
import type { SearchContext } from '../search/context.ts';
import { createTeller, itemView } from '../search/items.ts';
import { simpleRequest } from '../search/request.ts';
import { search } from '../search/search.ts';
import type { LoginOverview } from './overview.ts';
import { curl, quoted } from './try.ts';

/** What the search box asked, and what came of it. */
export type Asked = { status: number; login: string; query: string; result: Html | undefined };

type Item = {
  brand: string;
  oem: string;
  offerNames?: string[];
  detailNames?: string[];
  tags: string[];
  score: number;
};

/** Searches the dataset of a login as its own call would; what the call would be refused for is on the page. */
export async function find(
  ctx: SearchContext,
  asked: URLSearchParams,
  { logins, address }: { logins: LoginOverview[]; address: string },
): Promise<Asked> {
  const query = asked.get('query') ?? '';
  const login = asked.get('login') ?? (logins.find(({ live }) => live !== null) ?? logins[0])?.id ?? '';
  if (!asked.has('query')) return { status: 200, login, query, result: undefined };
  if (asked.has('login') && !logins.some(({ id }) => id === login)) {
    return { status: 404, login, query, result: html`<p role="alert">There is no such login here.</p>` };
  }
  try {
    const { request, page } = simpleRequest(new URLSearchParams({ query }));
    const hits = await search(ctx, login, request, page);
    const teller = createTeller(ctx.reference, request.locale);
    const items = hits.map((hit) => itemView(teller, hit) as Item);
    return { status: 200, login, query, result: html`${tableOf(items)} ${lineOf(query, address)}` };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, login, query, result: html`<p role="alert">${error.message}</p>` };
  }
}

function tableOf(items: Item[]): Html {
  if (items.length === 0) {
    return html`<p role="status">
      Nothing was found. A search runs over the live offers of one login; with a VIN or a Frame number only over what
      fits the vehicle, once the login has indexed it.
    </p>`;
  }
  return html`<div class="wide">
    <table>
      <thead>
        <tr>
          <th>brand</th>
          <th>number</th>
          <th>names</th>
          <th>tags</th>
          <th class="number">score</th>
        </tr>
      </thead>
      <tbody>
        ${items.map(
          ({ brand, oem, offerNames, detailNames, tags, score }) =>
            html`<tr>
              <td class="short">${brand}</td>
              <td class="short">${oem}</td>
              <td class="text">${(offerNames ?? detailNames ?? []).join(', ')}</td>
              <td class="text">${tags.join(', ')}</td>
              <td class="number">${score.toFixed(3)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** The same search as a call; a query that does not fit into one line of a shell is not shown. */
function lineOf(query: string, address: string): Html {
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(query)) return html``;
  return curl(`curl -G ${address}/us2/public/search/search --data-urlencode ${quoted(`query=${query}`)}`);
}

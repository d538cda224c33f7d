import { html, type Html } from '../../wording/html.ts';
import type { Reference } from '../reference/open.ts';
import type { SandboxSettings } from '../settings.ts';

/** A number that people can try, with the vehicles that it stands for. */
export type Ident = { ident: string; vehicles: string[] };

/** The VINs and Frame numbers of the reference, each once. */
export function identsOf(reference: Reference): Ident[] {
  const rows = reference.db().prepare('SELECT ident, brand, name_en AS name FROM vehicles ORDER BY id').all();
  const byIdent = Map.groupBy(rows, ({ ident }) => String(ident));
  return [...byIdent].map(([ident, vehicles]) => ({
    ident,
    vehicles: vehicles.map(({ brand, name }) => `${String(brand)} ${String(name)}`),
  }));
}

/** A line for the shell: one click selects the whole of it. */
export function curl(line: string): Html {
  return html`<pre><code>${line}</code></pre>`;
}

/** A text as one word of a shell, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Lines to copy and VINs to try. */
export function tryOf(address: string, idents: Ident[], { fileField, catalog }: SandboxSettings): Html {
  const ident = idents[0]?.ident ?? '';
  const search = `${address}/us2/public/search/search`;
  return html`<section class="card">
      <h2>Try it from a shell</h2>
      <p class="quiet">
        Without credentials a call is a login of its own; <code>-u NAME:PASSWORD</code> makes another, with its own
        uploads.
      </p>
      <h3>Upload offers</h3>
      ${curl(`curl -F ${fileField}=@offers.txt ${address}/us2/public/offer/process`)}
      <h3>Search them</h3>
      ${curl(`curl -G ${search} --data-urlencode 'query=oil filter'`)}
      <h3>Identify a vehicle, index it by the id of the reply, search what fits it</h3>
      ${curl(`curl -G ${address}/us2/public/vehicle/identify -d identString=${ident}`)}
      ${curl(`curl -G ${address}/us2/public/autoInfo/indexVehicle -d autoInfoId=700001`)}
      ${curl(`curl -G ${search} --data-urlencode 'query=${ident} oil filter'`)}
      <h3>Look into the catalog, as JSON or as XML</h3>
      ${curl(`curl -X POST '${address}/findVehicle?identString=${ident}&localized=true'`)}
      ${curl(`curl ${address}${catalog.commandPath} -d 'FindVehicle:Locale=en_US|IdentString=${ident}'`)}
    </section>
    <section class="card">
      <h2>VINs and Frame numbers to try</h2>
      <div class="wide">
        <table>
          ${idents.map(
            ({ ident, vehicles }) =>
              html`<tr>
                <td class="whole"><code>${ident}</code></td>
                <td>${vehicles.join(', ')}</td>
              </tr>`,
          )}
        </table>
      </div>
    </section>`;
}

import { html, type Html } from '../../wording/html.ts';
import type { LoginOverview, UploadOverview } from './overview.ts';

/** What the page shows. */
export type PageContent = {
  address: string;
  /** Epoch milliseconds of the sandbox's clock. */
  now: number;
  operations: { method: string; path: string }[];
  logins: LoginOverview[];
  /** Names of the faults that wait for calls. */
  faults: string[];
};

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin: 0; } h2 { font-size: 1.05rem; margin: 1.6rem 0 .4rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .25rem .6rem .25rem 0; vertical-align: top; }
th { font-weight: 600; border-bottom: 1px solid #8886; } td { border-bottom: 1px solid #8883; }
td.number { text-align: right; font-variant-numeric: tabular-nums; } .quiet { opacity: .7; }
.state { padding: 0 .45rem; border-radius: .6rem; background: #8883; white-space: nowrap; }
.state.success { background: #2a9d4a44; } .state.failed, .state.aborted { background: #d33c; color: #fff; }
.state.queued, .state.processing { background: #e0a80066; } .wide { overflow-x: auto; } td:last-child { white-space: nowrap; } ul { columns: 26rem; padding-left: 1.2rem; }
`;

/** The page replaces its contents by fresh ones every second, as long as it is in view. */
const SCRIPT = `
setInterval(async () => {
  if (document.hidden) return;
  const line = document.getElementById('connection');
  try {
    const reply = await fetch(location.pathname);
    if (!reply.ok) throw new Error(reply.status);
    const fresh = new DOMParser().parseFromString(await reply.text(), 'text/html');
    document.querySelector('main').replaceWith(fresh.querySelector('main'));
    line.textContent = '';
  } catch {
    line.textContent = 'The sandbox does not answer; what you see is old.';
  }
}, 1000);
`;

/** The sandbox at a glance; `nonce` is that of the content security policy. */
export function pageOf(content: PageContent, nonce: string): string {
  const { address, operations } = content;
  const page = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>offerline sandbox</title>
      <style nonce="${nonce}">
        ${{ markup: STYLE }}
      </style>
    </head>
    <body>
      <h1>offerline sandbox</h1>
      <p class="quiet">
        The parts search service and the vehicle catalog, on this machine at <code>${address}</code>. Described by
        <a href="/openapi.json">openapi.json</a>.
      </p>
      <p id="connection" role="status"></p>
      ${live(content)}
      <h2>What it serves</h2>
      <ul>
        ${operations.map(({ method, path }) => html`<li><code>${method} ${path}</code></li>`)}
      </ul>
      <script nonce="${nonce}">
        ${{ markup: SCRIPT }};
      </script>
    </body>
  </html>`;
  return `<!doctype html>\n${page.markup}\n`;
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

function loginOf({ name, scheme, live: liveId, uploads }: LoginOverview): Html {
  const state = liveId === null ? 'nothing is live' : `offer ${liveId} is live`;
  return html`<section>
    <h2>Login ${name} <span class="quiet">(${scheme}), ${state}</span></h2>
    <div class="wide">
      <table>
        <thead>
          <tr>
            <th>offer</th>
            <th>file</th>
            <th>state</th>
            <th>lines</th>
            <th>rejected</th>
            <th>uploaded</th>
          </tr>
        </thead>
        <tbody>
          ${uploads.map(uploadOf)}
        </tbody>
      </table>
    </div>
  </section>`;
}

function uploadOf({ id, file, state, rows, rejected, error, createdAt }: UploadOverview): Html {
  return html`<tr>
    <td>${id}</td>
    <td>${file ?? '–'}</td>
    <td><span class="state ${state}">${state}</span> ${error}</td>
    <td class="number">${rows}</td>
    <td class="number">${rejected}</td>
    <td>${time(createdAt)}</td>
  </tr>`;
}

function time(ms: number): string {
  return new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');
}

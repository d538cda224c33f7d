import type { LoginTrace } from '../../jobs/queries/trace-part.ts';
import { historyOfPart, type PartHistory } from '../../jobs/rows/history-of-part.ts';
import { placeWords } from '../../wording/files/place.ts';
import { capitalised } from '../../wording/language/capitalised.ts';
import { html, type Html, type Part } from '../../wording/html.ts';
import { moment } from '../parts/moment.ts';
import { table } from '../parts/table.ts';
import type { Answer } from '../route.ts';
import { traceFor } from '../shared-answers.ts';
import { sees, type Visit } from '../visit.ts';

/** Where is my part? Any spelling of brand and number; per login whether it is live, whose, from which line, and why not. */
export async function partPage(visit: Visit): Promise<Answer> {
  const { language, url } = visit;
  const { say } = language;
  const [brand, number] = [url.searchParams.get('brand')?.trim() ?? '', url.searchParams.get('number')?.trim() ?? ''];
  const asked = brand !== '' && number !== '';
  const traces = asked ? await traceAll({ brand, oem: number }, visit) : [];
  const body = html`
    <h1>${say('web.nav.part')}</h1>
    <form method="get" action="/part" role="search" class="fields">
      <p>
        <label for="brand">${say('web.part.brand')}</label
        ><input id="brand" name="brand" value="${brand}" required maxlength="200" />
      </p>
      <p>
        <label for="number">${say('web.part.number')}</label
        ><input id="number" name="number" value="${number}" required maxlength="200" />
      </p>
      <p><button class="first">${say('web.part.button')}</button></p>
    </form>
    <p class="note">${say('web.part.help')}</p>
    ${traces.map((trace) => traceSection(trace, visit))}
    ${asked && traces.length === 0 && html`<p>${say('web.part.noLogin')}</p>`}
  `;
  return { page: { title: asked ? `${brand} ${number}` : say('web.nav.part'), body, section: '/part' } };
}

/** At each login of which the visitor sees a feed; what other feeds offer is not theirs to see. */
async function traceAll(part: { brand: string; oem: string }, visit: Visit): Promise<Traced[]> {
  const { ctx, world, url, visitor } = visit;
  const { feeds } = visitor;
  const logins = Object.keys(ctx.config.logins).filter(
    (login) => feeds === null || feeds.some((feed) => ctx.config.feeds[feed]?.login === login),
  );
  const traces: Traced[] = [];
  for (const login of logins) {
    const trace = await traceFor(part, login, visit);
    const key = JSON.stringify(['history of a part', part, login, feeds]);
    const history = url.searchParams.has('history')
      ? await world.memo.get(key, { until: 'change', age: 60_000 }, () =>
          historyOfPart(part.brand, part.oem, { login, feeds }, ctx),
        )
      : null;
    traces.push({ trace, history });
  }
  return traces;
}

type Traced = { trace: LoginTrace; history: PartHistory | null };

function traceSection({ trace, history }: Traced, visit: Visit): Html {
  const { language, url } = visit;
  const { say } = language;
  const columns = [
    { title: say('web.part.feed') },
    { title: say('web.part.verdict') },
    { title: say('web.part.where') },
    { title: say('web.part.why') },
  ];
  const rows = trace.feeds.map(({ feed, verdict, run, file, sheet, line, messages }): Part[] => [
    html`<a href="/feeds/${encodeURIComponent(feed)}">${feed}</a>`,
    say(`web.verdict.${verdict}`),
    html`${run !== null && file !== null && html`<a href="/runs/${run}"><bdi>${file}</bdi></a>`}
    ${line !== null && placeWords({ sheet, line })}`,
    messages.map((text) => html`<bdi>${text}</bdi><br />`),
  ]);
  return html`<section aria-label="${say('web.now.login')} ${trace.login}">
    <h2>${say('web.now.login')} ${trace.login}</h2>
    <p class="verdict ${trace.live ? 'good' : trace.doubt === null ? 'waiting' : 'bad'}">${verdict(trace, visit)}</p>
    ${trace.found !== null && foundLine(trace.found, visit)} ${table(say('web.part.feeds'), columns, rows)}
    ${
      history === null
        ? html`<p><a href="${url.pathname}${url.search}&history=yes">${say('web.part.history')}</a></p>`
        : historySection(history, visit)
    }
  </section>`;
}

function verdict({ live, winner, why, offerId, verified, doubt }: LoginTrace, visit: Visit): string {
  const { say } = visit.language;
  // The trace for some feeds does not name the feed of another.
  const whose = winner !== null && sees(winner, visit) ? winner : say('web.part.another');
  if (live)
    return say(verified === true ? 'web.part.liveProved' : 'web.part.live', { feed: whose, upload: offerId ?? '' });
  const because = visit.visitor.feeds === null && why !== null ? `${capitalised(why, visit.language)}.` : '';
  return doubt === null ? say('web.part.notLive', { why: because }) : say('web.part.uncertain', { why: because });
}

function foundLine({ at, found, knownAs }: NonNullable<LoginTrace['found']>, { language }: Visit): Html {
  const facts = { moment: language.moment(Date.parse(at)), brand: knownAs ?? '' };
  return html`<p class="${found === 'missing' ? 'say bad' : 'soft'}">
    ${language.say(`web.part.found.${found}`, facts)}
  </p>`;
}

/** When the part came, changed and went, as far as datasets are kept. */
function historySection({ changes, notes }: PartHistory, { language }: Visit): Html {
  const { say } = language;
  const columns = [
    'web.audit.when',
    'web.compare.change',
    'web.part.feed',
    'web.compare.cells',
    'web.login.upload',
  ] as const;
  const rows = changes.map(({ at, change, state, differs, upload, offerId }): Part[] => [
    moment(at, language),
    say(`web.part.change.${change}`),
    state?.place.feed,
    state !== null &&
      Object.entries(state.cells)
        .filter(([, cell]) => cell !== '')
        .map(
          ([column, cell]) =>
            html`<span class="${differs.includes(column) ? 'say waiting' : ''}">${column}: <bdi>${cell}</bdi></span> `,
        ),
    html`<a href="/uploads/${upload}">${offerId ?? upload}</a>`,
  ]);
  return html`<h3>${say('web.part.history')}</h3>
    <p class="note">${say('web.part.historySays')}</p>
    ${notes.map((note) => html`<p class="note"><bdi>${note}</bdi></p>`)}
    ${table(
      say('web.part.history'),
      columns.map((key) => ({ title: say(key) })),
      rows,
    )}`;
}

import { tracePart, type LoginTrace } from '../../jobs/queries/trace-part.ts';
import { placeWords } from '../../wording/files/place.ts';
import { html, type Html, type Part } from '../../wording/html.ts';
import { table } from '../parts/table.ts';
import type { Answer } from '../route.ts';
import type { Visit } from '../visit.ts';

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
async function traceAll(
  part: { brand: string; oem: string },
  { ctx, visitor: { feeds } }: Visit,
): Promise<LoginTrace[]> {
  const isSeen = (feed: string) => feeds === null || feeds.includes(feed);
  const logins = Object.keys(ctx.config.logins).filter((login) =>
    Object.entries(ctx.config.feeds).some(([feed, settings]) => settings.login === login && isSeen(feed)),
  );
  const traces: LoginTrace[] = [];
  for (const login of feeds === null ? Object.keys(ctx.config.logins) : logins) {
    const trace = await tracePart(part, login, ctx);
    traces.push({ ...trace, feeds: trace.feeds.filter(({ feed }) => isSeen(feed)) });
  }
  return traces;
}

function traceSection(trace: LoginTrace, visit: Visit): Html {
  const { language } = visit;
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
    ${table(say('web.part.feeds'), columns, rows)}
  </section>`;
}

function verdict(
  { live, winner, why, offerId, verified, doubt }: LoginTrace,
  { language: { say }, visitor }: Visit,
): string {
  const whose =
    winner === null || visitor.feeds === null || visitor.feeds.includes(winner)
      ? (winner ?? '')
      : say('web.part.another');
  if (live)
    return say(verified === true ? 'web.part.liveProved' : 'web.part.live', { feed: whose, upload: offerId ?? '' });
  const because = visitor.feeds === null ? (why ?? '') : '';
  return doubt === null ? say('web.part.notLive', { why: because }) : say('web.part.uncertain', { why: because });
}

import { listUploads, type UploadLine } from '../../../jobs/standing/lists/uploads.ts';
import type { UploadState } from '../../../model.ts';
import { html, type Html, type Part } from '../../../wording/html.ts';
import { filterForm, filterPeriod, filterValue, periodFields } from '../../parts/filter.ts';
import { moment } from '../../parts/moment.ts';
import { pager, placeIn } from '../../parts/pager.ts';
import { table } from '../../parts/table.ts';
import type { Answer } from '../../route.ts';
import type { Visit } from '../../visit.ts';

const STATES = ['success', 'failed', 'aborted', 'refused', 'lost'] as const satisfies UploadState[];

/** Uploads, the newest first. */
export async function uploadsPage(visit: Visit): Promise<Answer> {
  const { ctx, language, url, cell, visitor } = visit;
  const { say } = language;
  const state = filterValue(url, 'state');
  const known = STATES.find((one) => one === state);
  const question = {
    feeds: visitor.feeds,
    login: filterValue(url, 'login'),
    states: known === undefined ? undefined : [known],
    open: state === 'open' ? true : undefined,
    ...filterPeriod(visit),
  };
  const found = await listUploads(question, placeIn(url), ctx);
  const list = cell('uploads', html`${uploadsTable(found.rows, visit)} ${pager(found, url, language)}`, 'div');
  if (visit.onlyCells) return { page: { title: say('web.nav.uploads'), body: list } };
  const states = ['open', ...STATES].map((value) => ({ value, label: value }));
  const body = html`
    <h1>${say('web.nav.uploads')}</h1>
    ${filterForm(
      url,
      [
        {
          name: 'login',
          label: say('web.now.login'),
          options: Object.keys(ctx.config.logins).map((value) => ({ value, label: value })),
        },
        { name: 'state', label: say('web.users.state'), options: states },
        ...periodFields(language),
      ],
      language,
    )}
    ${list}
  `;
  return { page: { title: say('web.nav.uploads'), body, section: '/uploads' } };
}

function uploadsTable(uploads: UploadLine[], { language }: Visit): Html {
  const { say, number } = language;
  const columns = [
    { title: say('web.login.upload') },
    { title: say('web.now.login') },
    { title: say('web.users.state') },
    { title: say('web.uploads.opened') },
    { title: say('web.uploads.closed') },
    { title: say('web.now.rows'), number: true as const },
    { title: say('web.uploads.proof') },
    { title: say('web.login.feeds') },
  ];
  const rows = uploads.map((line): Part[] => [
    html`<a href="/uploads/${line.upload}">${line.offerId ?? line.upload}</a>`,
    html`<a href="/logins/${encodeURIComponent(line.login)}">${line.login}</a>`,
    html`${line.state}${line.attempt > 1 && html` <span class="soft">${say('web.uploads.attempt', { attempt: line.attempt })}</span>`}`,
    moment(line.opened, language),
    moment(line.closed, language),
    number(line.rows),
    proof(line.verified, say),
    line.feeds.map(({ feed }) => feed).join(', '),
  ]);
  return table(say('web.nav.uploads'), columns, rows);
}

/** Whether what was sent was proved live. */
export function proof(verified: boolean | null, say: Visit['language']['say']): string {
  return verified === null ? '–' : say(verified ? 'web.uploads.proved' : 'web.uploads.notProved');
}

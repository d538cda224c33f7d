import { randomUUID } from 'node:crypto';
import { linkAddress, listLinks } from '../../../access/supplier-links.ts';
import { hasSupplierPage } from '../../../config/supplier.ts';
import { html, type Part } from '../../../wording/html.ts';
import { namedFeed } from '../../named.ts';
import { doneAt } from '../../parts/done.ts';
import { moment } from '../../parts/moment.ts';
import { MAY, type Answer } from '../../route.ts';
import { mayDo, type Visit } from '../../visit.ts';

/** The links to the page of the feed's supplier, for whoever may decide about the feed; nothing where the supplier has no page and no link to one. */
export async function supplierPageSection(feed: string, visit: Visit): Promise<Part> {
  const { ctx, language } = visit;
  if (!mayDo(MAY.decide, visit)) return null;
  const { say, number } = language;
  const isOn = hasSupplierPage(ctx.config, feed);
  const now = ctx.clock.now();
  // While the page is off its links open nothing, but they would again.
  const open = (await listLinks(feed, ctx)).filter(({ ended_at, expires_at }) => ended_at === null && expires_at > now);
  if (!isOn && open.length === 0) return null;
  const opened = Math.max(0, ...open.map(({ used_at }) => used_at ?? 0));
  const address = `/feeds/${encodeURIComponent(feed)}/page`;
  return html`<section id="supplier-page">
    <h2>${say('web.supplierPage.title')}</h2>
    <dl class="facts">
      <dt>${say('web.supplierPage.links')}</dt>
      <dd>${number(open.length)}</dd>
      <dt>${say('web.supplierPage.opened')}</dt>
      <dd>${moment(opened === 0 ? null : opened, language)}</dd>
    </dl>
    ${
      isOn &&
      html`<form class="act" method="post" action="${address}">
          <p>${say('web.supplierPage.says')}</p>
          <input type="hidden" name="once" value="${randomUUID()}" />
          <p><button class="first" name="do" value="add">${say('web.supplierPage.add')}</button></p>
        </form>
        <form class="act" method="post" action="${address}">
          <input type="hidden" name="once" value="${randomUUID()}" />
          <p><button name="do" value="rotate">${say('web.supplierPage.rotate')}</button></p>
        </form>`
    }
    <form class="act" method="post" action="${address}/end">
      <p><button class="danger">${say('web.supplierPage.end')}</button></p>
    </form>
    <p class="soft"><a href="/docs/supplier-page">${say('web.why')}</a></p>
  </section>`;
}

/** Makes a link to the supplier's page and shows it, this once; all others end where that is asked for. */
export async function makeSupplierLink(visit: Visit): Promise<Answer> {
  const { form, call, language, world, url } = visit;
  const { say } = language;
  const feed = namedFeed(visit);
  const { secret, expires } = await call('makeSupplierLink', { feed, rotate: form.get('do') === 'rotate' });
  const origin = world.loaded.config.web.publicUrl?.replace(/\/$/u, '') ?? url.origin;
  const body = html`
    <h1>${say('web.supplierPage.title')}</h1>
    <div class="notice" role="status">
      <p>${say('web.supplierPage.once')}</p>
      <p><code>${linkAddress(secret, origin)}</code></p>
      <p>${say('web.tokens.until')} ${moment(expires, language)}</p>
    </div>
    <p><a href="/feeds/${encodeURIComponent(feed)}">${feed}</a></p>
  `;
  return { page: { title: say('web.supplierPage.title'), body, section: '/' } };
}

/** Ends all links to the supplier's page. */
export async function endSupplierLinks(visit: Visit): Promise<Answer> {
  const feed = namedFeed(visit);
  await visit.call('endSupplierLinks', { feed });
  return doneAt(`/feeds/${encodeURIComponent(feed)}`, 'end');
}

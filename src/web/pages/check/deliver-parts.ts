import { randomUUID } from 'node:crypto';
import { html, type Html, type Part } from '../../../wording/html.ts';
import { MAY } from '../../route.ts';
import { mayDo, sees, type Visit } from '../../visit.ts';

/** The button that checks a file and then asks whether it is to be delivered, for whoever may do so to some feed. */
export function deliverButton(visit: Visit): Part {
  if (!mayDo(MAY.decide, visit) || taking(visit).length === 0) return null;
  return html`<button name="as" value="delivery" formaction="/check/deliver">
    ${visit.language.say('web.deliver.button')}
  </button>`;
}

/** Which feeds take a file that is sent here, and that the others do not. */
export function whereDelivered(visit: Visit): Part {
  if (!mayDo(MAY.decide, visit)) return null;
  const { say } = visit.language;
  const feeds = taking(visit);
  return html`<p class="note">
    ${feeds.length === 0 ? say('web.deliver.none') : say('web.deliver.feeds', { feeds: feeds.join(', ') })}
    <a href="/docs/push">${say('web.why')}</a>
  </p>`;
}

/** The feeds that the visitor sees and that take what is sent to them. */
function taking(visit: Visit): string[] {
  const { feeds } = visit.ctx.config;
  return Object.keys(feeds).filter((feed) => feeds[feed]?.source.type === 'push' && sees(feed, visit));
}

/** Asks whether a checked file is to be delivered. `id`: of the file that is kept meanwhile. */
export function askToDeliver({ id, name, feed }: { id: string; name: string; feed: string }, visit: Visit): Html {
  const { say } = visit.language;
  return html`<form class="act" method="post" action="/check/deliver/confirm">
    <input type="hidden" name="once" value="${randomUUID()}" />
    <input type="hidden" name="file" value="${id}" />
    <p>${say('web.deliver.asks', { file: name, feed })}</p>
    <p><button class="first">${say('web.deliver.confirm')}</button></p>
  </form>`;
}

import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Blob } from '../../../archive/archive.ts';
import { OfferlineError } from '../../../errors.ts';
import { html, type Part } from '../../../wording/html.ts';
import { doneAt } from '../../parts/done.ts';
import { holdRoom } from '../../push/room.ts';
import type { Answer } from '../../route.ts';
import { assertSees, type Visit } from '../../visit.ts';
import { check, checkForm } from './check-page.ts';
import { checkResult } from './check-result.ts';
import { openRoom } from './check-rooms.ts';
import { askToDeliver } from './deliver-parts.ts';

/** A file that was checked, and may be delivered by the visitor who sent it. */
type Waiting = { visitor: string; feed: string; name: string; blob: Blob; at: number };

/** Files that wait for an answer; each for so many milliseconds. */
const MOST = 200;
const WAITS_FOR = 30 * 60_000;

const waiting = new Map<string, Waiting>();

/** Checks the file that was sent, shows what is wrong with it, and asks whether it is to be delivered to its feed. */
export async function offerDelivery(visit: Visit): Promise<Answer> {
  await using room = await openRoom(visit);
  await using _kept = await roomInArchive(visit);
  const { say } = visit.language;
  const checked = await check(visit, room, [], async (feed, name) => {
    if (feed === '') throw new OfferlineError('usage', 'Choose the feed to which the file is to be delivered.');
    await visit.call('assertPushable', { feed, name: name.normalize() });
  });
  const { answer, path, feed } = checked;
  const name = checked.name.normalize();
  const asks: Part =
    answer.wouldBe === 'rejected'
      ? html`<p class="note">${say('web.deliver.rejected')}</p>`
      : askToDeliver(
          { id: keep({ feed, name, blob: await visit.call('keepFile', { path }) }, visit), name, feed },
          visit,
        );
  const body: Part = html`<h1><bdi>${name}</bdi></h1>
    ${checkResult(answer, visit.language)} ${asks} ${checkForm(visit)}`;
  return { page: { title: name, body, section: '/check' } };
}

/** Keeps room in the archive for the file of a form before it comes; fails with `disk-full` where there is none. */
async function roomInArchive({ request, ctx, call }: Visit): Promise<AsyncDisposable> {
  const length = Number(request.headers.get('content-length') ?? ctx.config.limits.fileSize);
  const folder = await call('makeFolder', {});
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const held = await holdRoom(folder, length);
    return {
      [Symbol.asyncDispose]: async () => {
        held[Symbol.dispose]();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Delivers a file that was checked; leads to its run. Fails with `conflict` for one that waits no longer. */
export async function deliverChecked(visit: Visit): Promise<Answer> {
  const { form, visitor, call } = visit;
  const id = form.get('file') ?? '';
  const found = waiting.get(id);
  if (found === undefined || found.visitor !== visitor.name || performance.now() - found.at > WAITS_FOR)
    throw new OfferlineError('conflict', 'This file waits no longer to be delivered. Check it once more.');
  const { feed, name, blob } = found;
  assertSees(feed, visit, `feed ${feed}`);
  const { run } = await call('takePush', { feed, name, path: null, blob, key: null });
  waiting.delete(id);
  return doneAt(`/runs/${run}`, 'deliver');
}

function keep(file: Pick<Waiting, 'feed' | 'name' | 'blob'>, { visitor }: Visit): string {
  const now = performance.now();
  for (const [id, { at }] of waiting) if (waiting.size >= MOST || now - at > WAITS_FOR) waiting.delete(id);
  const id = randomUUID();
  waiting.set(id, { ...file, visitor: visitor.name, at: now });
  return id;
}

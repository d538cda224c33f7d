import { createReadStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { OfferlineError } from '../../../errors.ts';
import { html, type Html, type Part } from '../../../wording/html.ts';
import { runProgram } from '../../program.ts';
import type { Answer } from '../../route.ts';
import { assertSees, sees, type Visit } from '../../visit.ts';
import { checkResult, type Checked } from './check-result.ts';
import { deliverButton, whereDelivered } from './deliver-parts.ts';
import { openRoom, type Room } from './check-rooms.ts';
import { receiveFile } from './receive-file.ts';

/** The form: a file, and whose settings it is checked with. */
export async function checkPage(visit: Visit): Promise<Answer> {
  const body = html`<h1>${visit.language.say('web.nav.check')}</h1>
    ${checkForm(visit)}`;
  return { page: { title: visit.language.say('web.nav.check'), body, section: '/check' } };
}

/** The form in which a file is chosen. */
export function checkForm(visit: Visit): Html {
  const { say } = visit.language;
  const feeds = Object.keys(visit.ctx.config.feeds).filter((feed) => sees(feed, visit));
  return html`<form class="act" method="post" action="/check" enctype="multipart/form-data">
    <p>${say('web.check.says')}</p>
    <div class="fields">
      <p>
        <label for="feed">${say('web.check.settings')}</label>
        <select id="feed" name="feed">
          <option value="">${say('web.check.noFeed')}</option>
          ${feeds.map((feed) => html`<option>${feed}</option>`)}
        </select>
      </p>
      <p>
        <label for="file">${say('web.check.file')}</label>
        <input id="file" name="file" type="file" required />
      </p>
    </div>
    <p>
      <button class="first" name="as" value="page">${say('web.check.button')}</button>
      <button name="as" value="xlsx" formaction="/check/marked">${say('web.check.marked')}</button>
      ${deliverButton(visit)}
    </p>
    <p class="note">${say('web.check.kept')}</p>
    ${whereDelivered(visit)}
  </form>`;
}

/** Checks the file that was sent, and shows what is wrong with it; nothing of it is kept. */
export async function checkFile(visit: Visit): Promise<Answer> {
  await using room = await openRoom(visit);
  const { answer, name } = await check(visit, room, []);
  const body: Part = html`<h1><bdi>${name}</bdi></h1>
    ${checkResult(answer, visit.language)} ${checkForm(visit)}`;
  return { page: { title: name, body, section: '/check' } };
}

/** Checks the file that was sent, and answers with its rows that have mistakes, marked in a workbook; nothing of it is kept. */
export async function checkMarked(visit: Visit): Promise<Answer> {
  const room = await openRoom(visit);
  try {
    const path = join(room.folder, 'marked.xlsx');
    const { answer, name } = await check(visit, room, ['--marked', path]);
    const { size } = await stat(path).catch(() => ({ size: null }));
    if (size === null)
      throw new OfferlineError('conflict', answer.marked?.reason ?? answer.reason ?? 'There is nothing to mark in it.');
    const stream = createReadStream(path);
    // The folder goes when the last byte was read, or nobody reads any more.
    stream.once('close', () => void room[Symbol.asyncDispose]());
    return {
      file: Readable.toWeb(stream) as ReadableStream<Uint8Array>,
      name: `${name.replace(/\.\w{1,5}$/u, '')}-marked.xlsx`,
      type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      bytes: size,
    };
  } catch (error) {
    await room[Symbol.asyncDispose]();
    throw error;
  }
}

/** Milliseconds for which a file of a visitor is read, and then marked. */
const READ_TIME = 60_000;

/** A file that was sent and checked. */
type CheckedFile = { answer: Checked; name: string; path: string; feed: string };

/** Receives a file into a room and checks it. `first`: what is asked before it is read. */
export async function check(
  visit: Visit,
  { folder, queue }: Room,
  more: string[],
  first: (feed: string, name: string) => Promise<void> = async () => {},
): Promise<CheckedFile> {
  const { request, ctx, world } = visit;
  // In a folder of its own it may have any name, also that of what is written beside it.
  const received = join(folder, 'received');
  await mkdir(received);
  const { path, name, fields } = await receiveFile(request, received, ctx.config.limits.fileSize);
  const feed = fields.get('feed') ?? '';
  if (feed !== '') {
    assertSees(feed, visit, `feed ${feed}`);
    if (!Object.hasOwn(ctx.config.feeds, feed))
      throw new OfferlineError('not-found', `There is no feed ${feed} in the configuration.`);
  }
  await first(feed, name);
  const args = ['check', path, '--read-time', `${READ_TIME}ms`, ...(feed === '' ? [] : ['--feed', feed]), ...more];
  const turn = { queue, time: READ_TIME + (more.length > 0 ? READ_TIME : 0) };
  const answer = (await runProgram(args, world.loaded, request.signal, turn)) as Checked;
  return { answer, name, path, feed };
}

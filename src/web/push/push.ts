import { copyFile, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Blob } from '../../archive/archive.ts';
import { sayDiskFull } from '../../archive/disk-full.ts';
import { OfferlineError, systemCode } from '../../errors.ts';
import { problemOf, refusedWith } from '../http/problem.ts';
import { MAY, type Answer } from '../route.ts';
import { assertSees, senderOf, sees, type Visit } from '../visit.ts';
import { type Asked, askedIn, nameIn } from './asked.ts';
import { receiveBody, tooLarge } from './receive-body.ts';
import { comesInParts, receivePart } from './receive-part.ts';
import { holdRoom } from './room.ts';
import { enter } from './senders.ts';

/** Takes the file that is the body of a request as a delivery of a feed: 202 once archive and ledger have it, 200 for the same once more. */
export async function push(visit: Visit): Promise<Answer> {
  try {
    return await pushed(visit);
  } catch (error) {
    if (error instanceof OfferlineError && error.code !== 'internal') return problemOf(error);
    throw error;
  }
}

/** A file that is pushed: to which feed, under which name, and what the request says of it. */
type Pushed = { feed: string; name: string; asked: Asked };

async function pushed(visit: Visit): Promise<Answer> {
  const { request, ctx, call, visitor } = visit;
  const feed = visit.params['feed'] ?? '';
  assertSees(feed, visit, `feed ${feed}`);
  const file = { feed, name: nameIn(visit.url), asked: askedIn(request.headers, ctx.config.limits.fileSize) };
  using _place = enter(senderOf(visitor));
  await call('assertPushable', { feed, name: file.name });
  return comesInParts(file.asked) ? inParts(file, visit) : atOnce(file, visit);
}

/** Takes a file that comes with one request; where that fails, nothing of it stays. */
async function atOnce({ feed, name, asked }: Pushed, visit: Visit): Promise<Answer> {
  const folder = await visit.call('makeFolder', {});
  try {
    using room = await holdRoom(folder, asked.length);
    visit.letBodyCome();
    const path = join(folder, 'pushed');
    const limit = visit.ctx.config.limits.fileSize;
    await using file = await open(path, 'wx', 0o600);
    const blob = await receiveBody(visit.request, { file, at: 0, folder, limit, over: tooLarge(limit), room });
    return await deliver({ feed, name, asked }, path, blob, visit);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Takes a part of a file, and with the last one the file. What has come stays until archive and ledger have it. */
async function inParts(file: Pushed, visit: Visit): Promise<Answer> {
  await using received = await receivePart(visit, file);
  if (received.whole === null) return received.answer;
  const { path: part, blob } = received.whole;
  const folder = await visit.call('makeFolder', {});
  try {
    const path = join(folder, 'pushed');
    await sayDiskFull(folder, () => move(part, path, () => holdRoom(folder, blob.bytes)));
    try {
      const answer = await deliver(file, path, blob, visit);
      await rm(dirname(part), { recursive: true, force: true });
      return answer;
    } catch (error) {
      // What does not have its digest, or is another file than its key was used for, is not gone on with.
      if (isOver(error)) await rm(dirname(part), { recursive: true });
      else await giveBack(path, part);
      throw error;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether what came of a file is of no use any more; whoever has to sign in again may go on with it. */
function isOver(error: unknown): boolean {
  if (!(error instanceof OfferlineError) || error.details['answer'] === 401) return false;
  return error.code === 'usage' || error.code === 'file-rejected';
}

/** Moves a file, so that whoever writes to its old name writes to another one: the archive takes it as it is. `hold`: keeps room for it on another disk. */
async function move(from: string, to: string, hold: () => Promise<Disposable | null>): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error;
    using _room = await hold();
    await copyFile(from, to);
    await rm(from);
  }
}

/** Moves a part back unless the archive has taken it. */
async function giveBack(from: string, to: string): Promise<void> {
  try {
    // It was there before.
    await move(from, to, () => Promise.resolve(null));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

async function deliver({ feed, name, asked }: Pushed, path: string, blob: Blob, visit: Visit): Promise<Answer> {
  const { digest } = asked;
  const key = asked.key === null ? null : { sender: senderOf(visit.visitor), text: asked.key };
  if (blob.bytes === 0)
    throw new OfferlineError(
      'usage',
      'The file is empty, so it was not taken. Send it with its bytes; with curl: -T FILE.',
    );
  if (digest !== null && digest !== blob.sha256)
    throw new OfferlineError(
      'usage',
      'The bytes that came do not have the digest that was sent with them. Send them again.',
    );
  await assertStillMay(feed, visit);
  const { delivery, run, again } = await visit.call('takePush', { feed, name, path, blob, key });
  const page = `${visit.world.loaded.config.web.publicUrl?.replace(/\/$/u, '') ?? visit.url.origin}/runs/${run}`;
  const answer = { delivery, feed, name, bytes: blob.bytes, sha256: blob.sha256, run, again, link: page };
  return { json: answer, status: again ? 200 : 202, headers: { location: `/api/v1/runs/${run}` } };
}

/** Fails with 401 where whoever began to send a file may no longer do so: it may have taken hours to come. */
async function assertStillMay(feed: string, { lookAgain, visitor }: Visit): Promise<void> {
  const looker = await lookAgain();
  const isSame = looker !== null && senderOf(looker) === senderOf(visitor) && MAY.push.includes(looker.role);
  if (isSame && sees(feed, { visitor: looker })) return;
  throw refusedWith(401, 'What you signed in with has ended while the file came, so nothing of it was taken.');
}

import type { Context } from '../../context.ts';
import { nextDataset } from '../feeds/what-to-compose.ts';
import { usable } from '../archive/usable.ts';
import { compareRows, noteForeignUpload, recogniseLate } from './foreign-upload.ts';
import { gatherUploads, gatherWatchFacts } from './gather-facts.ts';
import { noteOvertaken, readAttempt, recordLate, settleLate } from './late-arrival.ts';
import { confirmOurs, lookAtList, postponeLook } from './look.ts';
import { planWatch } from './plan-watch.ts';
import { lookLater, noteUnproved, noteVerified, reverify } from './reverify.ts';
import { takeOver } from './take-over.ts';
import { verifyLate } from './verify-late.ts';
import type { Findings, StepOf, WatchEffect, Watching, WatchFacts, WatchStep } from './watch-facts.ts';

/** What a step came to: more facts, `again` because something was decided in the ledger, or a wait until a time (epoch milliseconds). */
export type Watched = WatchFacts | 'again' | { waitUntil: number };

/**
 * Looks whether what is live at a login is what this ledger made live, when that is due and nothing is about to be uploaded.
 * Call it under the login's lease while no intent is open.
 */
export async function watchLogin(work: Watching, ctx: Context): Promise<void> {
  const factsWith = async (found: Findings): Promise<WatchFacts> => {
    const { pending } = await nextDataset(work.login, ctx);
    return { ...(await gatherWatchFacts(work.login, { pending, sending: false }, ctx)), found };
  };
  let facts = await factsWith({});
  for (let step = planWatch(facts); step !== null; step = planWatch(facts)) {
    const watched = await carryOutWatch(step, facts, work, ctx);
    if (watched === 'again' || 'waitUntil' in watched) return;
    // The service may have taken its time: what was decided and delivered meanwhile counts.
    facts = await factsWith(watched.found);
  }
}

/** Carries out one step of the watch. */
export async function carryOutWatch(
  step: WatchStep,
  facts: WatchFacts,
  work: Watching,
  ctx: Context,
): Promise<Watched> {
  const outcome = await effectOf(step, facts, work, ctx);
  if (outcome === 'again' || 'waitUntil' in outcome) return outcome;
  const found = { ...facts.found, ...outcome };
  // What was taken over is the current upload from now on.
  const uploads = step.do === 'take-over' ? await gatherUploads(work.login, ctx) : {};
  return { ...facts, ...uploads, found };
}

async function effectOf(step: WatchStep, facts: WatchFacts, work: Watching, ctx: Context): Promise<WatchEffect> {
  switch (step.do) {
    case 'postpone-look':
      return postponeLook(work, ctx);
    case 'look':
      return lookAtList(work, facts, ctx);
    case 'recognise':
      return recogniseLate(step, work, ctx);
    case 'read-attempt':
      return readAttempt(step, ctx);
    case 'check-archive':
      return checkArchive(step, facts, ctx);
    case 'settle-late':
      return settleLate(step, work, ctx);
    case 'record-late':
      return recordLate(step, work, ctx);
    case 'note-overtaken':
      return noteOvertaken(step, work, ctx);
    case 'take-over':
      return takeOver(step, facts, work, ctx);
    case 'confirm':
      return confirmOurs(step, work, ctx);
    case 'verify-late':
      return verifyLate(step, work, ctx);
    case 'reverify':
      return reverify(step, work, ctx);
    case 'note-verified':
      return noteVerified(step, work, ctx);
    case 'look-later':
      return lookLater(step, work, ctx);
    case 'note-unproved':
      return noteUnproved(step, work, ctx);
    case 'compare-rows':
      return compareRows(step, work, ctx);
    case 'note-foreign':
      return noteForeignUpload(step, work, ctx);
  }
}

async function checkArchive(
  { upload }: StepOf<'check-archive'>,
  { found }: WatchFacts,
  ctx: Context,
): Promise<Findings> {
  const { id, sha256, index_sha } = upload.dataset;
  const isWhole = (await usable(sha256, ctx)) && (await usable(index_sha, ctx));
  return { archived: { ...found.archived, [id]: isWhole } };
}

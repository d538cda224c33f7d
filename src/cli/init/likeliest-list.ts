import { basename } from 'node:path';
import { percent } from '../../wording/words.ts';
import type { FeedProposal } from './propose-feed.ts';

/** A list that a file may be joined to: how many of the parts of the file are in it, and how many of its rows the file says something of. */
export type Candidate = { list: FeedProposal; found: number; covered: number };

/** The lists, the likeliest first, and why that one is. */
export type Likeliest = { ordered: Candidate[]; why: string };

/** Shares that differ by less tell nothing. */
const SAME_SHARE = 0.05;

/**
 * Which of some lists a file belongs to: the one that has most of its parts, else the one with a name like its own, else the one that it says most
 * of, else the first. Pure.
 */
export function likeliest(partner: FeedProposal, candidates: Candidate[]): Likeliest {
  const most = Math.max(...candidates.map(({ found }) => found));
  const near = candidates.filter(({ found }) => found > most - SAME_SHARE);
  const { best, why } = near.length === 1 ? { best: near[0]!, why: 'which has most of them' } : bestOf(near, partner);
  const others = candidates.filter((one) => one !== best).sort((a, b) => b.found - a.found);
  return { ordered: [best, ...others], why };
}

function bestOf(near: Candidate[], partner: FeedProposal): { best: Candidate; why: string } {
  const named = near.map((one) => ({ one, words: commonWords(one.list, partner) })).sort((a, b) => b.words - a.words);
  if (named[0]!.words > named[1]!.words) return { best: named[0]!.one, why: 'which has a name like its own' };
  const covered = near.toSorted((a, b) => b.covered - a.covered);
  if (covered[0]!.covered > covered[1]!.covered + SAME_SHARE)
    return { best: covered[0]!, why: 'of which it has the largest share' };
  return { best: near[0]!, why: 'the first by name, because nothing tells them apart' };
}

function commonWords(list: FeedProposal, partner: FeedProposal): number {
  const words = new Set(partner.name.split('-'));
  return list.name.split('-').filter((word) => words.has(word)).length;
}

/** That a file is joined to several lists, of which none has most of its parts, in a sentence for one of them. Pure. */
export function togetherText(partner: FeedProposal, own: Candidate, lists: Candidate[]): string {
  const others = lists.filter((one) => one !== own).map(shown);
  return `${basename(partner.files[0]!)} is joined to ${shown(own)} and also to ${others.join(' and ')}: these lists have most of them together.`;
}

function shown({ list, found }: Candidate): string {
  return `${basename(list.files[0]!)} (${percent(found)} of its parts)`;
}

/** That a file could belong to other lists than the one that is proposed, in sentences. Pure. */
export function doubtText(partner: FeedProposal, { ordered: [best, ...others], why }: Likeliest): string {
  const [file, also] = [basename(partner.files[0]!), others.map(shown).join(' or ')];
  return `${file} is joined to ${shown(best!)}, ${why}. It could also belong to ${also}. If it is of several, name it under source.files of each feed.`;
}

import type { ColumnProfile } from '../column-profile.ts';
import { FEW, fitness, nameFor, type Fitness, type Judge } from './fitness.ts';
import { judgeBrand } from './judge-brand.ts';
import { judgePartNumber } from './judge-part-number.ts';

/** The columns of the offer file whose meaning is known; columns that a configuration adds have only their names. */
export const JUDGES: Record<string, Judge> = {
  brand: judgeBrand,
  oem: judgePartNumber,
  name: judgeName,
  tags: judgeTags,
};

/** Groups and brands repeat more than names. */
const LEAST_DISTINCT = 0.2;

function judgeName(profile: ColumnProfile): Fitness | null {
  // `website_name` names a link.
  const named = profile.means.has('link') ? null : nameFor('name', profile);
  // Many columns have texts, and addresses read like some.
  if (named === null || (named === 0 && (profile.name !== '' || profile.foreign !== null))) return null;
  const texts = Math.max(profile.phrases, profile.words);
  const isVaried = profile.values < FEW || profile.distinct >= profile.values * LEAST_DISTINCT;
  const plausible = texts >= 0.5 && profile.length >= 4 && isVaried;
  return fitness({
    profile,
    named,
    // Of several texts the longer one that repeats less is the name.
    content: texts * Math.min(1, (profile.length / 20) * (profile.distinct / Math.max(profile.values, 1))),
    plausible,
    absurd: false,
    contradicted: false,
    isForRows: false,
    evidence: { looks: 'texts', share: texts, values: profile.values },
  });
}

/** What is joined in one cell, and for what, is not to be seen: tags are only proposed. Makers of other parts are none. */
function judgeTags(profile: ColumnProfile): Fitness | null {
  const named = nameFor('tags', profile);
  if (named === null || named < 2 || profile.means.has('brand')) return null;
  const nothing = {
    content: 0,
    plausible: false,
    absurd: false,
    contradicted: false,
    isForRows: false,
    evidence: null,
  };
  return fitness({ profile, named, ...nothing });
}

import type { Estimate, FindabilityLook, FoundPart } from '../../model.ts';

/** The quantile of the normal distribution for 95 %. */
const Z = 1.96;

/**
 * What share of all live parts of a feed a sample says is known to the search; null where it cannot be told. Parts that were new are a larger part of the
 * sample than of the feed, so each answer counts for as many parts as it stands for; those that were asked for again stand for themselves. Wilson's interval,
 * for the number of answers that weigh as much; a sample of everything leaves nothing open.
 */
export function knownShare({ answers, parts, newParts, namesShown }: FindabilityLook): Estimate | null {
  const isWhole = answers.length >= parts;
  const again = answers.filter((answer) => answer.again === true).length;
  const asked = { new: answers.filter(({ isNew, again: was }) => isNew && was !== true).length, old: 0 };
  asked.old = answers.length - again - asked.new;
  if (!namesShown || answers.length === 0) return null;
  const weightOf = ({ isNew, again: was }: FoundPart) => {
    if (was === true) return 1;
    return isNew ? newParts / asked.new : (parts - newParts - again) / asked.old;
  };
  let [sum, squares, known] = [0, 0, 0];
  for (const answer of answers) {
    const weight = weightOf(answer);
    sum += weight;
    squares += weight * weight;
    if (answer.found === 'known') known += weight;
  }
  const share = known / sum;
  if (isWhole) return { share, from: share, to: share };
  const count = ((sum * sum) / squares) * ((parts - 1) / (parts - answers.length));
  const middle = (share + (Z * Z) / (2 * count)) / (1 + (Z * Z) / count);
  const reach = (Z / (1 + (Z * Z) / count)) * Math.sqrt((share * (1 - share)) / count + (Z * Z) / (4 * count * count));
  return { share, from: Math.max(0, middle - reach), to: Math.min(1, middle + reach) };
}

/** That share of a feed at its login; looks at another login, before the feed changed it, say nothing. */
export function knownShareAt(login: string | undefined, look: FindabilityLook | undefined): Estimate | null {
  return look === undefined || look.login !== login ? null : knownShare(look);
}

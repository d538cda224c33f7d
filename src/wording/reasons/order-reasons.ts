/** Why changes are not the next of their feed, see `orderReason`. `other`: the file that decides it, `run`: the run that took that. */
export type ChangeOrder = {
  why: 'gap' | 'older' | 'repeated' | 'stopped' | 'no-base';
  feed: string;
  file: string;
  other: string | null;
  run: string | null;
  missing: string[];
};

/** Why changes are held, and what to do, without a full stop. */
export function changeOrderText({ why, feed, file, other, run, missing }: ChangeOrder): string {
  const [isOne, which] = [missing.length === 1, missing.join(', ')];
  switch (why) {
    case 'gap':
      return (
        `${which} ${isOne ? 'is' : 'are'} missing before ${file}. Have the supplier send ${isOne ? 'it' : 'them'}: then this file is read again. ` +
        'To go on without, approve it'
      );
    case 'older':
      return `${file} comes before ${other}, which run ${run} took already. If its changes count all the same, approve it`;
    case 'repeated':
      if (file === other)
        return `${file} came once more with other bytes than those that run ${run} took already. If it is a correction, approve it`;
      return `${file} has the number of ${other}, which run ${run} took already, and other bytes. If it is a correction, approve it`;
    case 'stopped':
      return `${file} comes after ${other}, which is not among the rows yet (run ${run}). Decide about that run first; to go on without it, approve this one`;
    case 'no-base':
      return `${file} has changes, and no full list of ${feed} was taken that they could be put upon. Take a full list first, then run \`offerline rerun\` with this one`;
  }
}

import { LOOKS, type ContentEvidence } from './column-evidence.ts';

/** What a phrase of the evidence of a column says, as facts that can be said in any language. */
export type EvidencePhrase =
  | { code: 'configured' | 'known' | 'rival'; name: string }
  | { code: 'settings' | 'named' }
  | { code: 'position'; position: number }
  | { code: 'headings'; makers: number; count: number }
  | { code: 'looks'; share: number; count: number; looks: ContentEvidence['looks'] };

const COUNT = String.raw`(\d[\d,]*)`;

/** Each phrase that evidence is made of, and its facts. */
const PHRASES: [RegExp, (found: string[]) => EvidencePhrase | null][] = [
  [/^"(.*)" is named in the configuration$/u, ([name = '']) => ({ code: 'configured', name })],
  [/^"(.*)" is a known name of this column$/u, ([name = '']) => ({ code: 'known', name })],
  [/^"(.*)" may be the one as well$/u, ([name = '']) => ({ code: 'rival', name })],
  [/^the settings say so$/u, () => ({ code: 'settings' })],
  [/^its name says so$/u, () => ({ code: 'named' })],
  [/^the settings name position (\d+)$/u, ([position]) => ({ code: 'position', position: Number(position) })],
  [
    new RegExp(`^${COUNT} of ${COUNT} rows with a single cell are known makers$`, 'u'),
    ([makers, count]) => ({ code: 'headings', makers: numberIn(makers), count: numberIn(count) }),
  ],
  [
    new RegExp(`^(\\d+) % of ${COUNT} values (.+)$`, 'u'),
    ([share, count, said]) => {
      const looks = (Object.keys(LOOKS) as ContentEvidence['looks'][]).find((one) => LOOKS[one] === said);
      return looks === undefined ? null : { code: 'looks', share: Number(share), count: numberIn(count), looks };
    },
  ],
];

/**
 * The phrases of the evidence of a column, which files keep as it was worded (`columnEvidence`); null where one has facts that only
 * its English words have.
 */
export function evidenceIn(evidence: string): EvidencePhrase[] | null {
  const phrases = evidence.split('; ').map(phraseIn);
  return phrases.includes(null) ? null : phrases.filter((phrase) => phrase !== null);
}

function phraseIn(text: string): EvidencePhrase | null {
  for (const [pattern, factsOf] of PHRASES) {
    const found = pattern.exec(text);
    if (found !== null) return factsOf(found.slice(1));
  }
  return null;
}

function numberIn(text = ''): number {
  return Number(text.replaceAll(',', ''));
}

import { acceptanceInWords } from './accepted-column.ts';
import { grouped } from '../words.ts';

/** Why a column of a supplier's file is taken for a column of the offer file; facts only, so that any language can say them. */
export type ColumnEvidence =
  | { code: 'known-name'; name: string }
  | { code: 'set-position'; position: number }
  | { code: 'accepted'; who: string; at: number; reason: string }
  | { code: 'judged'; named: boolean; content: ContentEvidence | null; rival: string | null };

/** What the cells of a column look like. `share` of `values`. */
export type ContentEvidence = {
  looks: 'makers' | 'vehicle-makers' | 'part-numbers' | 'texts';
  share: number;
  values: number;
};

const LOOKS: Record<ContentEvidence['looks'], string> = {
  makers: 'are known makers',
  'vehicle-makers': 'are makers of vehicles',
  'part-numbers': 'look like part numbers',
  texts: 'are texts',
};

/** Evidence as a phrase, such as `98 % of 1,204 values are known makers`. */
export function columnEvidence(evidence: ColumnEvidence): string {
  switch (evidence.code) {
    case 'known-name':
      return `"${evidence.name}" is a known name of this column`;
    case 'set-position':
      return `the settings name position ${evidence.position}`;
    case 'accepted':
      return acceptanceInWords(evidence);
    case 'judged': {
      const { named, content, rival } = evidence;
      const phrases = [
        ...(content === null
          ? []
          : [`${Math.floor(content.share * 100)} % of ${grouped(content.values)} values ${LOOKS[content.looks]}`]),
        ...(named ? ['its name says so'] : []),
        ...(rival === null ? [] : [`"${rival}" may be the one as well`]),
      ];
      return phrases.join('; ');
    }
  }
}

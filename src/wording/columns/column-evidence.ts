import type { ColumnLook } from '../../model.ts';
import { acceptanceInWords, HEADINGS } from './accepted-column.ts';
import { grouped } from '../words.ts';

/** Why a column of a supplier's file is taken for a column of the offer file; facts only, so that any language can say them. */
export type ColumnEvidence =
  | { code: 'known-name'; name: string; configured: boolean }
  | { code: 'set-position'; position: number }
  | { code: 'headings'; makers: number; headings: number }
  | ({ code: 'accepted' } & Acceptance)
  | ChangedEvidence
  | { code: 'not-as-live' | 'not-as-above'; change: CellChange }
  | { code: 'judged'; named: boolean; content: ContentEvidence | null; rival: string | null };

type Acceptance = { who: string; at: number; reason: string };

/** A column that was accepted no longer looks as it did. `instead`: evidence of the one that is proposed in its place, if it is another. */
export type ChangedEvidence = {
  code: 'changed';
  accepted: Acceptance;
  column: string;
  change: CellChange;
  instead: string | null;
};

/** What of a column's cells is counted, in per cent. */
export type CellShare = Exclude<keyof ColumnLook, 'values' | 'isCounter'>;

/** How the cells of a column have changed; `found` of its `values` are live. Contradictory cells were never compared. */
export type CellChange =
  | { share: CellShare; was: number; now: number; values: number }
  | { share: 'live'; found: number; values: number }
  | { share: CellShare | 'rowNumbers'; now: number };

/** What the cells of a column look like. `share` of `values`. */
export type ContentEvidence = {
  looks:
    | ('makers' | 'vehicle-makers' | 'part-numbers' | 'letterless' | 'texts')
    | ('links' | 'e-mails' | 'phones' | 'yes-or-no' | 'countries' | 'codes' | 'board' | 'values' | 'barcodes-beside');
  share: number;
  values: number;
};

/** What cells look like, in English. */
export const LOOKS: Record<ContentEvidence['looks'], string> = {
  makers: 'are known makers',
  'vehicle-makers': 'are makers of vehicles',
  'part-numbers': 'look like part numbers',
  letterless: 'have no letter',
  texts: 'are texts',
  links: 'are links or files',
  'e-mails': 'are e-mail addresses',
  phones: 'are phone numbers',
  'yes-or-no': 'say yes or no',
  countries: 'are countries',
  codes: 'are codes',
  board: 'are places on a board, or cases of parts',
  values: 'are values of components',
  'barcodes-beside': 'stand in a column for barcodes as well',
};

const SHARES: Record<CellShare | 'rowNumbers', string> = {
  makers: 'are known makers',
  vehicles: 'are makers of vehicles',
  distinct: 'are different',
  partNumbers: 'look like part numbers',
  barcodes: 'are barcodes',
  prices: 'are prices',
  phrases: 'are texts',
  lettered: 'have letters',
  digits: 'have digits',
  rowNumbers: 'are row numbers',
};

/** What share of a column's cells is what: `98 % of its cells are known makers`. */
export function cellsInWords({ share, now }: { share: CellShare | 'rowNumbers'; now: number }): string {
  return `${now} % of its cells ${SHARES[share]}`;
}

function changeInWords(change: CellChange): string {
  if (change.share === 'live') {
    const found = change.found === 0 ? 'none' : `only ${grouped(change.found)}`;
    return `have changed: ${found} of ${grouped(change.values)} values ${change.found > 1 ? 'are' : 'is'} among those that are live`;
  }
  return 'was' in change
    ? `have changed: ${change.now} % of ${grouped(change.values)} values ${SHARES[change.share]}, ${change.was} % before`
    : `contradict that: ${cellsInWords(change)}`;
}

function belowInWords(change: CellChange): string {
  return 'was' in change ? `${change.now} % ${SHARES[change.share]}, ${change.was} % above` : changeInWords(change);
}

/** Evidence as a phrase, such as `98 % of 1,204 values are known makers`. */
export function columnEvidence(evidence: ColumnEvidence): string {
  switch (evidence.code) {
    case 'known-name':
      return evidence.configured
        ? `"${evidence.name}" is named in the configuration`
        : `"${evidence.name}" is a known name of this column`;
    case 'set-position':
      return evidence.position === HEADINGS ? 'the settings say so' : `the settings name position ${evidence.position}`;
    case 'headings':
      return `${grouped(evidence.makers)} of ${grouped(evidence.headings)} rows with a single cell are known makers`;
    case 'accepted':
      return acceptanceInWords(evidence);
    case 'not-as-live':
      return `its cells ${changeInWords(evidence.change)}`;
    case 'not-as-above':
      return `its cells are others further down: ${belowInWords(evidence.change)}, so look there before you confirm it: two lists may have been joined`;
    case 'changed': {
      const { accepted, column, change, instead } = evidence;
      const changed = `${changeInWords(change)}; ${acceptanceInWords(accepted)}`;
      return instead === null ? `its cells ${changed}` : `${instead}; the cells of ${column} ${changed}`;
    }
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

/**
 * What the search answers about a part that is live. `known`: its reference database knows brand and number; `other-brand`: it knows the number, under
 * another brand; `own`: it is found, and nothing is known but what the supplier's file says; `missing`: it is not among the answers.
 */
export type Findability = 'known' | 'other-brand' | 'own' | 'missing';

/** A part that the search was asked for, and what it answered. */
export type FoundPart = {
  brand: string;
  oem: string;
  found: Findability;
  /** The brand under which the reference database knows the number; only for `other-brand`. */
  knownAs?: string;
  /** Demand, 1 to 4; a lower one is in more demand. Not there where the search does not show it. */
  saleCategory?: number;
  /** Whether it came with the upload that was live when it was asked for. */
  isNew: boolean;
  /** It was looked for because it was not found before; it is no part of the sample. */
  again?: true;
};

/** Why a part of a feed that people may look for is not live. */
export type Lost = 'rejected' | 'left-out' | 'gone';

/** A part that is not live, for whose demand the search was asked by its number; `brand` is as the row has it, perhaps empty. */
export type WantedPart = {
  brand: string;
  oem: string;
  why: Lost;
  /** Demand of the part, or where only others have its number, the highest of theirs. Not there where the search shows none. */
  saleCategory?: number;
};

/** The demand of a part as the search showed it last, 1 to 4; a lower one is in more demand. */
export type PartDemand = { brand: string; oem: string; saleCategory: number };

/** One look at a feed's live parts through the eyes of the search. */
export type FindabilityLook = {
  id: string;
  login: string;
  feed: string;
  /** The upload that was proved live last, by its intent. */
  intent: string;
  at: number;
  /** How often the search was asked. */
  calls: number;
  /** How many parts of the feed were live that a search takes as such, and how many of them came with that upload. */
  parts: number;
  newParts: number;
  /** False where no answer had any name of the reference database: what it knows cannot be told then. */
  namesShown: boolean;
  answers: FoundPart[];
  /** Parts that are not live and were asked for as well. */
  wanted: WantedPart[];
  /** Why fewer parts were asked for than were chosen; null when all were. */
  note: string | null;
};

/** An estimate of a share, and between which bounds it is with a confidence of 95 %; fractions. */
export type Estimate = { share: number; from: number; to: number };

/** What a look came to. `share`: of all live parts of the feed those that are known; null where that cannot be told. */
export type FoundCounts = {
  /** When, as an ISO time. */
  at: string;
  /** How many of how many live parts the search was asked for. */
  asked: number;
  parts: number;
  known: number;
  otherBrand: number;
  own: number;
  missing: number;
  namesShown: boolean;
  share: Estimate | null;
};

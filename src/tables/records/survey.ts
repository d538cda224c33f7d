import { meaningsOf, type Meaning } from '../../columns/column-names.ts';
import { namesOtherParts } from '../../columns/path-names.ts';
import { detached } from '../fit-row.ts';
import { LONGEST_NAME, MOST_NAMES, type RecordEvents, type RecordPath } from './events.ts';

/** A kind of element, by its path. As an element that may be a record it has a depth; as a field it counts for each record around it. */
type Kind = {
  name: string;
  around: Kind | null;
  /** It cannot repeat, so it is no record. */
  isAlone: boolean;
  /** Its name says that it holds other parts than the record around it: analogs, crosses, numbers of a vehicle's maker. */
  isOfOthers: boolean;
  depth: number;
  within: Map<string, Kind>;
  /** Elements of this kind so far. */
  count: number;
  /** Of the elements around it, by their depth: how many had a text here, how many had more than one, and the last that had one. */
  filled: number[];
  repeated: number[];
  last: number[];
};

/**
 * The kind of element that looks most like a list of offers; `isOnly`: no other one may be it. `others`: lists around it or in its
 * records that may be it as well.
 */
export type Found = { path: RecordPath; records: number; isOnly: boolean; others: RecordPath[] };

/** A walk through all elements of a file, and what it found: null when no element with fields repeats. */
export type Survey = RecordEvents & { found: () => Found | null };

/** Files whose names of elements are data have more kinds; those that come later are not looked at. */
const MOST_KINDS = 5 * MOST_NAMES;

/**
 * Counts kinds of elements to find the records of a file: they repeat at the same path and have fields of their own, and of
 * those the fields that an offer has decide, then how many of them are filled.
 */
export function survey(): Survey {
  const root = newKind('', null);
  let kinds = 0;
  let at = root;
  /** Elements that are not counted because there are too many kinds. */
  let ignored = 0;
  let hasText = false;

  function below(written: string, isAlone = false): Kind | null {
    const name = written.slice(0, LONGEST_NAME);
    const known = at.within.get(name);
    if (known !== undefined) return known;
    if (++kinds > MOST_KINDS) return null;
    const made = newKind(detached(name), at, isAlone);
    at.within.set(made.name, made);
    return made;
  }

  return {
    enter: (name, how) => {
      const kind = ignored > 0 ? null : below(name, how === 'alone');
      if (kind === null) {
        ignored++;
        return;
      }
      kind.count++;
      at = kind;
      hasText = false;
    },
    attribute: (name, value) => {
      const kind = ignored > 0 || !/\S/.test(value) ? null : below(`@${name}`);
      if (kind !== null) fill(kind);
    },
    text: (piece) => {
      if (hasText || ignored > 0 || !/\S/.test(piece)) return;
      hasText = true;
      fill(at);
    },
    leave: () => {
      if (ignored > 0) {
        ignored--;
        return;
      }
      at = at.around ?? root;
      hasText = false;
    },
    found: () => best(root),
  };
}

function newKind(name: string, around: Kind | null, isAlone = false): Kind {
  const depth = around === null ? 0 : around.depth + 1;
  const isOfOthers = namesOtherParts(name.replace(/^@/, ''));
  return { name, around, isAlone, isOfOthers, depth, within: new Map(), count: 0, filled: [], repeated: [], last: [] };
}

/** A text of a kind: counts once for each element around it. */
function fill(kind: Kind): void {
  for (let around: Kind | null = kind; around !== null; around = around.around) {
    const { depth, count } = around;
    const counts = kind.last[depth] === count ? kind.repeated : kind.filled;
    counts[depth] = (counts[depth] ?? 0) + 1;
    kind.last[depth] = count;
  }
}

/** What the fields of a kind are worth: those that say which part it is first, then price, maker and stock. */
const WORTH: Partial<Record<Meaning, number>> = { oem: 8, internalCode: 4, price: 4, brand: 2, quantity: 1 };

/** A kind that may be the list, with what the fields mean that its records have once. */
type Candidate = {
  kind: Kind;
  meanings: Set<Meaning>;
  /** The elements right within it, or its own attributes, that have such fields. */
  branches: Set<Kind>;
  fields: number;
  filled: number;
};

function best(root: Kind): Found | null {
  const candidates = candidatesIn(root);
  const [first] = [...candidates.values()]
    .filter((one) => one.fields > 1 && !isOfOtherParts(one, candidates))
    .sort((a, b) => worth(b) - worth(a) || b.filled - a.filled || a.kind.depth - b.kind.depth);
  if (first === undefined) return null;
  const list = outermost(first, candidates);
  const others = othersThan(list, candidates);
  const isOnly = others.length === 0 && isOnlyApart(list, candidates);
  return { path: pathOf(list.kind), records: list.kind.count, isOnly, others: others.map(({ kind }) => pathOf(kind)) };
}

function candidatesIn(root: Kind): Map<Kind, Candidate> {
  const candidates = new Map<Kind, Candidate>();
  for (const field of allKinds(root)) {
    const named = field.filled.length > 0 ? meaningsOf(field.name.replace(/^@/, '')) : [];
    let branch = field;
    let isOther = false;
    for (let { around } = field; around !== null; branch = around, around = around.around) {
      isOther ||= branch !== field && branch.isOfOthers;
      const filled = field.filled[around.depth] ?? 0;
      const isSingle = filled > 2 * (field.repeated[around.depth] ?? 0);
      if (filled === 0 || (around.count < 2 && !isOneRecord(around))) continue;
      const candidate = candidates.get(around) ?? newCandidate(around);
      candidates.set(around, candidate);
      candidate.fields++;
      if (!isSingle) continue;
      candidate.filled += filled;
      candidate.branches.add(branch);
      if (!isOther) for (const { meaning } of named) candidate.meanings.add(meaning);
    }
  }
  return candidates;
}

function newCandidate(kind: Kind): Candidate {
  return { kind, meanings: new Set(), branches: new Set(), fields: 0, filled: 0 };
}

function worth({ meanings }: Candidate): number {
  return [...meanings].reduce((sum, meaning) => sum + (WORTH[meaning] ?? 0), 0);
}

/** The nearest list that has a kind in its records, more often than once or under a name for other parts, beside fields of their own. */
function listAround({ kind }: Candidate, candidates: Map<Kind, Candidate>): Candidate | null {
  let branch = kind;
  let { isOfOthers } = kind;
  for (let { around } = kind; around !== null; branch = around, around = around.around) {
    const list = candidates.get(around);
    const isWithinRecords = around.count > 1 && (kind.count > around.count || isOfOthers);
    const isOwn = (field: Kind) => field !== branch && !field.isOfOthers;
    if (list !== undefined && isWithinRecords && [...list.branches].some(isOwn)) return list;
    isOfOthers ||= around.isOfOthers;
  }
  return null;
}

/** Analogs, crosses or numbers of the vehicle's maker, listed in the records of another list: they are never offers of the supplier. */
function isOfOtherParts(candidate: Candidate, candidates: Map<Kind, Candidate>): boolean {
  const around = listAround(candidate, candidates)?.kind;
  if (around === undefined) return false;
  for (let kind: Kind | null = candidate.kind; kind !== null && kind !== around; kind = kind.around) {
    if (kind.isOfOthers) return true;
  }
  return false;
}

/** The list itself, or the one around it whose records are the offers. */
function outermost(list: Candidate, candidates: Map<Kind, Candidate>): Candidate {
  const around = listAround(list, candidates);
  return around !== null && isListOf(around, list) ? outermost(around, candidates) : list;
}

/** Whether the records around a list are the offers, and not groups of offers: groups have no prices, their offers do. */
function isListOf(around: Candidate, { meanings }: Candidate): boolean {
  return isPriced(around.meanings) || namesPart(around.meanings) || !isPriced(meanings);
}

function isPriced(meanings: Set<Meaning>): boolean {
  return meanings.has('price') || meanings.has('quantity');
}

/**
 * The list around this one, and those in its records whose fields name maker and number: all of them where its own fields do not, else
 * those that are not listed as other parts. An array at the root is the list if it names both.
 */
function othersThan(list: Candidate, candidates: Map<Kind, Candidate>): Candidate[] {
  const around = listAround(list, candidates);
  const isComplete = namesPart(list.meanings);
  const within = [...candidates.values()].filter(
    (one) => isWithin(one.kind, list.kind) && namesPart(one.meanings) && listAround(one, candidates) !== null,
  );
  const possible = isComplete ? within.filter((one) => !isOfOtherParts(one, candidates)) : within;
  const isRoot = list.kind.depth === 1;
  return [...(around === null ? [] : [around]), ...(isRoot && isComplete ? [] : possible)];
}

/** Whether no kind apart from this one may be the list: none has brands and numbers, or this one has and no other one. */
function isOnlyApart({ kind: list, meanings }: Candidate, candidates: Map<Kind, Candidate>): boolean {
  const others = [...candidates.values()].filter((one) => !isPart(one.kind, list) && !isOfOtherParts(one, candidates));
  const isApart = ({ kind }: Candidate) => !isWithin(kind, list) && !isWithin(list, kind);
  return !others.some((other) => namesPart(other.meanings) || (!namesPart(meanings) && isApart(other)));
}

/** Whether an element that does not repeat is a list of one offer: its own fields name maker and number, and it might repeat. */
function isOneRecord({ isAlone, depth, within }: Kind): boolean {
  if (isAlone || depth < 2) return false;
  const fields = [...within.values()].filter(({ within: inner, filled }) => inner.size === 0 && filled.length > 0);
  return namesPart(new Set(fields.flatMap(({ name }) => meaningsOf(name.replace(/^@/, '')).map((one) => one.meaning))));
}

function namesPart(meanings: Set<Meaning>): boolean {
  return meanings.has('brand') && (meanings.has('oem') || meanings.has('internalCode'));
}

/** Whether a kind is the list itself, or stands in each of its records once, or around each. */
function isPart(kind: Kind, list: Kind): boolean {
  if (isWithin(kind, list)) return kind.count <= list.count;
  return kind === list || (isWithin(list, kind) && kind.count === list.count);
}

function isWithin(kind: Kind, other: Kind): boolean {
  for (let { around } = kind; around !== null; around = around.around) if (around === other) return true;
  return false;
}

function* allKinds(kind: Kind): Generator<Kind> {
  for (const one of kind.within.values()) {
    yield one;
    yield* allKinds(one);
  }
}

function pathOf(kind: Kind): RecordPath {
  return kind.around === null ? [] : [...pathOf(kind.around), kind.name];
}

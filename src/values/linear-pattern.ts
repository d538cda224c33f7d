/**
 * Regular expressions that take time in proportion to the text, whatever they are: no way through them is ever tried twice. What cannot be
 * matched so (looking around, referring back) is refused. Case does not matter.
 */
export type LinearPattern = { test: (text: string) => boolean };

/** Why a pattern is refused, in words. */
export class PatternError extends Error {}

/** The longest pattern, and the most states that it may have: `{1,999}` repeats what stands before it. */
const MOST_CHARACTERS = 500;
const MOST_STATES = 2000;
const MOST_REPEATS = 1000;
/** Sets of states that are remembered; more are forgotten at once. */
const MOST_SETS = 500;

/** Whether a character belongs to what stands in its place in a pattern. */
type CharacterTest = (character: string) => boolean;

type Node =
  | { kind: 'character'; test: CharacterTest }
  | { kind: 'begin' | 'end' | 'nothing' }
  | { kind: 'sequence' | 'choice'; nodes: Node[] }
  | { kind: 'repeat'; node: Node; least: number; most: number };

/** A state: where it leads without a character, and with one that its test takes. */
type State = { free: number[]; begin: number | null; end: number | null; test: CharacterTest | null; next: number };

/** Makes a pattern ready to be tested on texts. Throws `PatternError`. */
export function linearPattern(source: string): LinearPattern {
  const states = statesOf(parsePattern(source));
  const accepting = states.length - 1;
  let sets = new Map<string, StateSet>();
  const setOf = (numbers: number[], isBeginning: boolean): StateSet => {
    const reached = closure(states, numbers, isBeginning);
    const key = `${isBeginning ? '^' : ''}${reached.join(' ')}`;
    const known = sets.get(key);
    if (known !== undefined) return known;
    if (sets.size >= MOST_SETS) sets = new Map();
    const made: StateSet = {
      states: reached,
      isFound: reached.includes(accepting),
      endsFound: closure(states, reached, isBeginning, true).includes(accepting),
      next: new Map(),
    };
    sets.set(key, made);
    return made;
  };
  const first = setOf([0], true);
  const step = (set: StateSet, character: string): StateSet => {
    const known = set.next.get(character);
    if (known !== undefined) return known;
    // A match may begin behind every character.
    const numbers = [
      0,
      ...set.states.filter((at) => states[at]!.test?.(character) === true).map((at) => states[at]!.next),
    ];
    const next = setOf(numbers, false);
    if (set.next.size < MOST_CHARACTERS) set.next.set(character, next);
    return next;
  };
  return {
    test: (text) => {
      let set = first;
      for (const character of text.toLowerCase()) {
        if (set.isFound) return true;
        set = step(set, character);
      }
      return set.isFound || set.endsFound;
    },
  };
}

type StateSet = { states: number[]; isFound: boolean; endsFound: boolean; next: Map<string, StateSet> };

/** All states that are reached from some without a character. */
function closure(states: State[], from: number[], isBeginning: boolean, isEnd = false): number[] {
  const reached = new Set<number>();
  const open = [...from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    const { free, begin, end } = states[at]!;
    open.push(...free);
    if (begin !== null && isBeginning) open.push(begin);
    if (end !== null && isEnd) open.push(end);
  }
  return [...reached].sort((a, b) => a - b);
}

/** The states of a pattern; the first begins it, the last is reached when it is found. */
function statesOf(root: Node): State[] {
  const states: State[] = [];
  const add = (state: Partial<State> = {}): number => {
    if (states.length >= MOST_STATES) throw new PatternError('it repeats too much; write smaller numbers in braces');
    states.push({ free: [], begin: null, end: null, test: null, next: -1, ...state });
    return states.length - 1;
  };
  const start = add();
  const last = build(root, start);
  const end = add();
  states[last]!.free.push(end);
  return states;

  /** Adds the states of a node behind a state; answers with the state behind them. */
  function build(node: Node, from: number): number {
    switch (node.kind) {
      case 'nothing':
        return from;
      case 'character': {
        const at = add({ test: node.test });
        states[from]!.free.push(at);
        return (states[at]!.next = add());
      }
      case 'begin':
      case 'end': {
        const [at, behind] = [add(), add()];
        states[from]!.free.push(at);
        states[at]![node.kind] = behind;
        return behind;
      }
      case 'sequence':
        return node.nodes.reduce((at, one) => build(one, at), from);
      case 'choice': {
        const ends = node.nodes.map((one) => {
          const at = add();
          states[from]!.free.push(at);
          return build(one, at);
        });
        const behind = add();
        for (const at of ends) states[at]!.free.push(behind);
        return behind;
      }
      case 'repeat':
        return buildRepeat(node, from);
    }
  }

  function buildRepeat({ node, least, most }: Extract<Node, { kind: 'repeat' }>, from: number): number {
    let at = from;
    for (let count = 0; count < least; count += 1) at = build(node, at);
    if (most === Infinity) {
      const loop = add();
      states[at]!.free.push(loop);
      const back = build(node, loop);
      states[back]!.free.push(loop);
      const behind = add();
      states[loop]!.free.push(behind);
      return behind;
    }
    const behind = add();
    for (let count = least; count < most; count += 1) {
      states[at]!.free.push(behind);
      at = build(node, at);
    }
    states[at]!.free.push(behind);
    return behind;
  }
}

/** Reads a pattern as regular expressions are written. */
function parsePattern(source: string): Node {
  if (source.length > MOST_CHARACTERS) throw new PatternError(`it is longer than ${MOST_CHARACTERS} characters`);
  const characters = Array.from(source);
  let at = 0;
  const node = choice();
  if (at < characters.length)
    throw new PatternError('a bracket ")" closes what was never opened; write "\\)" for the character');
  return node;

  function choice(): Node {
    const nodes = [sequence()];
    while (characters[at] === '|') {
      at += 1;
      nodes.push(sequence());
    }
    return nodes.length === 1 ? nodes[0]! : { kind: 'choice', nodes };
  }

  function sequence(): Node {
    const nodes: Node[] = [];
    while (at < characters.length && characters[at] !== '|' && characters[at] !== ')') nodes.push(repeated(atom()));
    return nodes.length === 0 ? { kind: 'nothing' } : { kind: 'sequence', nodes };
  }

  function atom(): Node {
    const character = characters[at]!;
    at += 1;
    if (character === '(') return group();
    if (character === '[') return { kind: 'character', test: characterClass() };
    if (character === '.') return { kind: 'character', test: () => true };
    if (character === '^') return { kind: 'begin' };
    if (character === '$') return { kind: 'end' };
    if (character === '\\') return { kind: 'character', test: escaped() };
    if ('*+?{'.includes(character))
      throw new PatternError(`"${character}" repeats nothing; write "\\${character}" for the character`);
    return { kind: 'character', test: literal(character) };
  }

  function group(): Node {
    if (characters[at] === '?') {
      if (characters[at + 1] !== ':')
        throw new PatternError('it looks around ("(?"), which may take endless time; write only groups "(" or "(?:"');
      at += 2;
    }
    const node = choice();
    if (characters[at] !== ')') throw new PatternError('a bracket "(" is never closed; write "\\(" for the character');
    at += 1;
    return node;
  }

  function repeated(node: Node): Node {
    const character = characters[at];
    const simple = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] }[character ?? ''];
    if (simple === undefined && character !== '{') return node;
    at += 1;
    const [least, most] = simple ?? braces();
    // Whether as much or as little as possible is taken makes no difference to whether something is found.
    if (characters[at] === '?') at += 1;
    return repeated({ kind: 'repeat', node, least: least!, most: most! });
  }

  function braces(): [number, number] {
    const [whole, low, comma, high] = /^(\d+)(,?)(\d*)\}/.exec(characters.slice(at).join('')) ?? [];
    if (whole === undefined)
      throw new PatternError('"{" begins no number of repetitions such as {2,3}; write "\\{" for the character');
    at += whole.length;
    const least = Number(low);
    const most = comma === '' ? least : high === '' ? Infinity : Number(high);
    if (least > most || Math.max(least, most === Infinity ? 0 : most) > MOST_REPEATS)
      throw new PatternError(`{${whole} cannot be counted; write at most ${MOST_REPEATS}, the smaller number first`);
    return [least, most];
  }

  function escaped(): CharacterTest {
    const character = characters[at];
    at += 1;
    const known = KINDS.get(character ?? '');
    if (known !== undefined) return known;
    if (character === undefined) throw new PatternError('it ends in a backslash; write "\\\\" for the character');
    if (/[\p{L}\d]/u.test(character))
      throw new PatternError(
        `"\\${character}" is not known, or refers back, which may take endless time; known are \\d \\D \\w \\W \\s \\S`,
      );
    return literal(character);
  }

  function characterClass(): CharacterTest {
    const isNot = characters[at] === '^';
    if (isNot) at += 1;
    const tests: CharacterTest[] = [];
    for (let isFirst = true; characters[at] !== ']' || isFirst; isFirst = false) {
      const low = classCharacter();
      const isRange = typeof low === 'string' && characters[at] === '-' && characters[at + 1] !== ']';
      if (!isRange) {
        tests.push(typeof low === 'string' ? literal(low) : low);
        continue;
      }
      at += 1;
      const high = classCharacter();
      if (typeof high !== 'string' || high < low) throw new PatternError('a range in "[…]" is the wrong way round');
      tests.push(between(low, high));
    }
    at += 1;
    return (character) => tests.some((test) => test(character)) !== isNot;
  }

  function classCharacter(): string | CharacterTest {
    const character = characters[at];
    if (character === undefined) throw new PatternError('a bracket "[" is never closed; write "\\[" for the character');
    at += 1;
    if (character !== '\\') return character;
    const next = characters[at] ?? '';
    if (!KINDS.has(next) && !/[\p{L}\d]/u.test(next) && next !== '') {
      at += 1;
      return next;
    }
    return escaped();
  }
}

const isDigit: CharacterTest = (character) => character >= '0' && character <= '9';
const isWord: CharacterTest = (character) => /[\p{L}\p{N}_]/u.test(character);
const isBlank: CharacterTest = (character) => /\s/u.test(character);

/** What a letter behind a backslash stands for; letters and digits of all alphabets are words. */
const KINDS = new Map<string, CharacterTest>([
  ['d', isDigit],
  ['D', (character) => !isDigit(character)],
  ['w', isWord],
  ['W', (character) => !isWord(character)],
  ['s', isBlank],
  ['S', (character) => !isBlank(character)],
]);

function literal(character: string): CharacterTest {
  const lower = character.toLowerCase();
  return (found) => found === lower;
}

/** Texts are in lower case when they are tested. */
function between(low: string, high: string): CharacterTest {
  return (found) => (found >= low && found <= high) || (found.toUpperCase() >= low && found.toUpperCase() <= high);
}

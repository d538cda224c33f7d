/** Characters that fit a place of a name: one of them, `any`, or a `digit`; `repeated`: none or more of them. */
type Token = { fits: string; repeated?: true };

/** Alternatives of a pattern that are compared. */
const MOST_ALTERNATIVES = 64;

/** What makes more of a pattern than stars, question marks, dates, numbers and alternatives. */
const BEYOND = /[[\]()!+@|\\]|\{[^{}]*\.\.[^{}]*\}/u;

const PARTS = /\{(?:yyyy|MM|dd|HH|mm|ss)(?:[-_. T]?(?:yyyy|MM|dd|HH|mm|ss))*\}/gu;

/** Stand for a digit, and for one or more. */
const [DIGIT, DIGITS] = ['\uE0D0', '\uE0D1'];

/** What fits each place of names of a pattern, for each of its alternatives; null for a pattern that is written with more than that. */
export function tokensOf(pattern: string): Token[][] | null {
  const alternatives = alternativesOf(pattern);
  return alternatives?.map((text) => Array.from(text).flatMap(tokensOfLetter)) ?? null;
}

/** Names that fit a pattern, with as little as possible for what is open in it; none for a pattern that is written with more. */
export function namesLike(pattern: string): string[] {
  const filled = (text: string, star: string) =>
    text.replaceAll(/\*+/gu, star).replaceAll('?', 'x').replaceAll(DIGIT, '1').replaceAll(DIGITS, '1');
  const alternatives = alternativesOf(pattern) ?? [];
  return alternatives.flatMap((text) => [filled(text, 'x'), filled(text, '')]).filter((name) => name !== '');
}

/** Whether some name fits both patterns. */
export function haveOneInCommon(some: Token[][], others: Token[][]): boolean {
  return some.some((one) => others.some((other) => meet(one, other)));
}

function alternativesOf(pattern: string): string[] | null {
  if (BEYOND.test(pattern)) return null;
  const dated = pattern.replaceAll(PARTS, (date) => date.slice(1, -1).replaceAll(/[yMdHms]/gu, DIGIT));
  let patterns = [dated.replaceAll('{sequence}', DIGITS)];
  for (;;) {
    const found = patterns.flatMap((one) => {
      const braces = /\{([^{}]*,[^{}]*)\}/u.exec(one);
      return braces === null ? [one] : braces[1]!.split(',').map((part) => one.replace(braces[0], () => part));
    });
    if (found.length > MOST_ALTERNATIVES) return null;
    if (found.length === patterns.length) break;
    patterns = found;
  }
  return patterns.some((one) => /[{}]/u.test(one)) ? null : patterns;
}

function tokensOfLetter(letter: string): Token[] {
  if (letter === '*') return [{ fits: 'any', repeated: true }];
  if (letter === '?') return [{ fits: 'any' }];
  if (letter === DIGIT) return [{ fits: 'digit' }];
  if (letter === DIGITS) return [{ fits: 'digit' }, { fits: 'digit', repeated: true }];
  return [{ fits: letter.toLowerCase() }];
}

/** Whether some text fits both: they are read side by side, and what may be repeated may also be left out. */
function meet(one: Token[], other: Token[]): boolean {
  const failed = new Set<number>();
  const from = (at: number, otherAt: number): boolean => {
    const key = at * (other.length + 1) + otherAt;
    if (failed.has(key)) return false;
    const [token, otherToken] = [one[at], other[otherAt]];
    if (token === undefined && otherToken === undefined) return true;
    failed.add(key);
    const goesOn =
      (token?.repeated === true && from(at + 1, otherAt)) ||
      (otherToken?.repeated === true && from(at, otherAt + 1)) ||
      (token !== undefined &&
        otherToken !== undefined &&
        fitTogether(token, otherToken) &&
        !(token.repeated === true && otherToken.repeated === true) &&
        from(token.repeated === true ? at : at + 1, otherToken.repeated === true ? otherAt : otherAt + 1));
    if (goesOn) failed.delete(key);
    return goesOn;
  };
  return from(0, 0);
}

function fitTogether({ fits: one }: Token, { fits: other }: Token): boolean {
  if (one === 'any' || other === 'any' || one === other) return true;
  return (one === 'digit' && /^\d$/u.test(other)) || (other === 'digit' && /^\d$/u.test(one));
}

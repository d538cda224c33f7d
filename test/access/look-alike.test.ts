import { expect, test } from 'vitest';
import { hasOddScript, looksLike, mixedScripts } from '../../src/access/look-alike.ts';

test.each([
  ['adm', 'ADM'],
  ['adm', '\u0430dm'],
  ['adm', '\uff41\uff44\uff4d'],
  ['cop', '\u0441\u043e\u0440'],
  ['ANNA', '\u0391\u039d\u039d\u0391'],
  ['paul', 'pau1'],
  ['oleg', '0leg'],
  ['anna', 'ánna'],
  ['iris', 'lrls'],
  ['ıvan', 'ivan'],
  ['rnark', 'mark'],
  ['vv1', 'w1'],
])('%s is taken for %s', (one, other) => {
  expect(looksLike(one, other)).toBe(true);
  expect(looksLike(other, one)).toBe(true);
});

test.each([
  ['anna', 'anne'],
  ['viewer1', 'viewer2'],
  ['иван', 'ivan'],
  ['ops', 'ops.north'],
])('%s is not taken for %s', (one, other) => expect(looksLike(one, other)).toBe(false));

test.each([
  ['\u0430dm', 'Cyrillic and Latin'],
  ['adm\u03b1', 'Latin and Greek'],
])('%s mixes scripts', (name, scripts) => expect(mixedScripts(name)).toBe(scripts));

test.each(['anna.müller-2', 'Иван_1', '田中taro', 'たなか太郎', '김철수', '7'])('%s is written in one script', (name) =>
  expect(mixedScripts(name)).toBeNull(),
);

test.each(['\ua4ee\ua4e0\ua4e0\ua4ee', '\u13f4\u13ac\u13d2\u13a2', '\u2c9e\u2ca2\u2ca4'])(
  '%s is written in a script that looks like Latin letters',
  (name) => expect(hasOddScript(name)).toBe(true),
);

test.each(['anna-2', 'Иван', 'たなか太郎', '김철수', 'Ελένη'])('%s is written in a script that people read', (name) =>
  expect(hasOddScript(name)).toBe(false),
);

import { expect, test } from 'vitest';
import { looksLike, mixedScripts } from '../../src/access/look-alike.ts';

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

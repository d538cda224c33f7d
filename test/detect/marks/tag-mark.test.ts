import { expect, test } from 'vitest';
import { findTagMark } from '../../../src/detect/marks/tag-mark.ts';

const CONTEXT = { uploaded: ',', most: 20 };

function found(texts: string[], context = CONTEXT) {
  return findTagMark(
    texts.map((text, at) => ({ line: at + 2, text })),
    context,
  );
}

test.each([
  ['|', ['new|sale|eu', 'new|eu', 'sale']],
  [';', ['new;sale', 'eu', 'sale; eu']],
  [',', ['new,sale', 'eu']],
  ['\n', ['new\nsale\neu', 'eu\r\nnew']],
  ['#', ['#new #sale', '#eu', '#sale #eu']],
  ['·', ['new · sale', 'eu · new', 'sale']],
  ['/', ['left/front', 'right/front', 'left/rear', 'right/rear', 'left']],
])('%j stands between tags', (separator, texts) => {
  expect(found(texts)).toMatchObject({ separator, rival: null });
});

test('says in how many cells the mark stands', () => {
  expect(found(['new|sale', 'eu'])).toMatchObject({ evidence: 'it stands in 1 of 2 filled cells' });
});

test('a number sign inside of tags parts none', () => {
  expect(found(['C# manual', 'new #2', 'sale'])).toBeNull();
});

test('a mark of its own between uploaded tags is looked for, too', () => {
  expect(found(['a#b', 'c#a'], { uploaded: '#', most: 20 })).toMatchObject({ separator: '#' });
});

test.each([
  [['new', 'sale', 'front axle']],
  [['ABS/ESP', 'new', 'A/C', 'sale']],
  [['1/2', '3/4', '24/7']],
  [['1,5 l', '2,0 l', '1,5 l']],
  [['brake &amp; clutch', 'pads']],
  [['https://example.org/a', 'https://example.org/b']],
  [[]],
])('no mark is seen in %j', (texts) => {
  expect(found(texts)).toBeNull();
});

test.each([
  ['|', ['left, front|new', 'right, rear|sale', 'new']],
  ['|', ['left, front|new', 'left, front', 'left, front|sale', 'new|sale']],
  [';', ['ABS/ESP;new', 'ABS/ESP;sale', 'A/C;new']],
  [',', ['A/C, new', 'ABS/ESP, sale', 'new, sale']],
])('%j stands between tags that hold another mark: %j', (separator, texts) => {
  expect(found(texts)).toMatchObject({ separator, rival: null });
});

test.each([
  [['new|sale', 'new,sale', 'eu|new', 'eu,sale']],
  [[...Array.from({ length: 60 }, () => 'new,sale,eu'), 'new;sale']],
])('two marks that fit are a question: %j', (texts) => {
  const mark = found(texts);
  expect(mark?.rival).not.toBeNull();
  expect(new Set([mark?.separator, mark?.rival]).size).toBe(2);
});

test('blanks are never taken for the mark, but a tag of more words than a row may have tags is a question', () => {
  expect(found(['new sale eu', 'new sale', 'eu'])).toBeNull();
  const words = Array.from({ length: 21 }, (_, at) => `t${at}`).join(' ');
  expect(found([words, 'new'])).toMatchObject({ separator: ',', rival: ' ', example: { line: 2, text: words } });
  expect(found(['a|b', words])).toMatchObject({ separator: '|', rival: ' ', example: { line: 3 } });
});

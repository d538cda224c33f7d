import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutMarkup } from '../../src/columns/markup.ts';
import { repetitions } from '../support/repetitions.ts';

test.each([
  ['<b>0986424797</b>', '0986424797'],
  ['<a href="/p/1">0986424797</a>', '0986424797'],
  ['<td class="x"><b><i>W712</i></b></td>', 'W712'],
  ['0986424797<br/>', '0986424797'],
  ['BOSCH&nbsp;', 'BOSCH '],
  ['MANN&amp;HUMMEL', 'MANN&HUMMEL'],
  ['MANN&amp;amp;HUMMEL', 'MANN&HUMMEL'],
  ['&quot;0012345&quot;', '"0012345"'],
  ['L&#39;Oil&#x2F;2', "L'Oil/2"],
  ['B&uuml;rste &Ouml;l', 'Bürste Öl'],
  ['09&shy;86', '0986'],
  ['<b>New</b> VALEO', 'New VALEO'],
  ['<b>A</b> and <b>B</b>', 'A and B'],
  ['a<b>c</b>', 'ac'],
  ['<span class=z>neu </span><span>FEBI</span>', 'neu FEBI'],
])('%s shows %s', (cell, text) => {
  expect(withoutMarkup(cell)).toBe(text);
});

test.each(['R&M', 'A & B', 'A&B;C', '&foo;', '<5 mm', '<none>', '<b>A', '<x>A</x> and <x>B</x>', '&#0;', '&#55296;'])(
  '%s is no markup',
  (cell) => {
    expect(withoutMarkup(cell)).toBeNull();
  },
);

test('what has no markup in it stays, and what is bare stays bare', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '/', '&', ';', 'b', ' ', 'amp', '#39', 'x') }), (cell) => {
      const text = withoutMarkup(cell);
      expect(text).not.toBe(cell);
      expect(text === null || /[&<]/.test(cell)).toBe(true);
    }),
    { numRuns: repetitions(1000) },
  );
});

import type { Random } from '../example-parts.ts';
import type { Family } from './kinds.ts';

/** How each maker writes its numbers: # a digit, @ a letter. */
const FORMS: Record<string, string> = {
  NORDMARK: 'N## ### ### @',
  HIKAMI: '#####-##@##',
  CALDERA: '########',
  VOLGARD: '####-#######-##',
  FILTARO: 'FT ###/##',
  STOPARA: 'S.##.####.#',
  KUHLON: 'KL####-##',
  DICHTAL: '###.###',
  LAGERON: 'LGR ####',
  FEDERIX: '## ### ##',
  LENKOR: 'LK-#####',
  AUSPARA: 'AU####@',
  ZUNDAX: 'ZX#@#-##',
  'MOTO NORD': 'MN#######',
  'ELEKTRA PARTS': '0 ### ### ###',
  OMNIPARTA: 'OP-##-#####',
};

const MAKERS: Record<Family, string[]> = {
  filter: ['FILTARO', 'MOTO NORD', 'OMNIPARTA'],
  seal: ['DICHTAL', 'MOTO NORD', 'OMNIPARTA'],
  engine: ['MOTO NORD', 'LAGERON', 'OMNIPARTA'],
  cooling: ['KUHLON', 'MOTO NORD', 'OMNIPARTA'],
  exhaust: ['AUSPARA', 'OMNIPARTA'],
  clutch: ['LAGERON', 'FEDERIX', 'OMNIPARTA'],
  brake: ['STOPARA', 'ELEKTRA PARTS', 'OMNIPARTA'],
  chassis: ['FEDERIX', 'LENKOR', 'OMNIPARTA'],
  steering: ['LENKOR', 'OMNIPARTA'],
  electric: ['ELEKTRA PARTS', 'ZUNDAX', 'OMNIPARTA'],
  fastener: ['MOTO NORD', 'OMNIPARTA'],
};

const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXZ';

/** Gives part numbers in the maker's own form, none of them twice. */
export function numbering(next: Random): (brand: string) => string {
  const taken = new Set<string>();
  return function number(brand): string {
    const form = FORMS[brand];
    if (form === undefined) throw new Error(`${brand} has no form of numbers.`);
    const written = form.replaceAll(/[#@]/g, (place) => (place === '#' ? String(next(10)) : LETTERS[next(22)]!));
    if (taken.has(`${brand} ${written}`)) return number(brand);
    taken.add(`${brand} ${written}`);
    return written;
  };
}

/** Who makes parts of a family for the free market. */
export function makersOf(family: Family): string[] {
  return MAKERS[family];
}

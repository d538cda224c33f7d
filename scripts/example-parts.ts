/** Gives whole numbers from 0 below a limit, the same sequence for the same seed. */
export type Random = (below: number) => number;

/** A small seeded generator (mulberry32): the samples must be the same bytes at every run. */
export function random(seed: number): Random {
  let state = seed * 0x9e3779b1;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const DIGITS = '0123456789';
const PATTERNS: Record<string, string> = {
  BOSCH: '0 986 ### ###',
  MANN: 'W ###/##',
  KNECHT: 'OC ####',
  BREMBO: '09.####.##',
  ATE: '13.0460-####.2',
  SACHS: '3## ###',
  LEMFORDER: '##### 01',
  SKF: 'VKBA ####',
  GATES: 'K0#####XS',
  HEPU: 'P####',
  NGK: '####',
  FEBI: '#####',
};

/** A brand and an article number in the shape that the brand uses. */
export function article(next: Random): { brand: string; oem: string } {
  const brands = Object.keys(PATTERNS);
  const brand = brands[next(brands.length)] ?? 'BOSCH';
  const oem = (PATTERNS[brand] ?? '').replaceAll('#', () => DIGITS[next(10)] ?? '0');
  return { brand, oem };
}

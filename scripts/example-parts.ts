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

/** A supplier's assortment: parts in the shape that each brand uses, no two alike and none that another seed has. */
export function assortment(seed: number): { next: Random; article: () => { brand: string; oem: string } } {
  const next = random(seed);
  const brands = Object.keys(PATTERNS);
  const taken = new Set<string>();
  function article(): { brand: string; oem: string } {
    const brand = brands[next(brands.length)] ?? 'BOSCH';
    const oem = (PATTERNS[brand] ?? '').replace('#', String(seed)).replaceAll('#', () => String(next(10)));
    if (taken.has(`${brand} ${oem}`)) return article();
    taken.add(`${brand} ${oem}`);
    return { brand, oem };
  }
  return { next, article };
}

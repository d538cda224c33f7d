/** Zones that need no question, which would take a tenth of the start of a command: the default, and those of most suppliers. */
export const WELL_KNOWN_ZONES: ReadonlySet<string> = new Set([
  'UTC',
  ...(
    'Amsterdam Athens Belgrade Berlin Bratislava Brussels Bucharest Budapest Copenhagen Dublin Helsinki Istanbul Lisbon Ljubljana London ' +
    'Luxembourg Madrid Minsk Moscow Oslo Paris Prague Riga Rome Sofia Stockholm Tallinn Vienna Vilnius Warsaw Zagreb Zurich'
  )
    .split(' ')
    .map((city) => `Europe/${city}`),
]);

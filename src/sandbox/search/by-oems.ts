import { partKey } from '../reference/keys.ts';
import { readParameters, invalid } from '../http/parameters.ts';
import type { Call } from '../calls/call.ts';
import type { Reply } from '../http/reply.ts';
import { demandIndexed } from '../vehicles/indexed.ts';
import type { SearchContext } from './context.ts';
import { createTeller, partView } from './items.ts';
import type { Part, Portfolio } from './portfolio.ts';

/** How a part stands for the number that was asked for. */
type Analogue = { part: Part; replaces: string; type: string };

/** So many numbers in one call at most. */
const MOST = 1000;

/** The login's parts that can be used for each number on a vehicle: the part itself, its replacements, its crosses. */
export async function searchByOems(ctx: SearchContext, { query, login, requestId }: Call): Promise<Reply> {
  const parameters = readParameters(query);
  const autoInfoId = parameters.requiredInt64('autoInfoId');
  const oems = readOems(parameters.all('oems'));
  const locale = parameters.locale();
  parameters.end();
  const { vehicle } = demandIndexed(ctx.autoInfos, login.id, autoInfoId, ctx.now());
  const data = await ctx.portfolios.use(login.id, (portfolio) => {
    const teller = createTeller(ctx.reference, locale);
    const find = portfolio && analogueFinder(ctx, portfolio, vehicle);
    const view = ({ part, replaces: replacesOem, type: replacementType }: Analogue) => {
      return { ...partView(teller, part), replacesOem, replacementType };
    };
    return oems.map((oem) => ({ oem, details: (find?.(oem) ?? []).map(view) }));
  });
  return { status: 200, json: { data, requestId } };
}

/** Repeated parameters and values with commas are the same list; each number is answered once. */
function readOems(values: string[]): string[] {
  if (values.length === 0) throw invalid('oems', 'is missing');
  const oems = values.flatMap((value) => value.split(',')).map((oem) => oem.trim());
  const wanted = [...new Set(oems.filter((oem) => oem !== ''))];
  if (wanted.length === 0) throw invalid('oems', 'is empty');
  if (wanted.length > MOST) throw invalid('oems', `has ${wanted.length} numbers; at most ${MOST} are allowed`);
  return wanted;
}

/** Finds the analogues of a number that fit the vehicle; the closest come first, and each part once. */
function analogueFinder({ reference }: SearchContext, portfolio: Portfolio, vehicle: number) {
  const db = reference.db();
  const related = db.prepare(
    `SELECT id, oem, 'DUPLICATE' AS type, 0 AS distance, id AS other FROM parts WHERE oem_key = :key
     UNION ALL SELECT p.id, p.oem, r.type, 1, r.part FROM parts p JOIN part_replacements r ON r.replaces = p.id WHERE p.oem_key = :key
     UNION ALL SELECT p.id, p.oem, r.type, 1, r.replaces FROM parts p JOIN part_replacements r ON r.part = p.id WHERE p.oem_key = :key
     UNION ALL SELECT p.id, p.oem, 'CROSS', 2, c.crossed FROM parts p JOIN part_crosses c ON c.part = p.id WHERE p.oem_key = :key
     UNION ALL SELECT p.id, p.oem, 'CROSS', 2, c.part FROM parts p JOIN part_crosses c ON c.crossed = p.id WHERE p.oem_key = :key
     ORDER BY distance, other`,
  );
  const fits = db.prepare('SELECT 1 FROM applicable_parts WHERE vehicle = ? AND part = ?');
  return (oem: string): Analogue[] => {
    const found = new Map<number, Analogue>();
    for (const row of related.all({ key: partKey(oem) })) {
      const other = Number(row['other']);
      if (found.has(other) || fits.get(vehicle, other) === undefined) continue;
      const part = portfolio.byReference(other);
      if (part !== undefined) found.set(other, { part, replaces: String(row['oem']), type: String(row['type']) });
    }
    return [...found.values()];
  };
}

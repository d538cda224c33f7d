import { dictionary } from '../../io/dictionary.ts';
import { foldForms } from '../../parts/part-key.ts';
import { foldSpelling, spellingTable } from '../../parts/spellings.ts';
import { messageOf, systemCode } from '../../errors.ts';
import { counted } from '../../wording/words.ts';
import { showPath, type Path } from '../read/path.ts';
import type { Finding, Problem } from '../read/problem.ts';
import type { BrandsConfig, Config, Spellings } from '../schema/schema.ts';
import { findChains } from './chains.ts';
import { entryProblem, looksLikePattern, whereIs, type Entry, type EntryProblem, type Place } from './entry.ts';
import type { Lists, SpellingFile } from './lists.ts';

/** The tables of a configuration, and what is wrong with them: in the configuration, and in the files that it names. */
export type FoundSpellings = {
  spellings: Spellings | undefined;
  findings: Finding[];
  problems: Problem[];
  warnings: Finding[];
};

/** More of one table are not listed: a file with one mistake in each line has one mistake. */
const MOST_PROBLEMS = 20;
/** No trade has as many brands. */
const MOST_ENTRIES = 500_000;

/** The entries of one `brands`: the brands that entries stand for by folded spelling, without the brands themselves, and these as they are written. */
type Scope = {
  path: Path;
  brands: Map<string, Entry>;
  written: Map<string, Entry>;
  problems: EntryProblem[];
  /** The first spelling that looks like a pattern. */
  pattern?: Entry | undefined;
};

/** Makes the tables of spellings that a configuration asks for, and judges them; files are relative to nothing any more. */
export async function findSpellings(config: Config, lists: Lists): Promise<FoundSpellings> {
  const files = new Map<string, Promise<SpellingFile>>();
  const read = (path: string) => {
    const known = files.get(path) ?? lists.readSpellings(path);
    files.set(path, known);
    return known;
  };
  const common = await openScope(config.brands, ['brands'], { config, lists, read });
  const own: [string, Scope][] = [];
  for (const [feed, { brands }] of Object.entries(config.feeds)) {
    if (brands !== undefined)
      own.push([feed, await openScope(brands, ['feeds', feed, 'brands'], { config, lists, read, feed })]);
  }
  common.problems.push(...findChains(common, null));
  for (const [, scope] of own) scope.problems.push(...findChains(scope, common));
  const scopes = [common, ...own.map(([, scope]) => scope)];
  const all = scopes.flatMap(({ path, problems }) => listed(path, problems));
  return {
    spellings:
      config.brands === undefined && own.length === 0
        ? undefined
        : {
            common: tableOf([common]),
            feeds: dictionary(
              own.flatMap(([feed, scope]) => {
                const table = tableOf([common, scope]);
                return table === null ? [] : [[feed, table] as const];
              }),
            ),
          },
    findings: all.flatMap(({ place: { path, at, line }, message }) =>
      line === undefined ? [{ path, message, ...(at === undefined ? {} : { at }) }] : [],
    ),
    warnings: scopes.flatMap(({ pattern }) => (pattern === undefined ? [] : [patternWarning(pattern)])),
    problems: all.flatMap(({ place: { path, line }, message }) =>
      line === undefined ? [] : [{ file: line.file, line: line.number, column: 1, path: showPath(path), message }],
    ),
  };
}

type Needs = { config: Config; lists: Lists; read: Lists['readSpellings']; feed?: string };

async function openScope(written: BrandsConfig | undefined, path: Path, needs: Needs): Promise<Scope> {
  const scope: Scope = { path, brands: new Map(), written: new Map(), problems: [] };
  const { file } = written ?? {};
  const entries = aliasesIn(written, [...path, 'aliases']);
  if (file !== undefined) entries.push(...(await entriesIn(file, [...path, 'file'], scope, needs)));
  if (entries.length > MOST_ENTRIES) {
    const message = `has ${counted(entries.length, 'spelling')}, and at most ${counted(MOST_ENTRIES, 'spelling')} are taken`;
    scope.problems.push({ place: { path: file === undefined ? path : [...path, 'file'] }, message });
    return scope;
  }
  scope.pattern = entries.find(({ spelling }) => looksLikePattern(spelling));
  const keep = needs.feed === undefined ? [] : (needs.config.feeds[needs.feed]?.values.keep ?? []);
  for (const entry of entries) addEntry(scope, entry, { lists: needs.lists, keep });
  return scope;
}

/** What `aliases` says: each brand is a spelling of its own, so that all of its forms are uploaded as it is written. */
function aliasesIn(written: BrandsConfig | undefined, path: Path): Entry[] {
  return Object.entries(written?.aliases ?? {}).flatMap(([brand, spellings]) => {
    const own: Entry = { spelling: brand, brand, place: { path: path.concat(brand), at: 'key' } };
    return [own].concat(
      spellings.map((spelling, at): Entry => ({ spelling, brand, place: { path: path.concat(brand, at) } })),
    );
  });
}

async function entriesIn(file: string, path: Path, scope: Scope, { read }: Needs): Promise<Entry[]> {
  const placeOf = (number: number): Place => ({ path, line: { file, number } });
  try {
    const { rows, problems } = await read(file);
    for (const { line, message } of problems) scope.problems.push({ place: placeOf(line), message });
    if (rows.length === 0 && problems.length === 0)
      scope.problems.push({ place: { path }, message: `${file} has no spelling: write a line such as "VAG,VW"` });
    return rows.map(({ line, spelling, brand }) => ({ spelling, brand, place: placeOf(line) }));
  } catch (error) {
    const why = systemCode(error) === 'ENOENT' ? 'does not exist' : `cannot be read: ${messageOf(error)}`;
    scope.problems.push({ place: { path }, message: `${file} ${why}` });
    return [];
  }
}

function addEntry(scope: Scope, entry: Entry, known: { lists: Lists; keep: string[] }): void {
  const { brands, written, problems } = scope;
  const { place } = entry;
  const message = entryProblem(entry, known);
  if (message !== null) return void problems.push({ place, message });
  const [spelling, folded] = [foldSpelling(entry.spelling), foldSpelling(entry.brand)];
  const other = written.get(folded);
  if (other !== undefined && other.brand.normalize() !== entry.brand.normalize()) {
    return void problems.push({
      place,
      message: `the brand is written "${entry.brand}" here and "${other.brand}" ${whereIs(other.place)}; write it in one way`,
    });
  }
  if (other === undefined) written.set(folded, entry);
  // Letters that are only composed otherwise look the same: the first way counts, so that no two brands are uploaded.
  const { brand } = other ?? entry;
  // A brand that is a spelling of another is a chain, which is looked for when all are known.
  if (spelling === folded) return;
  const earlier = brands.get(spelling);
  if (earlier !== undefined && earlier.brand !== brand) {
    return void problems.push({
      place,
      message: `"${entry.spelling}" is a spelling of ${brand} here and of ${earlier.brand} ${whereIs(earlier.place)}; leave it at one of them`,
    });
  }
  if (earlier === undefined) brands.set(spelling, { ...entry, brand });
}

function patternWarning({ spelling, place: { path, at, line } }: Entry): Finding {
  const where = line === undefined ? '' : ` ${whereIs({ path, line })}`;
  const message = `"${spelling}"${where} looks like a pattern and is compared as a text; write each spelling`;
  return { path, message, ...(at === undefined ? {} : { at }) };
}

/** The first problems of a table, and how many there are beside them. */
function listed(path: Path, problems: EntryProblem[]): EntryProblem[] {
  const shown = problems.slice(0, MOST_PROBLEMS);
  const more = problems.length - shown.length;
  if (more === 0) return shown;
  return [...shown, { place: { path }, message: `${counted(more, 'more problem')} of its spellings are not listed` }];
}

/** The table of scopes, of which later ones go before earlier ones. */
function tableOf(scopes: Scope[]) {
  const brands = new Map<string, string>();
  const add = (spelling: string, { brand }: Entry) => {
    for (const form of foldForms(spelling)) brands.set(form, brand);
  };
  for (const scope of scopes) {
    for (const [spelling, entry] of scope.brands) add(spelling, entry);
    for (const [folded, entry] of scope.written) add(folded, entry);
  }
  return spellingTable(brands);
}

import { resolve } from 'node:path';
import { dictionary, own } from '../../io/dictionary.ts';
import type { Condition, RowRule } from '../../model.ts';
import { messageOf, systemCode } from '../../errors.ts';
import { brandProblem, looksLikePattern } from '../brands/entry.ts';
import type { Lists } from '../brands/lists.ts';
import { advise, nearest } from '../read/nearest.ts';
import { showPath, type Path } from '../read/path.ts';
import type { Finding, Problem } from '../read/problem.ts';
import type { Config, WrittenRule } from '../schema/schema.ts';
import { readCondition } from './condition.ts';
import { whyNeverTrue } from './never-true.ts';
import { MAX_TAGS } from '../schema/feed-settings.ts';

/** The rules of each feed, in the order in which they act, and what is wrong with them. */
export type FoundRules = {
  rules: Record<string, RowRule[]>;
  findings: Finding[];
  problems: Problem[];
  warnings: Finding[];
};

/** Of a file that is wrong throughout, the first lines are enough. */
const MOST_PROBLEMS = 20;
/** More rules are no rules any more. */
const MOST_RULES = 50;

type Work = FoundRules & { config: Config; valuesIn: (file: string, path: Path) => Promise<string[] | null> };

/** Reads the rules of logins and feeds: those of its login act on a feed first, unless the feed has one of the same name. */
export async function findRules(config: Config, folder: string, lists: Lists): Promise<FoundRules> {
  const found: FoundRules = { rules: dictionary(), findings: [], problems: [], warnings: [] };
  const files = new Map<string, ReturnType<Lists['readValues']>>();
  const valuesIn = async (written: string, path: Path): Promise<string[] | null> => {
    const file = resolve(folder, written);
    const isFirst = !files.has(file);
    const reading = files.get(file) ?? lists.readValues(file);
    files.set(file, reading);
    try {
      const { values, problems } = await reading;
      for (const { line, message } of isFirst ? problems.slice(0, MOST_PROBLEMS) : [])
        found.problems.push({ file, line, column: 1, path: showPath(path), message });
      if (values.length === 0 && problems.length === 0)
        found.findings.push({ path, message: `${file} has no value: write one in each line` });
      return values.length === 0 || problems.length > 0 ? null : values;
    } catch (error) {
      const why = systemCode(error) === 'ENOENT' ? 'does not exist' : `cannot be read: ${messageOf(error)}`;
      found.findings.push({ path, message: `${file} ${why}` });
      return null;
    }
  };
  const work: Work = { ...found, config, valuesIn };
  const ofLogins: Record<string, (Read | null)[]> = dictionary();
  for (const [login, { rules }] of Object.entries(config.logins)) {
    const its = Object.values(config.feeds).filter((feed) => feed.login === login);
    const keep = its.flatMap(({ values }) => values.keep);
    ofLogins[login] = await readRules(rules, ['logins', login, 'rules'], { above: [], keep }, work);
  }
  for (const [feed, { login, rules, values }] of Object.entries(config.feeds)) {
    const above = (own(config.logins, login)?.rules ?? []).map(({ name }) => name);
    const common = (own(ofLogins, login) ?? []).filter((one) => one !== null);
    const its = (await readRules(rules, ['feeds', feed, 'rules'], { above, keep: values.keep }, work)).filter(
      (one) => one !== null,
    );
    const mine = new Map(its.map((one) => [one.name, one]));
    const all = [
      ...common.map((one) => mine.get(one.name) ?? one),
      ...its.filter(({ name }) => !common.some((one) => one.name === name)),
    ];
    const rulesOfFeed = all.flatMap(({ rule }) => (rule === null ? [] : [rule]));
    if (rulesOfFeed.length > MOST_RULES)
      found.findings.push({
        path: ['feeds', feed, 'rules'],
        message: `has ${rulesOfFeed.length} rules with those of its login, and ${MOST_RULES} are the most`,
      });
    if (rulesOfFeed.length > 0) found.rules[feed] = rulesOfFeed;
  }
  return found;
}

/** A rule that was read; `rule` null: it is switched off. */
type Read = { name: string; rule: RowRule | null };

/** `above`: the names of rules that can be switched off here. `keep`: what is a brand at these feeds, and nothing at others. */
type Known = { above: string[]; keep: string[] };

async function readRules(
  written: WrittenRule[] | undefined,
  path: Path,
  known: Known,
  work: Work,
): Promise<(Read | null)[]> {
  const names = new Set<string>();
  const read: (Read | null)[] = [];
  const { above } = known;
  // A rule that has a line of its own here was not misspelt in another one.
  const others = above.filter((name) => written?.some((rule) => rule.name === name) !== true);
  for (const [at, rule] of (written ?? []).entries()) {
    const place = [...path, at];
    if (names.has(rule.name))
      work.findings.push({
        path: [...place, 'name'],
        message: `another rule above is called "${rule.name}"; accounts tell rules apart by their names`,
      });
    names.add(rule.name);
    const meant = above.includes(rule.name) ? undefined : nearest(rule.name, others);
    read.push(await readRule(rule, place, { ...known, meant }, work));
  }
  return read;
}

/** `meant`: the rule that was probably meant where one is switched off that is not there. */
async function readRule(
  written: WrittenRule,
  path: Path,
  { above, keep, meant }: Known & { meant: string | undefined },
  work: Work,
): Promise<Read | null> {
  const { name, off = false, when, leaveOut, tags, set } = written;
  const note = (message: string, at: Path = path) => {
    work.findings.push({ path: at, message });
    return null;
  };
  if (off) {
    if ([when, leaveOut, tags, set].some((one) => one !== undefined))
      return note('is switched off (off: true) and says what it would do; leave one of them');
    const what = 'switches off a rule that its login does not have';
    if (meant !== undefined) return note(`${what}; ${advise(name, [meant])}`, [...path, 'name']);
    // What is left over from a rule that the login had does no harm.
    if (!above.includes(name)) work.warnings.push({ path: [...path, 'name'], message: `${what}; remove it` });
    return { name, rule: null };
  }
  if (when === undefined) return note('says not when it acts; write when: with a condition');
  const isChange = tags !== undefined || set !== undefined;
  if (leaveOut === true && isChange) return note('leaves rows out and changes them; write two rules, the change first');
  if (leaveOut !== true && !isChange) return note('does nothing; write leaveOut: true, tags or set');
  const condition = await readCondition(when, [...path, 'when'], work);
  if (condition === null) return null;
  const contradiction = whyNeverTrue(condition);
  if (contradiction !== null) return note(contradiction, [...path, 'when']);
  warnOfPatterns(condition, [...path, 'when'], work);
  if (leaveOut === true) return { name, rule: { name, when: condition, does: 'leave-out' } };
  const { add = [], remove = [] } = tags ?? {};
  const { tagSeparator } = work.config.offer;
  const torn = [...add, ...remove].find((tag) => tag.includes(tagSeparator));
  if (torn !== undefined)
    return note(`the tag "${torn}" has "${tagSeparator}" in it, which stands between tags (offer.tagSeparator)`, [
      ...path,
      'tags',
    ]);
  if (add.length > MAX_TAGS)
    return note(`adds ${add.length} tags, and the service takes ${MAX_TAGS} of a position`, [...path, 'tags', 'add']);
  if (tags !== undefined && add.length + remove.length === 0)
    return note('says no tag; write add or remove', [...path, 'tags']);
  const both = add.find((tag) => remove.includes(tag));
  if (both !== undefined) return note(`adds and removes the tag "${both}"`, [...path, 'tags']);
  if (set !== undefined && Object.keys(set).length === 0)
    return note('sets nothing; write name or brand', [...path, 'set']);
  const wrong = set?.brand === undefined ? null : brandProblem(set.brand, keep);
  if (wrong !== null) return note(wrong, [...path, 'set', 'brand']);
  return { name, rule: { name, when: condition, does: 'change', add, remove, set: set ?? {} } };
}

function warnOfPatterns(condition: Condition, path: Path, { warnings }: Work): void {
  if ('all' in condition || 'any' in condition) {
    for (const one of 'all' in condition ? condition.all : condition.any)
      warnOfPatterns(one, path, { warnings } as Work);
  } else if ('not' in condition) warnOfPatterns(condition.not, path, { warnings } as Work);
  else if (condition.asks.test === 'in') {
    const found = condition.asks.values.find((value) => looksLikePattern(value));
    if (found === undefined) return;
    const message = `"${found}" looks like a pattern and is compared as a text; write like: or matches: if it is one`;
    warnings.push({ path, message });
  }
}

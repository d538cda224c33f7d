import { foldHalf } from '../../parts/part-key.ts';
import { linearPattern, PatternError } from '../../values/linear-pattern.ts';
import type { Condition, RuleField, RuleTest } from '../../model.ts';
import { advise } from '../read/nearest.ts';
import type { Path } from '../read/path.ts';
import type { Finding } from '../read/problem.ts';
import { contradictionIn } from './never-true.ts';

/** What a condition needs beside what is written: the values of a file, or null where it cannot be read; what is wrong is noted. */
export type ConditionNeeds = {
  valuesIn: (file: string, path: Path) => Promise<string[] | null>;
  findings: Finding[];
};

const FIELDS = ['brand', 'oem', 'name', 'tags', 'price', 'stock'] as const;
const NUMBERS = new Set<RuleField>(['price', 'stock']);
const TESTS = ['is', 'in', 'like', 'matches', 'below', 'above', 'empty'] as const;
const KEYS = [...FIELDS, 'column', 'all', 'any', 'not'];

const NOT_OF_NUMBERS = 'price and stock are numbers; ask is, below or above';

/** Deeper conditions cannot be read by people either. */
const MOST_DEPTH = 10;

/** Reads a condition as it is written; null where something is wrong with it, which is noted with its place. */
export async function readCondition(
  written: unknown,
  path: Path,
  needs: ConditionNeeds,
  depth = 0,
): Promise<Condition | null> {
  const note = noteIn(needs, path);
  if (depth > MOST_DEPTH) return note(`is more than ${MOST_DEPTH} conditions deep`);
  if (!isMap(written)) return note('expected a condition, such as { stock: { below: 1 } }');
  const entries = Object.entries(written);
  if (entries.length === 0)
    return note('is empty and would be true of every row; write a condition, such as { stock: { below: 1 } }');
  const found: (Condition | null)[] = [];
  for (const [key, value] of entries) {
    const at = [...path, key];
    if (key === 'all' || key === 'any') found.push(await readSeveral(key, value, at, needs, depth));
    else if (key === 'not') {
      const inner = await readCondition(value, at, needs, depth + 1);
      found.push(inner === null ? null : { not: inner });
    } else if (key === 'column') found.push(await readColumns(value, at, needs));
    else if (isField(key)) found.push(await readTests(key, value, at, needs));
    else {
      needs.findings.push({ path: at, message: `is no part of a condition; ${advise(key, KEYS)}`, at: 'key' });
      found.push(null);
    }
  }
  return joined(found);
}

async function readSeveral(
  kind: 'all' | 'any',
  written: unknown,
  path: Path,
  needs: ConditionNeeds,
  depth: number,
): Promise<Condition | null> {
  if (!Array.isArray(written) || written.length === 0)
    return noteIn(needs, path)('expected a list of conditions, at least one');
  const conditions: (Condition | null)[] = [];
  for (const [at, one] of written.entries()) conditions.push(await readCondition(one, [...path, at], needs, depth + 1));
  const known = conditions.filter((one) => one !== null);
  if (known.length < conditions.length) return null;
  return kind === 'all' ? { all: known } : { any: known };
}

async function readColumns(written: unknown, path: Path, needs: ConditionNeeds): Promise<Condition | null> {
  if (!isMap(written) || Object.keys(written).length === 0)
    return noteIn(needs, path)('expected columns of the file by name or position, such as { Zustand: { is: used } }');
  const found: (Condition | null)[] = [];
  for (const [column, tests] of Object.entries(written)) {
    if (column.trim() === '') return noteIn(needs, path)('names no column; write its name, or its position from 1');
    found.push(await readTests({ column }, tests, [...path, column], needs));
  }
  return joined(found);
}

/** All that is asked of one cell. */
async function readTests(
  field: RuleField,
  written: unknown,
  path: Path,
  needs: ConditionNeeds,
): Promise<Condition | null> {
  const note = noteIn(needs, path);
  if (!isMap(written)) return note(`expected what is asked of the cell: ${TESTS.join(', ')}`);
  const entries = Object.entries(written);
  if (entries.length === 0) return note(`asks nothing; write one of ${TESTS.join(', ')}`);
  const found: (Condition | null)[] = [];
  const tests: RuleTest[] = [];
  for (const [key, value] of entries) {
    const asks = await readTest(field, key, value, [...path, key], needs);
    found.push(asks === null ? null : { field, asks });
    if (asks !== null) tests.push(asks);
  }
  const contradiction = contradictionIn(tests, field);
  return contradiction === null ? joined(found) : note(contradiction);
}

async function readTest(
  field: RuleField,
  key: string,
  value: unknown,
  path: Path,
  needs: ConditionNeeds,
): Promise<RuleTest | null> {
  const note = noteIn(needs, path);
  const isNumber = NUMBERS.has(field);
  switch (key) {
    case 'below':
    case 'above':
      if (!isNumber && typeof field === 'string') return note(`${field} is no number; ask price, stock or a column so`);
      return isAmount(value) ? { test: key, value } : note('expected a number');
    case 'empty':
      return typeof value === 'boolean' ? { test: key, value } : note('expected true or false');
    case 'is':
      if (isNumber) return isAmount(value) ? { test: 'equals', value } : note('expected a number');
      return valuesTest(field, [value], path, needs);
    case 'in':
      if (isNumber) return note(NOT_OF_NUMBERS);
      if (isMap(value) && typeof value['file'] === 'string' && Object.keys(value).length === 1) {
        const values = await needs.valuesIn(value['file'], [...path, 'file']);
        return values === null ? null : valuesTest(field, values, path, needs);
      }
      return Array.isArray(value)
        ? valuesTest(field, value, path, needs)
        : note('expected a list of values, or { file: PATH }');
    case 'like':
      return isNumber ? note(NOT_OF_NUMBERS) : likeTest(field, value, note);
    case 'matches':
      return isNumber ? note(NOT_OF_NUMBERS) : matchesTest(value, note);
    default:
      needs.findings.push({ path, message: `is nothing that a cell can be asked; ${advise(key, TESTS)}`, at: 'key' });
      return null;
  }
}

function valuesTest(field: RuleField, written: unknown[], path: Path, needs: ConditionNeeds): RuleTest | null {
  const note = noteIn(needs, path);
  const values = written.map((value) => (typeof value === 'number' ? String(value) : value));
  if (values.length === 0) return note('is an empty list, which nothing is in');
  const wrong = values.findIndex((value) => typeof value !== 'string' || value.trim() === '');
  if (wrong !== -1) return note('expected texts that are not empty; ask { empty: true } for empty cells');
  const texts = values as string[];
  if ((field === 'brand' || field === 'oem') && texts.some((text) => foldHalf(text) === ''))
    return note('has a value of nothing but dashes and dots, which no brand and no number is');
  return { test: 'in', values: texts };
}

type Note = (message: string) => null;

function likeTest(field: RuleField, value: unknown, note: Note): RuleTest | null {
  const patterns = (Array.isArray(value) ? value : [value]) as unknown[];
  if (patterns.length === 0 || patterns.some((one) => typeof one !== 'string' || one.trim() === ''))
    return note('expected a text with * for any characters, or a list of such texts');
  const texts = patterns as string[];
  if (texts.some((text) => /^\**$/.test(field === 'brand' || field === 'oem' ? foldHalf(text) : text.trim())))
    return note('is like every text; ask { empty: false } instead');
  return { test: 'like', patterns: texts };
}

function matchesTest(value: unknown, note: Note): RuleTest | null {
  if (typeof value !== 'string' || value === '') return note('expected a regular expression in quotes');
  try {
    linearPattern(value);
    return { test: 'matches', pattern: value };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return note(`this regular expression cannot be used: ${error.message}`);
  }
}

function joined(found: (Condition | null)[]): Condition | null {
  const known = found.filter((one) => one !== null);
  if (known.length < found.length) return null;
  return known.length === 1 ? known[0]! : { all: known };
}

function isField(key: string): key is (typeof FIELDS)[number] {
  return (FIELDS as readonly string[]).includes(key);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function noteIn({ findings }: ConditionNeeds, path: Path): Note {
  return (message) => {
    findings.push({ path, message });
    return null;
  };
}

import type { Token } from 'stream-json/core/parser.js';
import { refusal } from '../../io/refusal.ts';
import { appendWithin } from '../fit-row.ts';
import { plainNumber } from '../plain-number.ts';
import { DEEPEST, type RecordEvents } from '../records/events.ts';
import type { TableInput } from '../table-file.ts';

/** Longer keys are cut: they are no names of columns. */
const LONGEST_KEY = 1_000;

type Container = { isArray: boolean; name: string };

/**
 * Turns tokens into elements: a value has the name of its key, a member of an array the name of the array, the root none.
 * `isLines`: there are several roots, as if they were members of an array. Numbers come as plain digits, exactly as they are written; null is an element without a text.
 */
export function jsonElements(events: RecordEvents, { name: file, limits }: TableInput, isLines: boolean) {
  const open: Container[] = [];
  let inKey = false;
  let key = '';
  let number: string | null = null;

  function nextName(): string {
    const around = open.at(-1);
    return around === undefined ? '' : around.isArray ? around.name : key;
  }

  function enter(): void {
    events.enter(nextName(), (open.at(-1)?.isArray ?? isLines) ? undefined : 'alone');
  }

  function begin(isArray: boolean): void {
    const name = nextName();
    if (!isArray) enter();
    if (open.push({ isArray, name }) > DEEPEST) {
      throw refusal('json-broken', `The values of ${file} lie in one another more than ${DEEPEST} deep.`);
    }
  }

  function scalar(text: string): void {
    enter();
    if (text !== '') events.text(text);
    events.leave();
  }

  function chunk(value: string): void {
    if (inKey) key = appendWithin(key, value, LONGEST_KEY);
    else if (number !== null) number = appendWithin(number, value, limits.cellLength);
    else events.text(value);
  }

  function token(token: Token): void {
    switch (token.name) {
      case 'startKey':
        inKey = true;
        key = '';
        break;
      case 'endKey':
        inKey = false;
        break;
      case 'startString':
        enter();
        break;
      case 'endString':
        events.leave();
        break;
      case 'startNumber':
        number = '';
        break;
      case 'endNumber':
        scalar(plainNumber(number ?? ''));
        number = null;
        break;
      case 'stringChunk':
      case 'numberChunk':
        chunk(token.value);
        break;
      case 'trueValue':
      case 'falseValue':
        scalar(token.value ? 'TRUE' : 'FALSE');
        break;
      case 'nullValue':
        scalar('');
        break;
      case 'startObject':
      case 'startArray':
        begin(token.name === 'startArray');
        break;
      case 'endObject':
        events.leave();
        open.pop();
        break;
      case 'endArray':
        open.pop();
        break;
      case 'keyValue':
      case 'stringValue':
      case 'numberValue':
      case 'whitespace':
        break;
    }
  }

  /** How many objects and arrays are open. */
  return { token, depth: () => open.length };
}

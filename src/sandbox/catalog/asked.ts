import { Refusal } from '../http.ts';
import { readLanguage, type Wording } from './language.ts';

/** Whether a form of the call must have a parameter, may have it, or does not know it. */
type Need = 'required' | 'optional' | 'none';

/** A parameter by its name in the REST form, which is also how an operation asks for it. */
export type Parameter = {
  name: string;
  /** Its name in the command form. */
  command: string;
  rest: Need;
  inCommand: Need;
};

/** A parameter; in the command form its name begins with a capital letter unless `command` says otherwise. */
export function parameter(name: string, rest: Need, inCommand: Need, command?: string): Parameter {
  return { name, rest, inCommand, command: command ?? `${name[0]!.toUpperCase()}${name.slice(1)}` };
}

export const LOCALE = parameter('locale', 'optional', 'required');
export const LOCALIZED = parameter('localized', 'optional', 'optional');
export const SSD = parameter('ssd', 'required', 'required', 'ssd');

/** What a caller asks, in whichever form. */
export type Asked = {
  form: 'rest' | 'command';
  /** The value of a required parameter. */
  get: (name: string) => string;
  /** The value of an optional parameter; an empty one counts as absent. */
  find: (name: string) => string | undefined;
  /** Every value that is no declared parameter, by its name as given. */
  others: Map<string, string>;
  /** How the caller names a parameter. */
  nameOf: (name: string) => string;
  wording: Wording;
};

/** Sorts the values of a call by the declared parameters; refuses with 400 a call that lacks a required one. */
export function readAsked(form: Asked['form'], declared: Parameter[], given: [string, string][]): Asked {
  const isRest = form === 'rest';
  const nameOf = (name: string) => (isRest ? name : (declared.find((one) => one.name === name)?.command ?? name));
  const values = new Map<string, string>();
  for (const [name, value] of given) {
    if (values.has(name)) throw invalid(name, 'is given twice');
    values.set(name, value);
  }
  const find = (name: string) => values.get(nameOf(name)) || undefined;
  const get = (name: string) => find(name) ?? refuse(nameOf(name), 'is missing');
  for (const one of declared) if ((isRest ? one.rest : one.inCommand) === 'required') get(one.name);
  const known = new Set(declared.map(({ name }) => nameOf(name)));
  const others = new Map([...values].filter(([name]) => !known.has(name)));
  const asked = { form, get, find, others, nameOf };
  return { ...asked, wording: readWording(asked) };
}

function readWording(asked: Omit<Asked, 'wording'>): Wording {
  const locale = asked.find('locale') ?? 'en_US';
  const localized = readSwitch(asked, 'localized', ['false', 'true']);
  return { locale, language: readLanguage(asked.nameOf('locale'), locale), localized };
}

/** A switch that is off when it is left out; `words` are those for off and on. */
export function readSwitch(
  asked: Pick<Asked, 'find' | 'nameOf'>,
  name: string,
  words: readonly [off: string, on: string],
): boolean {
  const text = asked.find(name);
  if (text === undefined || text === words[0]) return false;
  return text === words[1] || refuse(asked.nameOf(name), `is neither ${words.join(' nor ')}`);
}

function refuse(name: string, what: string): never {
  throw invalid(name, what);
}

/** The refusal of a parameter. */
export function invalid(name: string, what: string): Refusal {
  return new Refusal(400, 'INVALID_PARAMETER', `The parameter ${name} ${what}.`);
}

import { invalid, readLocale, readParameters, type Language } from '../http/parameters.ts';

/** Whether a form of the call must have a parameter, or may have it. */
type Need = 'required' | 'optional';

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

/** In which words a reply is written. */
export type Wording = {
  /** As the caller gave it, such as `de_DE`. */
  locale: string;
  /** English where the data lack the language that was asked for. */
  language: Language;
  /** Whether attributes get names. */
  localized: boolean;
};

/** What a caller asks, in whichever form. */
export type Asked = {
  form: 'rest' | 'command';
  /** The value of a required parameter. */
  get: (name: string) => string;
  /** The value of an optional parameter. */
  find: (name: string) => string | undefined;
  /** The fields of a custom operation by their names as given. */
  fields: Map<string, string>;
  /** How the caller names a parameter. */
  nameOf: (name: string) => string;
  wording: Wording;
};

/**
 * Reads the values of a call by the declared parameters, as strictly as every other call's. The catalog differs in two points: an
 * optional value that is empty counts as left out, and what is not declared are fields where the operation has some.
 */
export function readAsked(
  form: Asked['form'],
  { parameters: declared, hasFields }: { parameters: Parameter[]; hasFields: boolean },
  given: Iterable<[string, string]>,
): Asked {
  const nameOf = (name: string) =>
    form === 'rest' ? name : (declared.find((one) => one.name === name)?.command ?? name);
  const parameters = readParameters(given, nameOf);
  const read = ({ name, rest, inCommand }: Parameter) =>
    (form === 'rest' ? rest : inCommand) === 'required' ? parameters.requiredText(name) : parameters.text(name);
  const values = new Map(declared.map((one) => [one.name, read(one)]));
  const fields = hasFields ? parameters.others() : new Map<string, string>();
  parameters.end();
  const find = (name: string) => values.get(name) || undefined;
  const locale = readLocale(find('locale'), nameOf('locale'));
  const localized = readSwitch({ find, nameOf }, 'localized', ['false', 'true']);
  const wording = { locale: locale.text, language: locale.language ?? 'en', localized };
  return { form, get: (name) => values.get(name)!, find, fields, nameOf, wording };
}

/** A switch that is off when it is left out; `words` are those for off and on. */
export function readSwitch(
  asked: Pick<Asked, 'find' | 'nameOf'>,
  name: string,
  words: readonly [off: string, on: string],
): boolean {
  const text = asked.find(name) ?? words[0];
  if (!words.includes(text)) throw invalid(asked.nameOf(name), `is neither ${words.join(' nor ')}`);
  return text === words[1];
}

import { HtmlError, walkHtml } from '../html.ts';

/** A form as a page shows it. */
export type Form = {
  /** Where it is sent to, as written. */
  action: string | undefined;
  /** What a browser sends without anybody writing anything, such as the token against forged requests. */
  given: [name: string, value: string][];
  /** The names of all of its inputs. */
  names: Set<string>;
};

/** Types of inputs that are sent only when they are clicked or chosen. */
const NOT_SENT = new Set(['button', 'file', 'image', 'reset']);

/** Forms of a page. */
const MOST_FORMS = 1000;

/** The forms of a page, with the address that it says its links are relative to. */
function formsOf(page: string): { forms: Form[]; base: string | undefined } {
  const forms: Form[] = [];
  let form: Form | undefined;
  let base: string | undefined;
  let submitted = false;
  walkHtml(page, {
    open: (tag, { name, value, type = 'text', action, href, ...flags }) => {
      if (tag === 'base') base ??= href;
      if (tag === 'form' && forms.length < MOST_FORMS) {
        forms.push((form = { action, given: [], names: new Set() }));
        submitted = false;
      }
      const isButton = tag === 'button' && !['button', 'reset'].includes(type.toLowerCase());
      if ((tag !== 'input' && !isButton) || form === undefined || name === undefined || 'disabled' in flags) return;
      const kind = isButton ? 'submit' : type.toLowerCase();
      form.names.add(name);
      const isChosen = kind === 'checkbox' || kind === 'radio' ? 'checked' in flags : !NOT_SENT.has(kind);
      // Of several buttons the first is pressed, as by the enter key.
      if (!isChosen || (kind === 'submit' && submitted)) return;
      submitted ||= kind === 'submit';
      form.given.push([name, value ?? (kind === 'checkbox' ? 'on' : '')]);
    },
    close: (tag) => {
      if (tag === 'form') form = undefined;
    },
  });
  return { forms, base };
}

/** The form of a page that has all of these inputs; a page that is made to cost more than it says has none. */
export function formWith(page: string, names: string[]): { form: Form; base: string | undefined } | undefined {
  const { forms, base } = formsIn(page);
  const form = forms.find((one) => names.every((name) => one.names.has(name)));
  return form === undefined ? undefined : { form, base };
}

function formsIn(page: string): ReturnType<typeof formsOf> {
  try {
    return formsOf(page);
  } catch (error) {
    if (error instanceof HtmlError) return { forms: [], base: undefined };
    throw error;
  }
}

import { randomUUID } from 'node:crypto';
import { OfferlineError } from '../../errors.ts';
import { html, prose, type Html, type Part } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import { LONGEST_REASON } from '../actions/world.ts';

/** Something that a person can decide: what will happen, whether anything can be sent twice, and the form that does it. */
export type DecisionForm = {
  title: string;
  /** What will happen, in whole sentences. */
  says: readonly string[];
  /** `never`: nothing can be sent twice, and why; `risk`: something can, and how it is avoided. */
  twice: { risk: boolean; text: string };
  /** The address that carries it out. */
  action: string;
  /** Fields besides the reason. */
  fields?: Part;
  /** Whether a reason is asked for, as the command does. */
  reason: boolean;
  button: string;
  /** What cannot be undone has to be confirmed, in these words. */
  confirm?: string;
  /** Where it can be tried first: a link to the rehearsal. */
  rehearse?: { action: string; button: string };
};

/** The form of a decision. It works without scripts, and sending it twice does it once. */
export function decisionForm(decision: DecisionForm, language: Language): Html {
  const { title, says, twice, action, fields, reason, button, confirm, rehearse } = decision;
  const id = `reason-${action.replaceAll(/[^\w]+/gu, '-')}`;
  return html`<form class="act" method="post" action="${action}">
    <h3>${title}</h3>
    ${says.map((text) => html`<p>${prose(text)}</p>`)}
    <p class="twice ${twice.risk && 'risk'}">${twice.text}</p>
    <input type="hidden" name="once" value="${randomUUID()}" />
    ${fields}
    ${
      reason &&
      html`<p>
        <label for="${id}">${language.say('web.decide.reason')}</label>
        <textarea id="${id}" name="reason" required maxlength="${LONGEST_REASON}"></textarea>
      </p>`
    }
    ${
      confirm !== undefined &&
      html`<p>
        <label class="choice"><input type="checkbox" name="confirm" value="yes" required /> ${confirm}</label>
      </p>`
    }
    <p>
      <button class="${confirm === undefined ? 'first' : 'danger'}">${button}</button>
      ${
        rehearse !== undefined &&
        html`<button formaction="${rehearse.action}" formnovalidate>${rehearse.button}</button>`
      }
    </p>
  </form>`;
}

/** Refuses what cannot be undone until it is confirmed. */
export function assertConfirmed({ form }: { form: URLSearchParams }): void {
  if (form.get('confirm') !== 'yes')
    throw new OfferlineError(
      'usage',
      'This cannot be undone. Go back, confirm it with the box of the form, and send it again.',
    );
}

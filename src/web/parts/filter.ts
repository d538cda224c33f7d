import { momentOf } from '../../calendar/zone-time.ts';
import { html, type Html, type Part } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import type { Visit } from '../visit.ts';

/**
 * A field of a filter: what stays as it is, a choice (`none`: what is shown without one, in place of all), or a text. What is chosen
 * stands in the address, so that it can be kept and sent.
 */
export type FilterField =
  | { name: string; hidden: string }
  | { name: string; label: string; options: readonly { value: string; label: string }[]; none?: string }
  | { name: string; label: string; type: 'search' | 'date' };

/** The form that narrows a list. */
export function filterForm(url: URL, fields: readonly FilterField[], language: Language): Html {
  return html`<form method="get" action="${url.pathname}" class="fields" role="search">
    ${fields.map((field) => filterField(field, url.searchParams.get(field.name) ?? '', language))}
    <p>
      <button>${language.say('web.filter.button')}</button>
      <a href="${url.pathname}">${language.say('web.filter.clear')}</a>
    </p>
  </form>`;
}

function filterField(field: FilterField, value: string, { say }: Language): Part {
  if ('hidden' in field) return html`<input type="hidden" name="${field.name}" value="${field.hidden}" />`;
  const id = `filter-${field.name}`;
  const input =
    'options' in field
      ? html`<select id="${id}" name="${field.name}">
          <option value="">${field.none ?? say('web.filter.all')}</option>
          ${field.options.map((option) => html`<option value="${option.value}" ${option.value === value && html`selected`}>${option.label}</option>`)}
        </select>`
      : html`<input id="${id}" name="${field.name}" type="${field.type}" value="${value}" maxlength="200" />`;
  return html`<p><label for="${id}">${field.label}</label>${input}</p>`;
}

/** What a filter of the address says; undefined where it says nothing. */
export function filterValue(url: URL, name: string): string | undefined {
  const value = url.searchParams.get(name)?.trim() ?? '';
  return value === '' ? undefined : value.slice(0, 200);
}

/** The fields of a period, from one day to another. */
export function periodFields({ say }: Language): FilterField[] {
  return [
    { name: 'since', label: say('web.filter.since'), type: 'date' },
    { name: 'until', label: say('web.filter.until'), type: 'date' },
  ];
}

/** The period of the address: from the beginning of a day to the end of another, in the zone in which the console writes its times. */
export function filterPeriod({ url, ctx }: Pick<Visit, 'url' | 'ctx'>): { since?: number; until?: number } {
  const { timezone } = ctx.config.web;
  const [since, until] = [filterDay(url, 'since'), filterDay(url, 'until')];
  return {
    ...(since === undefined ? {} : { since: momentOf(since, timezone) }),
    ...(until === undefined ? {} : { until: momentOf(until + DAY, timezone) }),
  };
}

const DAY = 86_400_000;
/** Days that calendars can write; nothing happened before or will after. A date that is still being typed has a year such as 0002. */
const DAYS = { first: Date.UTC(1970, 0, 2), last: Date.UTC(9998, 0, 1) };

function filterDay(url: URL, name: string): number | undefined {
  const value = filterValue(url, name);
  const day = value === undefined || !/^\d{4}-\d{2}-\d{2}$/u.test(value) ? Number.NaN : Date.parse(value);
  return Number.isNaN(day) ? undefined : Math.min(Math.max(day, DAYS.first), DAYS.last);
}

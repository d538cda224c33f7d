import type { CauseExample, Outcome, RecentDelivery, RowCause, RowsDiff, RunAnswer } from '../../model.ts';
import { byDemand, type Demand } from '../../parts/demand.ts';
import { adviceOn } from '../../wording/advice.ts';
import { inFile } from '../../wording/files/place.ts';
import type { Language } from '../../wording/language/language.ts';
import { accountRows, changesText, signOf } from '../../wording/managers/account-words.ts';
import { causeRemedy, causeTitle } from '../../wording/managers/cause-words.ts';
import { changeBrands, changeHeadline } from '../../wording/managers/change-words.ts';
import { demandWord } from '../../wording/managers/demand-words.ts';
import { standingText } from '../../wording/managers/now-words.ts';
import { readingPlace, readingText } from '../../wording/managers/reading-words.ts';
import { outcomeWord, runMeaning, runSteps, runTitle, runWhy } from '../../wording/managers/run-words.ts';
import { strangeFindings } from '../../wording/managers/signal-words.ts';
import { workSentences } from '../../wording/managers/work-words.ts';
import { pairText } from '../../wording/reasons/guard-reasons.ts';
import { short, type Content, type ContentChange, type ContentList, type ContentStrip, type Tone } from './content.ts';
import type { MailInput } from './input.ts';

/** What the reader of a mail can take in; the CSV and the report have all. */
const CAUSES = 6;
const BRANDS = 6;
const EXAMPLES = 3;
const TEXT_LENGTH = 300;
const REASON_LENGTH = 700;

const TONES: Record<Outcome, Tone> = {
  live: 'good',
  partial: 'warning',
  held: 'warning',
  rejected: 'bad',
  failed: 'bad',
  unchanged: 'neutral',
  nothing: 'neutral',
};

/** What a mail about a run says: what is live, what changed, why rows are missing, what to do. */
export function runContent(input: MailInput, note: string | null): Content {
  const { answer, reason, supplier, language, causes } = input;
  const { sandbox } = answer;
  const run = { ...answer, reason };
  const lost = causes.filter(({ severity }) => severity === 'error').length;
  const why = runWhy(run, language);
  return {
    language,
    sandbox,
    tone: toneOf(answer),
    title: runTitle(run, { supplier, causes: lost }, language),
    why: why === null ? null : short(why, REASON_LENGTH),
    meaning: [runMeaning(run, language), ...workIn(input)].join(' '),
    standing: standingText(answer, language),
    strip: stripOf(input),
    change: changeOf(input),
    lists: [goneList(input), signalList(input), brandList(input), causeList(input)].filter(
      ({ items }) => items.length > 0,
    ),
    links: linksOf(input),
    steps: runSteps(answer, language),
    readings: comparison(answer, language),
    note,
    facts: factsOf(input),
    technical: input.audience === 'ops' ? technicalOf(answer) : null,
  };
}

/** Who has the incidents that the run brought, each said once. */
function workIn({ work, language }: MailInput): string[] {
  return [...new Set(work.flatMap((one) => workSentences(one, language)))];
}

/** Where the reader sees more; of a run that waits for somebody, where that is decided. */
function linksOf({ answer: { run, outcome }, console, language: { say } }: MailInput): Content['links'] {
  if (console === null) return [];
  const waits = outcome === 'held' || outcome === 'rejected';
  return [[say(waits ? 'mail.console.decide' : 'mail.console.run'), `${console}/runs/${run}${waits ? '#decide' : ''}`]];
}

/** What is strange is worth a look, also where all of it is live. */
function toneOf({ outcome, signals }: RunAnswer): Tone {
  const tone = outcome === null ? 'neutral' : TONES[outcome];
  return tone === 'good' && (signals?.findings.length ?? 0) > 0 ? 'warning' : tone;
}

function stripOf({ strip, language }: MailInput): ContentStrip | null {
  if (strip.length === 0) return null;
  const counts = [...Map.groupBy(strip, ({ outcome }) => outcome)].map(
    ([outcome, of]) => `${outcomeWord(outcome, language)} ${language.number(of.length)}`,
  );
  const text = `${language.say('strip.title', { count: strip.length })}: ${counts.join(', ')}`;
  return { outcomes: strip.map(({ outcome }: RecentDelivery) => outcome), text };
}

function changeOf({ answer: { diff }, change, language }: MailInput): ContentChange | null {
  const shown = diff ?? change;
  if (shown === null) return null;
  const { before, added, removed } = shown;
  return {
    heading: language.say(diff === null ? 'report.change.title' : 'report.change.held'),
    sentence: changeHeadline(shown, language),
    bar: { kept: Math.max(0, before - removed), added, removed },
  };
}

function brandList({ answer: { diff }, change, demand, language }: MailInput): ContentList {
  const shown = diff ?? change;
  if (shown === null || shown.added + shown.removed + shown.changed === 0)
    return { heading: '', items: [], more: null };
  const { brands, more } = changeBrands(inDemand(shown, demand, diff === null), BRANDS, language);
  const items = brands.map(({ head, examples }) => ({
    head: short(head, TEXT_LENGTH),
    // Of what is live already, why rows are missing matters more; the report has examples of all.
    details: examples.slice(0, EXAMPLES).map((text) => short(text, TEXT_LENGTH)),
  }));
  return { heading: language.say('report.change.brands'), items, more };
}

/** The same with the parts of each brand that are most looked for before others; of what is live only those that are gone and looked for. */
function inDemand(
  { brands, moreBrands }: RowsDiff,
  demand: Demand,
  isLive: boolean,
): Pick<RowsDiff, 'brands' | 'moreBrands'> {
  const ordered = brands.map(({ brand, examples, ...counts }) => {
    const shown = isLive
      ? examples.filter(({ change, oem }) => change === 'removed' && demand.of({ brand, oem }) !== null)
      : examples;
    return Object.assign(counts, { brand, examples: byDemand(shown, demand, ({ oem }) => ({ brand, oem })) });
  });
  return { brands: ordered, moreBrands };
}

/** Live parts that a held delivery lacks, with what stands in their place. */
function goneList({ answer: { partsGone }, demand, language: { say } }: MailInput): ContentList {
  const pairs = byDemand(partsGone?.examples ?? [], demand, ({ before }) => before);
  const items = pairs.map((pair) => ({ head: short(pairText(pair), TEXT_LENGTH), details: [] }));
  return { heading: say('report.gone.title'), items, more: null };
}

/** What is strange about a delivery although it is valid; without items when nothing is. */
function signalList({ answer: { signals }, language }: MailInput): ContentList {
  const found = signals === null ? [] : strangeFindings(signals, language);
  const items = found.map(({ sentence, examples }) => ({
    head: `${sentence}.`,
    details: examples.map((text) => short(text, TEXT_LENGTH)),
  }));
  return { heading: language.say('report.signals.title'), items, more: null };
}

/** What costs rows or may cost sales; what was only put right is in the report. */
function causeList({ causes: all, language, answer }: MailInput): ContentList {
  const causes = all.filter(({ severity }) => severity !== 'info');
  const { say } = language;
  const more = causes.length - CAUSES;
  const unreadable = answer.unreadable.length === 0 ? null : say('report.causes.unreadable');
  const rest = more > 0 ? say('report.causes.more', { count: more }) : null;
  return {
    heading: say('report.causes.title'),
    items: causes.slice(0, CAUSES).map((cause) => causeItem(cause, answer.outcome, language)),
    more: [rest, unreadable].filter((text) => text !== null).join('. ') || null,
  };
}

function causeItem(cause: RowCause, outcome: Outcome | null, language: Language): ContentList['items'][number] {
  const { say, number } = language;
  const { rows, brands, moreBrands, examples, severity } = cause;
  const isOther = cause.code === null && cause.text === null;
  const title = isOther ? say('report.causes.other') : causeTitle(cause, language);
  const isLive = rows > 0 && (outcome === 'live' || outcome === 'partial');
  const count = rows === 0 ? say('report.causes.file') : say('report.causes.rows', { count: rows });
  const named = brands.map(({ brand, rows: of }) => `${short(brand)} ${number(of)}`).join(', ');
  const others = moreBrands > 0 ? ` ${say('report.causes.moreBrands', { count: moreBrands })}` : '';
  const first = (rows === 0 ? [] : examples)
    .slice(0, EXAMPLES)
    .map((example) => exampleText(example, language))
    .filter((text) => text !== '');
  return {
    head: `${count}: ${short(title, TEXT_LENGTH)}`,
    details: [
      ...(severity === 'warning' && isLive ? [say('report.causes.doubtful')] : []),
      ...(brands.length === 0 ? [] : [`${say('report.causes.brands')} ${named}${others}`]),
      ...(first.length === 0 ? [] : [say('mail.examples', { examples: first.join('; ') })]),
      causeRemedy(cause, language),
    ],
  };
}

function exampleText({ file, sheet, line, brand, oem, value, demand }: CauseExample, language: Language): string {
  const { say } = language;
  const facts = { line: String(line), sheet: short(sheet ?? '') };
  const said = line === null ? '' : say(sheet === null ? 'report.place.line' : 'report.place.sheet', facts);
  const place = line === null || file === undefined ? said : inFile(short(file), said);
  const part = [brand, oem].flatMap((text) => (text === null || text === '' ? [] : [short(text)])).join(' ');
  const shown = value === null || value === '' ? '' : say('quoted', { text: short(value) });
  return [place, part, shown, demandWord(demand ?? null, language) ?? ''].filter((text) => text !== '').join(', ');
}

function comparison({ readings }: RunAnswer, language: Language): Content['readings'] {
  const rows = (readings[0]?.rows ?? []).map(({ line }, at) => ({
    place: readingPlace(line, language),
    texts: readings.map((reading) => short(reading.rows[at]?.cells.join(' | ') ?? '', TEXT_LENGTH)),
  }));
  return { names: readings.map((reading) => readingText(reading, language)), rows };
}

/** The file and the account; a mail has no room for the sums on the way. */
function factsOf({ answer, language }: MailInput): [string, string][] {
  const { delivery, finishedAt, createdAt } = answer;
  const lines = accountRows(answer, language);
  const changes = changesText(answer, language);
  const shown = lines.filter(({ kind }, at) => kind !== 'sum' || at === 0 || at === lines.length - 1);
  return [
    ...(changes === null ? [] : [[language.say('account.changes'), changes] satisfies [string, string]]),
    ...shown.map(({ kind, label, count }): [string, string] => [`${signOf(kind)}${label}`, count]),
    ...(delivery === null ? [] : [[language.say('report.delivery'), short(delivery.name)] satisfies [string, string]]),
    [language.say('mail.time'), language.moment(finishedAt ?? createdAt)],
  ];
}

function technicalOf(answer: RunAnswer): Content['technical'] {
  const { run, feed, login, outcome, cause, reason, delivery, upload } = answer;
  const facts: [string, string][] = [
    ['Run', run],
    ['Feed', feed],
    ['Login', login],
    ['Outcome', `${outcome ?? 'open'} (${cause})`],
  ];
  if (reason !== null) facts.push(['Reason', short(reason, REASON_LENGTH)]);
  if (delivery !== null) facts.push(['SHA-256', delivery.sha256]);
  if (upload !== null && upload.offerId !== null) facts.push(['Offer id', upload.offerId]);
  return { facts, commands: adviceOn(answer).steps };
}

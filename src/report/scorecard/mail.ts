import { estimateText } from '../../wording/managers/estimate-words.ts';
import { heading1, heading2, mailPage, SMALL, TEXT, WIDE } from '../../notify/html/frame.ts';
import { addressed, type Envelope, type Mail } from '../../notify/mail.ts';
import { subjectLine } from '../../notify/subject.ts';
import { html, type Html } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';
import { printable, printableText } from '../../wording/printable.ts';
import { scorecardCsv } from './csv.ts';
import type { ScorecardInput } from './input.ts';
import type { Score } from './measure.ts';
import { asListed, MEASURES, overallText, recoveryText, shareText, trendText } from './words.ts';

/** Suppliers in the mail, of 100 kB at the most; the CSV has all. */
const SHOWN = 60;
const NAME_LENGTH = 60;
const DEFINED = [...MEASURES, 'recovery', 'known', 'overall', 'trend'] as const;

/** The mail to one manager about how the suppliers delivered in a month, with the CSV. `day`: the day that it belongs to. */
export function buildScorecardMail(scored: ScorecardInput, day: string, envelope: Envelope): Mail {
  const { from, to, language, sandbox } = scored;
  const input = { ...scored, scores: asListed(scored.scores, language) };
  const title = language.say('score.title', { from: language.day(from), to: language.day(to) });
  const csv = { contentType: 'text/csv; charset=utf-8', content: Buffer.from(scorecardCsv(input)), note: null };
  return {
    ...addressed(`monthly-${day}`, envelope, { 'X-Offerline-Digest': 'monthly', 'X-Offerline-Day': day }),
    subject: subjectLine({ sandbox, title }),
    text: textOf(input, title),
    html: htmlOf(input, title),
    attachments: [{ filename: `scorecard-${day}.csv`, ...csv }],
    withoutAttachments: () => {
      const note = language.say('mail.note.refused-size');
      return { text: textOf(input, title, note), html: htmlOf(input, title, note) };
    },
  };
}

function textOf({ scores, language, sandbox }: ScorecardInput, title: string, note: string | null = null): string {
  const { say } = language;
  const lines = scores
    .slice(0, SHOWN)
    .flatMap((score) => [`- ${headOf(score, language)}`, `  ${factsOf(score, language)}`]);
  const blocks = [
    ...(sandbox ? [say('report.sandbox')] : []),
    `${title}\n${say('score.lead', { count: scores.length })}`,
    [...lines, ...moreOf(scores, language)].join('\n'),
    ...(note === null ? [] : [note]),
    DEFINED.map((key) => `${say(`score.${key}`)}: ${say(`score.definition.${key}`)}`).join('\n'),
  ];
  return `${printableText(blocks.join('\n\n'))}\n`;
}

function htmlOf({ scores, language, sandbox }: ScorecardInput, title: string, note: string | null = null): string {
  const { say } = language;
  const lead = say('score.lead', { count: scores.length });
  return mailPage({
    language: language.name,
    title,
    color: '#5b6470',
    sandbox: sandbox ? say('report.sandbox') : null,
    preheader: scores
      .slice(0, 3)
      .map((score) => headOf(score, language))
      .join(' · '),
    body: [
      heading1(title),
      small(lead),
      html`<table ${WIDE}>
        ${scores.slice(0, SHOWN).map((score) => line(score, language))}
      </table>`,
      moreOf(scores, language).map(small),
      note === null ? '' : small(note),
      heading2(say('score.definitions')),
      DEFINED.map((key) => small(`${say(`score.${key}`)}: ${say(`score.definition.${key}`)}`)),
    ],
  });
}

function line(score: Score, language: Language): Html {
  return html`<tr>
    <td class="text rule" style="${TEXT}padding:8px 0;border-top:1px solid #d9dde3;word-break:break-word;">
      <b><bdi>${headOf(score, language)}</bdi></b
      ><br /><span class="small" style="${SMALL}">${factsOf(score, language)}</span>
    </td>
  </tr>`;
}

function small(text: string): Html {
  return html`<p class="small" style="${SMALL}margin:0 0 10px 0;">${text}</p>`;
}

/** `1. Rhein GmbH: 93.5% (▲ +2.1 points)` */
function headOf(score: Score, language: Language): string {
  const { rank, name, trend } = score;
  const shown = printable(name).slice(0, NAME_LENGTH).toWellFormed();
  const place = rank === null ? '' : `${language.number(rank)}. `;
  const change = trend === null ? '' : ` (${language.say('score.points', { points: trendText(trend, language) })})`;
  return `${place}${shown}: ${overallText(score, language)}${change}`;
}

function factsOf(score: Score, language: Language): string {
  const { say, number } = language;
  const shares = MEASURES.map((key) => `${say(`score.${key}`)} ${shareText(score.measures[key].share, language)}`);
  const recovery = `${say('score.recovery')} ${recoveryText(score, language)}`;
  const known = score.known === null ? [] : [`${say('score.known')} ${estimateText(score.known, language)}`];
  return [...shares, recovery, ...known, `${say('score.deliveries')} ${number(score.deliveries)}`].join(' · ');
}

function moreOf(scores: Score[], { say }: Language): string[] {
  const more = scores.length - SHOWN;
  return more > 0 ? [say('score.moreRuns', { count: more })] : [];
}

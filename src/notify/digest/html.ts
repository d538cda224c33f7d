import { html, type Html, type Part } from '../../wording/html.ts';
import { bar, heading1, heading2, mailPage, SMALL, TEXT, WIDE } from '../html/frame.ts';
import type { DigestContent, DigestLine } from './content.ts';

const COLORS = { good: '#1f8a55', bad: '#c22f2f', rest: '#c9ced6' };

/** A digest as HTML; it loads nothing. */
export function digestHtml(content: DigestContent): string {
  const { language, sentence, sandbox, needsAttention, groups, runs } = content;
  const worst = groups[0]?.lines.slice(0, 3).map(({ name, live }) => `${name}: ${live}`) ?? [];
  return mailPage({
    language,
    title: sentence,
    color: needsAttention ? COLORS.bad : COLORS.good,
    sandbox,
    preheader: [...worst, runs].join(' · '),
    body: body(content),
  });
}

function body({ sentence, asOf, groups, more, legend, incidents, runs, link, technical }: DigestContent): Part {
  return [
    heading1(sentence),
    paragraph(asOf),
    groups.map(({ heading, lines }) => [
      heading2(heading),
      html`<table ${WIDE}>
        ${lines.map(line)}
      </table>`,
    ]),
    more !== null && html`<p class="text" style="${TEXT}margin:10px 0 0 0;">${more}</p>`,
    legend !== null && html`<p class="small" style="${SMALL}margin:10px 0 0 0;">${legend.colors}</p>`,
    heading2(incidents.heading),
    incidents.items.map(
      ({ head, detail }) =>
        html`<p class="text" style="${TEXT}margin:0 0 10px 0;">
          <b>${head}</b><br /><span class="small" style="${SMALL}">${detail}</span>
        </p>`,
    ),
    incidents.more !== null && paragraph(incidents.more),
    html`<p class="small rule" style="${SMALL}margin:22px 0 0 0;padding:12px 0 0 0;border-top:1px solid #d9dde3;">
      ${runs}
    </p>`,
    link !== null && paragraph(html`<a href="${link[1]}">${link[0]}</a>`),
    technical !== null && [
      heading2(technical.heading),
      technical.facts.map(([place, text]) => paragraph(html`<b>${place}</b> <bdi>${text}</bdi>`)),
      paragraph(html`<code>${technical.command}</code>`),
    ],
  ];
}

function paragraph(text: Part): Html {
  return html`<p class="small" style="${SMALL}margin:0 0 12px 0;">${text}</p>`;
}

/** On a small screen the name and the number stay beside each other, and the facts below have the whole width. */
function line({ name, live, why, link, facts, bar: shares }: DigestLine): Html {
  const shown = html`<b>${live}</b>`;
  return html`<tr>
      <td
        class="text rule"
        valign="top"
        style="${TEXT}padding:8px 12px 0 0;border-top:1px solid #d9dde3;word-break:break-word;"
      >
        ${name}
      </td>
      <td class="text rule" valign="top" align="right" style="${TEXT}padding:8px 0 0 0;border-top:1px solid #d9dde3;">
        ${shown}
      </td>
    </tr>
    ${
      why !== null &&
      html`<tr>
        <td class="text" colspan="2" style="${TEXT}padding:2px 0 4px 0;word-break:break-word;">
          <b>${why.cause}</b>${why.step !== null && ` ${why.step}`}${
            link !== null && html` <a href="${link[1]}">${link[0]}</a>`
          }
        </td>
      </tr>`
    }
    <tr>
      <td class="small" colspan="2" style="${SMALL}padding:2px 0 8px 0;">
        ${shares !== null && drawBar(shares)}${facts.join(' · ')}
      </td>
    </tr>`;
}

/** Cells of whole per cent; what there is some of can be seen. */
function drawBar({ live, rejected }: NonNullable<DigestLine['bar']>): Html {
  const lost = rejected === 0 ? 0 : Math.max(1, Math.round(rejected * 100));
  const online = Math.min(100 - lost, Math.round(live * 100));
  return bar([
    { color: COLORS.good, share: online },
    { color: COLORS.bad, share: lost },
    { color: COLORS.rest, share: 100 - online - lost },
  ]);
}

/** The style of the report page: light and dark, phone and paper, no font or picture from elsewhere. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #fff; --sheet: #f5f6f8; --ink: #1b1f24; --soft: #545d69; --line: #d9dde3;
  --live: #1a7446; --warn: #8a5200; --bad: #b32626; --calm: #545d69;
  --rejected-here: #d97a1d; --rejected-there: #c22f2f; --duplicate: #8a94a3; --outranked: #5a7fb5; --unexplained: #a03bbd; --undecided: #c9a227; --rows: #b9c2ce;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --sheet: #1d2126; --ink: #e7eaee; --soft: #a3adba; --line: #333a43;
    --live: #4cc38a; --warn: #e0a030; --bad: #f58080; --calm: #a3adba;
    --rejected-here: #e8963f; --rejected-there: #f07070; --duplicate: #8a94a3; --outranked: #7ea2d8; --unexplained: #cf7be6; --undecided: #d8b64a; --rows: #4d5764;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
main, .top, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
.stamp { margin: 0; padding: .45rem 1.25rem; background: #ffd54a; color: #3a2c00; text-align: center; font-weight: 700; letter-spacing: .04em; }
.top { padding-top: 1.75rem; overflow-wrap: anywhere; }
.whose { margin: 0; color: var(--soft); }
h1 { margin: .25rem 0 .5rem; font-size: clamp(1.35rem, 4.5vw, 2rem); line-height: 1.25; text-wrap: balance; overflow-wrap: anywhere; }
h2 { margin: 2.25rem 0 .75rem; font-size: 1.2rem; } h3 { margin: 0 0 .35rem; font-size: 1rem; overflow-wrap: anywhere; }
main p { margin: .5rem 0; max-width: 46rem; overflow-wrap: anywhere; }
.badge { display: inline-block; padding: .1rem .7rem; border-radius: 1rem; color: var(--ground); background: var(--calm); font-size: .85rem; font-weight: 700; }
.badge.live { background: var(--live); } .badge.partial, .badge.held { background: var(--warn); } .badge.rejected, .badge.failed { background: var(--bad); }
.lead { margin: 0 0 .5rem; font-size: 1.06rem; max-width: 46rem; }
.reason { margin: .75rem 0; padding: .6rem .9rem; border-left: 4px solid var(--calm); background: var(--sheet); max-width: 46rem; } .reason bdi { white-space: pre-line; }
.reason.rejected, .reason.failed { border-color: var(--bad); } .reason.held, .reason.partial { border-color: var(--warn); }
.standing { margin: 0 0 1rem; padding: .6rem .9rem; background: var(--sheet); border-radius: 6px; max-width: 46rem; overflow-wrap: anywhere; }
.standing div { display: flex; flex-wrap: wrap; gap: 0 .5rem; } .standing dt { font-weight: 600; } .standing dd { margin: 0; }
.steps { margin: .5rem 0 0; padding-left: 1.3rem; max-width: 46rem; } .steps li { margin: .3rem 0; overflow-wrap: anywhere; }
.signals { margin: 0; padding-left: 1.2rem; max-width: 46rem; overflow-wrap: anywhere; } .signals li { margin: .4rem 0; }
code { font: .9em ui-monospace, "SF Mono", Consolas, "Liberation Mono", monospace; background: var(--sheet); padding: .05em .3em; border-radius: 4px; overflow-wrap: anywhere; }
figure { margin: .75rem 0; } figcaption { margin-top: .4rem; font-size: .9rem; color: var(--soft); }
.key { display: inline-block; margin-right: .9rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.strip ol { display: flex; flex-wrap: wrap; gap: 3px; margin: 0; padding: 0; list-style: none; }
.strip li, .strip i { position: relative; display: inline-flex; align-items: center; justify-content: center; width: 1.55rem; height: 1.9rem; border-radius: 3px; color: var(--ground); background: var(--calm); font: 700 .85rem/1 system-ui, sans-serif; }
.strip i { width: 1.25rem; height: 1.25rem; }
.strip .live { background: var(--live); } .strip .partial, .strip .held { background: var(--warn); } .strip .rejected, .strip .failed { background: var(--bad); }
.strip .this { outline: 2px solid var(--ink); outline-offset: 1px; }
.change svg { display: block; width: 100%; height: 3.4rem; }
.same { fill: var(--rows); } .changed { fill: var(--outranked); } .removed { fill: var(--rejected-there); } .added { fill: var(--live); }
.flow ol { display: flex; margin: 0 0 .4rem; padding: 0; list-style: none; color: var(--soft); font-size: .85rem; }
.flow li b { display: block; color: var(--ink); font-size: 1.15rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.flow li { flex: 1 1 0; min-width: 0; padding-right: .5rem; overflow-wrap: anywhere; } .flow li:last-child { flex: 0 1 auto; text-align: right; padding: 0; }
.flow svg { display: block; width: 100%; height: 11rem; }
.live { fill: var(--live); } .rejected-here { fill: var(--rejected-here); } .rejected-there { fill: var(--rejected-there); }
.duplicate { fill: var(--duplicate); } .outranked { fill: var(--outranked); } .unexplained { fill: var(--unexplained); } .undecided { fill: var(--undecided); } .rows { fill: var(--rows); }
.band { opacity: .38; }
.swatch { display: inline-block; width: .75em; height: .75em; margin-right: .5em; border-radius: 2px; }
.swatch.live, .swatch.added { background: var(--live); } .swatch.rejected-here { background: var(--rejected-here); } .swatch.rejected-there, .swatch.removed { background: var(--rejected-there); }
.swatch.duplicate { background: var(--duplicate); } .swatch.outranked, .swatch.changed { background: var(--outranked); } .swatch.unexplained { background: var(--unexplained); } .swatch.undecided { background: var(--undecided); } .swatch.same { background: var(--rows); }
.cause { margin: .75rem 0; padding: .8rem 1rem; border: 1px solid var(--line); border-left: 4px solid var(--bad); border-radius: 6px; } .cause.warning { border-left-color: var(--warn); } .cause.info { border-left-color: var(--line); }
.cause .count { white-space: nowrap; } .cause .count::after { content: " ·"; } .cause .note { margin: 0 0 .4rem; } .brand { overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { padding: .4rem .7rem .4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: break-word; }
thead th { color: var(--soft); font-weight: 600; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.cause td:first-child { min-width: 6.5rem; } .wide { overflow-x: auto; } .wide.short table { width: auto; min-width: min(24rem, 100%); }
.account { width: auto; min-width: min(24rem, 100%); margin-top: .9rem; }
.account th { font-weight: 400; padding-left: 1.1rem; } .account .sum th { font-weight: 600; padding-left: 0; }
.account td { text-align: right; font-variant-numeric: tabular-nums; padding-right: 0; } .account .sum td { font-weight: 600; }
details { border: 1px solid var(--line); border-radius: 8px; margin: .6rem 0; background: var(--ground); }
summary { padding: .6rem .9rem; cursor: pointer; display: flex; gap: .6rem; align-items: baseline; } summary h2 { margin: 0; font-size: 1.05rem; }
summary::before { content: "▸"; color: var(--soft); } details[open] > summary::before { content: "▾"; } summary::-webkit-details-marker { display: none; }
details > div { padding: 0 .9rem .8rem; } details h3 { margin-top: 1.2rem; } section:not(.folded) + .folded { margin-top: 2rem; }
.mark { font-size: .8rem; font-weight: 600; } .mark.ok { color: var(--live); } .mark.failed { color: var(--bad); } .mark.unavailable { color: var(--soft); }
.value { font-family: ui-monospace, "SF Mono", Consolas, "Liberation Mono", monospace; font-size: .88em; background: var(--sheet); border-radius: 3px; padding: .05em .3em; white-space: pre-wrap; overflow-wrap: anywhere; }
.none { color: var(--soft); } .lines { white-space: pre-line; } .paper { display: none; }
.note { color: var(--soft); font-size: .9rem; margin: .5rem 0 0; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.2rem; margin: 0; font-size: .92rem; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; overflow-wrap: anywhere; }
footer { margin-top: 2.5rem; padding-bottom: 2rem; color: var(--soft); font-size: .85rem; }
@media (max-width: 32rem) { .facts { grid-template-columns: 1fr; gap: 0; } .facts dd { margin-bottom: .5rem; } .flow svg { height: 8.5rem; }
  .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .cards table, .cards tbody { display: block; } .cards tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  .cards td, .cards td.number { display: grid; grid-template-columns: 6.5rem 1fr; padding: .08rem 0; border: 0; text-align: left; white-space: normal; overflow-wrap: anywhere; }
  .cards td::before { content: attr(data-head); color: var(--soft); }
  .numbers tr { display: grid; grid-template-columns: repeat(5, auto); gap: 0 .4rem; } .numbers td:first-child { grid-column: 1 / -1; font-weight: 600; } .numbers td:first-child::before { content: none; }
  .numbers td.number { display: block; } .numbers td.number::before { display: block; font-size: .7rem; }
}
@page { size: A4; margin: 14mm 15mm; }
@media print {
  :root { font-size: 9.5pt; color-scheme: light; --ground: #fff; --sheet: #f3f3f3; --ink: #000; --soft: #444; --line: #bbb;
    --live: #1a7446; --warn: #8a5200; --bad: #a32020; --calm: #555; --rejected-here: #d97a1d; --rejected-there: #c22f2f; --duplicate: #8a94a3; --outranked: #5a7fb5; --unexplained: #a03bbd; --undecided: #c9a227; --rows: #b9c2ce; }
  body { line-height: 1.35; } h1 { font-size: 16pt; } h2 { margin: 1.2rem 0 .5rem; font-size: 12pt; } main, .top, footer { max-width: none; padding: 0; } .top { padding-top: 0; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  h2, h3 { break-after: avoid; } tr, figure, .cause, .standing, .reason, .signals li, .steps li { break-inside: avoid; } thead { display: table-header-group; }
  main p, .lead, .reason, .standing, .steps, .signals { max-width: none; } th, td, td.number { white-space: normal; overflow-wrap: anywhere; padding: .2rem .6rem .2rem 0; } th:first-child, td:first-child { overflow-wrap: break-word; }
  .folded, .screen, footer { display: none; } .paper { display: block; } .cause { margin: .4rem 0; padding: .4rem .8rem; }
  .wide { overflow: visible; } .strip li { width: 4.6mm; height: 6mm; } .change svg { height: 1.2cm; } .signals div { display: none; }
}
`.trim();

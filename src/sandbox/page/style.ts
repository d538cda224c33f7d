/** How the page looks; a file of its own, so that its content security policy forbids everything inline. */
export const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif;
  --ink: light-dark(#1c2430, #e6e9ee); --soft: light-dark(#5a6472, #a3adba); --line: light-dark(#d9dee5, #333c48);
  --page: light-dark(#f6f7f9, #12161c); --card: light-dark(#fff, #1a2028); --link: light-dark(#0b57b8, #83b7ff); }
* { box-sizing: border-box; }
body { max-width: 70rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; color: var(--ink); background: var(--page); }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 0 0 .6rem; } h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
p { margin: .3rem 0; overflow-wrap: anywhere; } a { color: var(--link); } .quiet { color: var(--soft); font-weight: normal; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem; margin-top: 1rem; }
form { display: flex; flex-wrap: wrap; gap: .5rem; }
input, select, button { font: inherit; padding: .4rem .6rem; border: 1px solid var(--soft); border-radius: .4rem; background: var(--page); color: inherit; }
input { flex: 1 1 14rem; min-width: 0; } select { max-width: 100%; }
button { background: var(--link); border-color: var(--link); color: var(--card); font-weight: 600; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-weight: 600; } td.text, td.short { overflow-wrap: anywhere; min-width: 10rem; } td.short { min-width: 5rem; } .number { text-align: right; font-variant-numeric: tabular-nums; }
.whole { white-space: nowrap; } .state { padding: 0 .45rem; border-radius: .6rem; white-space: nowrap; background: light-dark(#e8ebf0, #333c48); }
.state.success { background: light-dark(#d3efda, #17452a); } .state.failed, .state.aborted { background: #a52222; color: #fff; }
.state.queued, .state.processing { background: light-dark(#fbeab5, #574411); }
code, pre { font: 13px/1.5 ui-monospace, monospace; }
pre { margin: .2rem 0 .8rem; padding: .5rem .7rem; white-space: pre-wrap; overflow-wrap: anywhere; user-select: all; background: var(--page); border: 1px solid var(--line); border-radius: .4rem; }
ul { columns: 24rem; padding-left: 1.2rem; margin: 0; } li { overflow-wrap: anywhere; }
`;

/** Replaces the uploads by fresh ones every second, as long as the page is in view; without it the page is as it was read. */
export const SCRIPT = `
setInterval(async () => {
  if (document.hidden) return;
  const line = document.getElementById('connection');
  try {
    const reply = await fetch('/');
    if (!reply.ok) throw new Error(reply.status);
    const fresh = new DOMParser().parseFromString(await reply.text(), 'text/html');
    document.querySelector('main').replaceWith(fresh.querySelector('main'));
    line.textContent = '';
  } catch {
    line.textContent = 'The sandbox does not answer; what you see is old.';
  }
}, 1000);
`;

import type { LoginState } from '../../jobs/standing/login-state.ts';
import { printable } from '../../wording/printable.ts';
import { showTime } from '../../wording/words.ts';
import { fittingWidths, fitText, terminalColumns } from '../fit.ts';
import { table } from '../table.ts';

const HEAD = ['login', 'live rows', 'upload', 'live since (UTC)', 'open upload', 'feeds waiting'];

/** The columns that a narrow terminal has room for, whole; what the others say stands in lines below. */
const SHORT = 4;

/** The state of each login for people: a table, then what there is to know beside it. No line but a long word is wider than `columns`. */
export function describeLogins(states: readonly LoginState[], columns: number | undefined = terminalColumns()): string {
  const rows = states.map((state) => [nameWithFlags(state), ...liveCells(state), openText(state), waitingText(state)]);
  const isNarrow = columns !== undefined && fittingWidths([HEAD, ...rows], columns) !== undefined;
  const shown = isNarrow
    ? table(
        HEAD.slice(0, SHORT),
        states.map((state) => [state.login, ...liveCells(state)]),
        { ...NUMERIC, columns },
      )
    : table(HEAD, rows, { ...NUMERIC, columns });
  const lines = [...(isNarrow ? states.flatMap(besideTable) : []), ...states.flatMap(standingLines)];
  const notes = states.flatMap(({ notes: all }) => all.map((note) => `\n${printable(note)}`));
  return [shown, ...[...lines.map(printable), ...notes].map((text) => fitText(text, { columns }))].join('\n');
}

const NUMERIC = { numeric: ['live rows'] };

function nameWithFlags(state: LoginState): string {
  return [state.login, ...flags(state).map((flag) => `(${flag})`)].join(' ');
}

function flags({ paused, denied, foreign, frozen }: LoginState): string[] {
  return [
    ...(paused === null ? [] : ['PAUSED']),
    ...(denied === null ? [] : ['CREDENTIALS REJECTED']),
    ...(foreign ? ['FOREIGN UPLOAD IS LIVE'] : []),
    ...(frozen.length === 0 ? [] : ['ROLLED BACK, FROZEN']),
  ];
}

function liveCells({ live, doubt, unproved }: LoginState): string[] {
  const newer = unproved === null ? [] : [`${unproved} (not verified)`];
  if (live === null) return ['nothing', newer.join(), ''];
  const upload = `${live.offerId ?? ''}${live.baseline ? ' (baseline)' : ''}`;
  const uploads = [upload, ...newer].filter(Boolean).join('; ');
  return [`${live.rows}${doubt === null ? '' : ' ?'}`, uploads, showTime(live.since)];
}

function openText({ open }: LoginState): string {
  return open === null ? '' : `${open.upload} ${open.state}${open.note === null ? '' : `: ${open.note}`}`;
}

function waitingText({ waiting }: LoginState): string {
  return waiting.join(', ');
}

function besideTable(state: LoginState): string[] {
  const said = [
    flags(state).join(', '),
    state.open === null ? '' : `open upload ${openText(state)}`,
    state.waiting.length === 0 ? '' : `feeds waiting: ${waitingText(state)}`,
  ];
  return said.filter(Boolean).map((text) => `${state.login}: ${text}`);
}

function standingLines({ login, standing }: LoginState): string[] {
  return standing.map(({ feed, since, last }) => {
    const end = last.outcome === 'failed' ? 'failed' : `was ${last.outcome}`;
    return `${login}: ${feed} has not moved since ${showTime(since)}; its last delivery ${end} (run ${last.id}).`;
  });
}

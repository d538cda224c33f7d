import { cpus } from 'node:os';
import type { Counts, Size } from './installation.ts';

/** What was measured with so many workers: while everything was delivered at once, and afterwards at rest. */
export type Taken = {
  size: Size;
  runs: number;
  uploads: number;
  /** From the deliveries to the end of the last run. */
  seconds: number;
  /** Runs that ended in a minute, of the middle eight tenths. */
  perMinute: number;
  rest: number;
  load: Counts;
  idle: Counts;
};

/** What a day of so many feeds is, on paper; so large a part of it comes in the busiest hour. */
const FEEDS_OF_A_DAY = 100_000;
const BUSIEST_HOUR = 0.15;
const SERVERS = ['postgres', 'redis', 'service'] as const;
const MB = 1_000_000;

/** The page of results. */
export function page(taken: Taken[]): string {
  const [first] = taken as [Taken];
  const { logins, feeds, rows, share } = first.size;
  return [
    '# Several machines\n',
    `\`${command()}\`: ${logins} logins × ${feeds} feeds of ${rows} rows, all delivered at once, those of a login one after another; the service (the sandbox) takes 5 s for an upload. Each worker is a process with a home of`,
    `its own and ${percent(share)} of one processor, by a control group, on the second of ${cpus().length} × ${cpus()[0]?.model.trim()}; the servers have the first: what grows is what workers add. Each has done some work before. The rate is that of the middle eight tenths of the runs: the last ones wait for the service and for the other feeds of their login (20 s), however many workers there are.`,
    `Postgres and Redis are real; the store of objects is the double of the tests, which costs less than a real one. Node ${process.versions.node}.\n`,
    '| workers | s | runs per minute | to one | s of processor: workers | Postgres | Redis | the service |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...taken.map((one) => rateLine(one, first)),
    '\nFor each run:\n',
    '| workers | statements | queue operations | requests to the store | kB: Postgres | Redis | store | service | uploads |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...taken.map(runLine),
    `\nAt rest, for ${first.rest} s after all was live, per minute:\n`,
    '| workers | statements | queue operations | requests to the store | kB: Postgres | Redis | store | service |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...taken.map(restLine),
    '',
    ...paper(taken.at(-1)!),
    '',
  ].join('\n');
}

/** The command as it was given. */
function command(): string {
  const names = ['LOGINS', 'FEEDS', 'ROWS', 'WORKERS', 'SHARE', 'REST'];
  const given = names.flatMap((name) => (process.env[name] === undefined ? [] : [`${name}=${process.env[name]}`]));
  return [...given, 'npm run bench:machines'].join(' ');
}

function rateLine(one: Taken, first: Taken): string {
  const { seconds, load } = one;
  const used = [load.seconds.workers, ...SERVERS.map((name) => load.seconds[name])].map((value) => value.toFixed(1));
  const ratio = (one.perMinute / first.perMinute).toFixed(2);
  return row(one.size.workers, seconds.toFixed(0), one.perMinute.toFixed(0), `${ratio} ×`, ...used);
}

function runLine({ size, runs, uploads, load }: Taken): string {
  const counts = [load.statements, load.operations, load.requests].map((count) => (count / runs).toFixed(0));
  return row(size.workers, ...counts, ...kilobytes(load, runs), (uploads / runs).toFixed(2));
}

function restLine({ size, rest, idle }: Taken): string {
  const minutes = rest / 60;
  const counts = [idle.statements, idle.operations, idle.requests].map((count) => (count / minutes).toFixed(0));
  return row(size.workers, ...counts, ...kilobytes(idle, minutes));
}

function kilobytes({ bytes }: Counts, by: number): string[] {
  return [bytes.postgres, bytes.redis, bytes.store, bytes.service].map((count) => (count / by / 1000).toFixed(0));
}

/** What a day needs, from what a run takes; the part that fills its one processor first is named. */
function paper({ size, runs, rest, load, idle }: Taken): string[] {
  const each = (count: number) => count / runs;
  const perSecond = (FEEDS_OF_A_DAY * BUSIEST_HOUR) / 3600;
  const times = FEEDS_OF_A_DAY / runs;
  const resting = (count: number) => (count / rest) * times;
  const busy = (name: (typeof SERVERS)[number] | 'workers') => {
    // What workers do at rest grows with the logins, not with the workers.
    return each(load.seconds[name]) * perSecond + resting(idle.seconds[name]) / (name === 'workers' ? size.workers : 1);
  };
  // The sandbox stands for a service of somebody else's.
  const [first, second] = [busy('postgres'), busy('redis')];
  const gives =
    first > second
      ? `Postgres gives first: it takes ${first.toFixed(1)}`
      : `Redis gives first: it takes ${second.toFixed(1)}`;
  const lines: [string, string][] = [
    ['runs per second in the busiest hour', perSecond.toFixed(1)],
    ['processors for the workers', busy('workers').toFixed(1)],
    ['processors for Postgres', busy('postgres').toFixed(2)],
    ['processors for Redis, which has one', busy('redis').toFixed(2)],
    ['statements per second', (each(load.statements) * perSecond + resting(idle.statements)).toFixed(0)],
    ['queue operations per second', (each(load.operations) * perSecond + resting(idle.operations)).toFixed(0)],
    ['requests to the store per second', (each(load.requests) * perSecond + resting(idle.requests)).toFixed(0)],
    ['requests to the store a day, millions', ((each(load.requests) * FEEDS_OF_A_DAY) / 1e6).toFixed(1)],
    [
      'GB a day over the network, with files of this size',
      ((each(sum(Object.values(load.bytes))) * FEEDS_OF_A_DAY) / MB / 1000).toFixed(1),
    ],
  ];
  return [
    `## On paper: ${FEEDS_OF_A_DAY.toLocaleString('en')} feeds a day\n`,
    `From the figures with ${size.workers} workers, ${percent(BUSIEST_HOUR)} of the day in its busiest hour, and what is done at rest grown with the number of feeds:\n`,
    '| what | needed |',
    '| --- | --- |',
    ...lines.map(([what, needed]) => row(what, needed)),
    `\nWorkers can be added. Of what cannot, ${gives} processors.`,
  ];
}

function row(...cells: (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

function sum(values: number[]): number {
  return values.reduce((total, one) => total + one, 0);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

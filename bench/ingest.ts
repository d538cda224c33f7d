/**
 * Measures `offerline ingest` stage by stage, from the pull to the proof, with the sandbox as the service:
 * `npm run bench:ingest -- [MEGABYTES] [RUNS]` (300 and 3). Each run is a process of its own with a new home and a new service; the
 * medians go to bench/ingest-results.md from 100 MB on.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { plainly, type Plain } from './ingest/peer.ts';
import { ingest, type Ingested } from './ingest/run.ts';
import { movedBy, PROCESS } from './ingest/stages.ts';
import { median } from './read/measure.ts';
import { SHAPES, writeShape } from './read/shapes.ts';
import { startService } from './sandbox/service.ts';

const MB = 1_000_000;
const LEAST_TO_KEEP = 100;
const [megabytes = 300, runs = 3] = process.argv.slice(2).map(Number);
const temporary = fileURLToPath(new URL('./tmp', import.meta.url));
const inbox = `${temporary}/inbox`;
const delivery = `${inbox}/offers.csv`;

/** Shorter stages say nothing about bytes. */
const LEAST_SHARE = 0.01;
const TOO_MUCH = 2;

/** Why a stage takes more than twice its share, where it does. */
const REASONS: Record<string, string> = {
  start: 'loading the program, opening the ledger and starting the queue take the same time for any file',
  [PROCESS]:
    'the sandbox judges every cell of every row by its rules, on one core; offerline moves nothing meanwhile and asks after a second, then less often',
  report:
    'drawing the account, writing the report, and closing the queue and the ledger take about the same time for any file',
  search:
    'offerline waits for the index of the sandbox, a full-text index of each brand, number, name and tag that SQLite writes on one core from the moment of success on, and asks until it has the upload; it reads the dataset once to choose the rows that it asks for. A service whose index keeps up ends this stage at once. It is given up after `service.poll.index` and `service.timeout` together, 90 s by default: then the check is `unavailable`, as the line of the proof shows, and the seconds are those of the wait, not of the index',
};

type Taken = Ingested & { plain: Plain };

async function main(): Promise<void> {
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(inbox, { recursive: true });
  try {
    const [unquoted] = SHAPES;
    const rows = writeShape(delivery, unquoted!, { bytes: megabytes * MB });
    const taken: Taken[] = [];
    for (let run = 0; run < runs; run += 1) taken.push(await take(`${temporary}/run-${run}`));
    const text = report(taken, rows);
    console.log(text);
    if (megabytes >= LEAST_TO_KEEP) writeFileSync(new URL('./ingest-results.md', import.meta.url), text);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function take(folder: string): Promise<Taken> {
  mkdirSync(folder);
  const service = await startService(`${folder}/service`);
  try {
    const ingested = await ingest(folder, inbox, service);
    const plain = await plainly(delivery, ingested.answer.upload?.offerId ?? '', folder, service.url);
    for (const { name, seconds } of ingested.stages) console.error(`${name}: ${seconds.toFixed(2)} s`);
    console.error(`together ${ingested.seconds.toFixed(2)} s, ${ingested.peakMb.offerline.toFixed(0)} MB\n`);
    return { ...ingested, plain };
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(taken: Taken[], rows: number): string {
  const of = (figure: (one: Taken) => number) => median(taken.map((one) => figure(one)));
  const seconds = of((one) => one.seconds);
  const moved = of((one) => sum(one.stages.map(movedBy)));
  const tooLong: string[] = [];
  const lines = taken[0]!.stages.map(({ name }) => {
    const find = ({ stages }: Taken) => stages.find((stage) => stage.name === name)!;
    const time = of((one) => find(one).seconds / one.seconds);
    const share = of((one) => movedBy(find(one)) / sum(one.stages.map(movedBy)));
    const ratio = time < LEAST_SHARE ? null : time / share;
    if (ratio !== null && ratio > TOO_MUCH) tooLong.push(`- **${name}**: ${REASONS[name] ?? 'not explained'}.`);
    const figures = [
      of((one) => find(one).seconds).toFixed(1),
      of((one) => find(one).gap).toFixed(1),
      of((one) => find(one).moved.offerline / MB).toFixed(0),
      of((one) => find(one).moved.service / MB).toFixed(0),
      percent(share),
      percent(time),
      ratio?.toFixed(1) ?? '–',
    ];
    return `| ${[name, ...figures].join(' | ')} |`;
  });
  const [{ answer }] = taken as [Taken];
  const checks = (answer.receipt?.checks ?? []).map(({ check, result }) => `${check} ${result}`).join(', ');
  const plain = (name: keyof Plain) => of((one) => one.plain[name]).toFixed(1);
  return [
    '# From the pull to the proof\n',
    `\`npm run bench:ingest -- ${megabytes} ${runs}\`: ${megabytes} MB of a supplier’s file, ${rows.toLocaleString('en')} rows, of which ${(answer.dataset?.live ?? 0).toLocaleString('en')} become live.`,
    `\`offerline ingest --wait\` is a process of its own with a new home, the sandbox another; both share ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}; load average at the end ${loadavg()[0]!.toFixed(1)}.`,
    `${runs === 1 ? 'One run' : `Medians of ${runs} runs`}. A stage lasts until the next one begins; what comes after its end was logged is shown beside it. MB are what the processes`,
    'read and wrote during it, files and connections, as the system counts. The shares are those of the process that works: the service while it',
    'processes, else offerline; what the service does for its index in the background has no part in them. The last column is the share of the',
    'time divided by the share of the bytes, of stages that take a hundredth of the time or more.\n',
    '| stage | s | after its end, s | MB, offerline | MB, service | of the bytes | of the time | time to bytes |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
    '',
    `Together ${seconds.toFixed(1)} s and ${(moved / MB).toFixed(0)} MB; the proof: ${checks}. Peak memory: offerline ${of((one) => one.peakMb.offerline).toFixed(0)} MB, the service ${of((one) => one.peakMb.service).toFixed(0)} MB.\n`,
    ...(tooLong.length === 0 ? [] : ['Above twice their share of the bytes:\n', ...tooLong, '']),
    `Plain programs with the same bytes, in the same runs: \`cp\` and \`sha256sum\` of the delivery ${plain('copyAndHash')} s; \`curl\` of the dataset from`,
    `the service ${plain('download')} s, to the service ${plain('upload')} s, and until that is processed another ${plain('process')} s.`,
    '',
  ].join('\n');
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, one) => total + one, 0);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

await main();

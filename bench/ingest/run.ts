import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { RunAnswer } from '../../src/model.ts';
import { readUsage, stagesOf, type Mark, type Stage } from './stages.ts';

const OFFERLINE = fileURLToPath(new URL('../../bin/offerline', import.meta.url));

/** One run of `offerline ingest`, start-up included. */
export type Ingested = {
  stages: Stage[];
  seconds: number;
  /** The most memory that each process had. */
  peakMb: { offerline: number; service: number };
  answer: RunAnswer;
};

/** Ingests the file of a folder into the service from a home that does not exist yet; throws unless all of it is live. */
export async function ingest(
  folder: string,
  inbox: string,
  service: { url: string; pid: number },
  env: NodeJS.ProcessEnv = {},
): Promise<Ingested> {
  const config = `${folder}/offerline.yaml`;
  writeFileSync(config, JSON.stringify(configOf(inbox, service.url)));
  const { REDIS_URL: _redis, DATABASE_URL: _database, LOG_LEVEL: _level, ...inherited } = process.env;
  const words = { OFFERLINE_CONFIG: config, OFFERLINE_HOME: `${folder}/home`, ...env };
  const child = spawn(OFFERLINE, ['ingest', 'north', '--wait', '--json'], {
    cwd: folder,
    env: { ...inherited, ...words },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  const ended = once(child, 'close');
  const answered = text(child.stdout);
  const watch = watcher(child.pid!, service.pid);
  const marks = [watch.mark({})];
  const sampling = setInterval(watch.sample, 100);
  for await (const line of createInterface(child.stderr)) {
    said.push(line);
    if (line.startsWith('{')) marks.push(watch.mark(JSON.parse(line) as Mark['line']));
  }
  await ended;
  clearInterval(sampling);
  marks.push(watch.mark({}));
  const printed = await answered;
  if (printed === '') throw new Error(`offerline ended with status ${child.exitCode}:\n${said.join('\n')}`);
  const answer = JSON.parse(printed) as RunAnswer;
  if (child.exitCode !== 0) throw new Error(`the run is ${answer.outcome}:\n${said.join('\n')}`);
  const seconds = (marks.at(-1)!.at - marks[0]!.at) / 1000;
  return { stages: stagesOf(marks), seconds, peakMb: watch.peakMb, answer };
}

function configOf(inbox: string, baseUrl: string) {
  return {
    service: { baseUrl },
    logins: { main: { auth: { type: 'basic', user: 'main', password: 'bench' }, coalesce: '0s' } },
    feeds: { north: { login: 'main', source: { type: 'directory', path: inbox, settle: '0s' } } },
  };
}

/** Looks at both processes when there is a mark, and now and then for their memory; a process that is gone keeps its last figures. */
function watcher(offerline: number, service: number) {
  const moved = { offerline: 0, service: 0 };
  const peakMb = { offerline: 0, service: 0 };
  const sample = () => {
    for (const [name, pid] of [['offerline', offerline] as const, ['service', service] as const]) {
      const usage = readUsage(pid);
      moved[name] = Math.max(moved[name], usage.moved);
      peakMb[name] = Math.max(peakMb[name], usage.peakMb);
    }
  };
  return {
    sample,
    peakMb,
    mark: (line: Mark['line']): Mark => {
      sample();
      return { at: performance.now(), moved: { ...moved }, line };
    },
  };
}

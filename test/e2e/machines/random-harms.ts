import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Random } from '../faults/random.ts';
import { promotePostgres, promoteRedis } from './pairs.ts';
import { loseMachine, type Fleet, type Lines, type Machine } from './fleet.ts';

/** Something that befalls a fleet, and is over when this ends; says what it did to whom. */
type RandomHarm = (fleet: Fleet, random: Random) => Promise<string>;

/** Workers hold leases for 5 s: a cut is shorter or longer than that. */
const LONGEST_CUT = 12_000;
const TWO_HOURS = 7200;

/** Harms of which a history is made. */
export const RANDOM_HARMS: Record<string, RandomHarm> = {
  'machine lost': async (fleet, random) => {
    const { machine, name } = anyOf(fleet, random);
    await loseMachine(fleet, machine);
    await fleet.addMachine();
    return name;
  },
  'machine cut off': async (fleet, random) => {
    const { machine, name } = anyOf(fleet, random);
    return cut(Object.values(machine.lines), name, random);
  },
  'one server out of reach': async (fleet, random) => {
    const { machine, name } = anyOf(fleet, random);
    const servers = Object.keys(machine.lines) as (keyof Lines)[];
    const server = servers[random(servers.length)]!;
    return cut([machine.lines[server]], `${server} from ${name}`, random);
  },
  'half-open': async (fleet, random) => {
    const { machine, name } = anyOf(fleet, random);
    const servers = Object.keys(machine.lines) as (keyof Lines)[];
    const server = servers[random(servers.length)]!;
    machine.lines[server].swallow('open');
    return `${server} of ${name}`;
  },
  'Redis empty': async ({ redis }) => {
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
    return 'flushed';
  },
  'Redis restarts': async ({ redis }, random) => {
    await redis.kill9();
    const ms = random(3000);
    await sleep(ms);
    await redis.restart();
    return `after ${ms} ms`;
  },
  'Postgres restarts': async ({ postgres }, random) => {
    await postgres.kill();
    const ms = random(3000);
    await sleep(ms);
    await postgres.start();
    return `after ${ms} ms`;
  },
  'Redis fails over': async ({ redis, pairs }, random) => {
    await redis.kill9();
    const ms = random(3000);
    await sleep(ms);
    await promoteRedis(pairs!);
    return `after ${ms} ms`;
  },
  'Postgres fails over': async ({ postgres, pairs }, random) => {
    await postgres.kill();
    const ms = random(3000);
    await sleep(ms);
    await promotePostgres(pairs!);
    return `after ${ms} ms`;
  },
  'store busy': spoilStore('busy'),
  'store lies': spoilStore('lies'),
  'call lost': async ({ gate }, random) => {
    const fate = (['reset', 'refuse', 'hang'] as const)[random(3)]!;
    await Promise.race([gate.next(fate), sleep(5000)]);
    return fate;
  },
  'clock set': async (fleet, random) => {
    const { machine, name } = anyOf(fleet, random);
    const seconds = random(2 * TWO_HOURS) - TWO_HOURS;
    machine.time?.jump(seconds);
    return `of ${name} by ${seconds} s`;
  },
};

function anyOf({ machines }: Fleet, random: Random): { machine: Machine; name: string } {
  const at = random(machines.length);
  return { machine: machines[at]!, name: `machine ${at + 1}` };
}

async function cut(lines: Lines[keyof Lines][], what: string, random: Random): Promise<string> {
  const ms = random(LONGEST_CUT);
  for (const line of lines) line.cut();
  await sleep(ms);
  for (const line of lines) line.mend();
  return `${what}, for ${ms} ms`;
}

function spoilStore(harm: 'busy' | 'lies'): RandomHarm {
  return async ({ store }, random) => {
    const ms = random(5000);
    store.spoil(harm);
    await sleep(ms);
    store.spoil(null);
    return `for ${ms} ms`;
  };
}

import { Redis } from 'ioredis';
import { until } from '../../support/until.ts';
import { promotePostgres, promoteRedis, type Pairs } from './pairs.ts';
import { loseMachine, machineOf, untilSwept, untilTaken, type Fleet } from './fleet.ts';
import type { Stand } from './steps.ts';

/** Does harm to a machine that stands at a step, or to what the machines share, and lets what is left go on. */
type Harm = (fleet: Fleet, stand: Stand) => Promise<void>;

/** What may befall an installation on several machines at any step. */
export const HARMS = {
  'machine lost': async (fleet, stand) => {
    await loseMachine(fleet, machineOf(fleet, stand.pid));
    await stand.go();
    await fleet.addMachine();
  },
  'machine cut off': cutOff,
  'Redis empty': async ({ redis }, stand) => {
    await redis.kill9();
    await stand.go();
    await redis.restart();
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
  },
  'Redis fails over': async (fleet, stand) => {
    await fleet.redis.kill9();
    await stand.go();
    await promoteRedis(pairsOf(fleet));
  },
  'Postgres restarts': async ({ postgres }, stand) => {
    await postgres.kill();
    await stand.go();
    await postgres.start();
  },
  'Postgres fails over': async (fleet, stand) => {
    await fleet.postgres.kill();
    await stand.go();
    await promotePostgres(pairsOf(fleet));
  },
  'Postgres half-open': async (fleet, stand) => {
    const { lines } = machineOf(fleet, stand.pid);
    lines.postgres.swallow('open');
    await stand.go();
    await untilTaken(fleet, stand.lease, stand.epoch);
  },
  'store busy': spoilStore('busy'),
  'store lies': spoilStore('lies'),
  'clock +2 h': setClock(7200),
  'clock −2 h': setClock(-7200),
} satisfies Record<string, Harm>;

export type HarmName = keyof typeof HARMS;

/** Harms that need programs whose clock can be set. */
export const needsFakeTime = (harm: string) => harm.startsWith('clock');

/** Harms that need somebody who takes the place of a server. */
export const needsPairs = (harm: string) => harm.endsWith('fails over');

function pairsOf({ pairs }: Fleet): Pairs {
  if (pairs === null) throw new Error('nobody takes the places of the servers of this fleet');
  return pairs;
}

/** The machine reaches nobody until another one has taken its work over; then all that it had sent arrives late. */
async function cutOff(fleet: Fleet, stand: Stand): Promise<void> {
  const machine = machineOf(fleet, stand.pid);
  const lines = Object.values(machine.lines);
  for (const line of lines) line.cut();
  if (stand.keepsOut) await stand.go();
  await untilTaken(fleet, stand.lease, stand.epoch);
  if (!stand.keepsOut) await stand.go();
  for (const line of lines) line.mend();
  await untilSwept(machine);
}

/** The store is harmed until its first answers of some kinds are; others come in the rest of the cell. */
function spoilStore(harm: 'busy' | 'lies'): Harm {
  return async ({ store }, stand) => {
    const before = store.spoiled();
    store.spoil(harm);
    await stand.go();
    await until(() => (store.spoiled() > before ? true : undefined));
  };
}

/** The wall clock of the one machine is set, and what it waited for is lost: it does not know what became of it. */
function setClock(seconds: number): Harm {
  return async (fleet, stand) => {
    const { time } = machineOf(fleet, stand.pid);
    time?.jump(seconds);
    await stand.reset();
  };
}

import type { Login } from '../logins.ts';
import type { WrittenCredential } from '../settings.ts';
import type { Fault, FaultKind, FaultOf, Operation } from './schema.ts';

/** A fault that waits for its calls, as the control endpoint shows it. */
export type ArmedFault = {
  id: number;
  fault: Fault;
  /** Calls that matched so far, and how often it acted. */
  matched: number;
  acted: number;
};

/** The faults of a running sandbox; they are kept in memory only. */
export type FaultList = {
  /** Makes them act from now on, after those that are there; answers with them. */
  add: (faults: readonly Fault[]) => ArmedFault[];
  /** Removes one, or all of them; answers how many. What they did to uploads stays. */
  remove: (id?: number) => number;
  all: () => readonly ArmedFault[];
  /** What this call meets. */
  meet: (operation: Operation, login: Login) => CallFaults;
};

/** The faults that one call meets. */
export type CallFaults = {
  operation: Operation;
  /** The file of the call is known now: faults that ask for a file may match. Counts once. */
  named: (file: string | null) => void;
  /** The chosen fault of a kind, the first one when there are several. */
  get: <K extends FaultKind>(kind: K) => FaultOf<K> | undefined;
  /** The chosen faults that were not taken before, in order. */
  take: (wanted: (fault: Fault) => boolean) => Fault[];
  /** Names of all that were chosen. */
  names: () => string[];
};

/** A call gets one reply: only the first of these acts, and the others keep their turn. */
const DECIDE_REPLY: ReadonlySet<FaultKind> = new Set([
  'lose-reply',
  'hang',
  'refuse',
  'reset',
  'cut-reply',
  'truncate',
  'html',
  'late-accept',
]);

/** A new list. `idOf` gives the login of a credential as a fault has it written. */
export function createFaultList(idOf: (credential: WrittenCredential) => string): FaultList {
  let armed: ArmedFault[] = [];
  let lastId = 0;
  return {
    add: (faults) => {
      const added = faults.map((fault) => ({ id: ++lastId, fault, matched: 0, acted: 0 }));
      armed = [...armed, ...added];
      return added;
    },
    remove: (id) => {
      const before = armed.length;
      armed = id === undefined ? [] : armed.filter((entry) => entry.id !== id);
      return before - armed.length;
    },
    all: () => armed,
    meet: (operation, login) => {
      const mine = armed.filter(({ fault }) => isAbout(fault, operation) && isLogin(fault.login, login, idOf));
      return callFaults(operation, mine);
    },
  };
}

function callFaults(operation: Operation, mine: ArmedFault[]): CallFaults {
  const chosen: Fault[] = [];
  const taken = new Set<Fault>();
  let named = false;
  const choose = (entries: ArmedFault[]) => {
    for (const entry of entries) {
      const { fault } = entry;
      entry.matched += 1;
      const due = entry.matched >= fault.nth && (fault.times === 'forever' || entry.acted < fault.times);
      const decided = DECIDE_REPLY.has(fault.fault) && chosen.some((other) => DECIDE_REPLY.has(other.fault));
      if (!due || decided) continue;
      entry.acted += 1;
      chosen.push(fault);
    }
  };
  choose(mine.filter(({ fault }) => fault.file === undefined));
  return {
    operation,
    named: (file) => {
      if (named) return;
      named = true;
      choose(mine.filter(({ fault }) => fault.file !== undefined && isFile(fault.file, file)));
    },
    get: <K extends FaultKind>(kind: K) => chosen.find((fault): fault is FaultOf<K> => fault.fault === kind),
    take: (wanted) => {
      const found = chosen.filter((fault) => !taken.has(fault) && wanted(fault));
      for (const fault of found) taken.add(fault);
      return found;
    },
    names: () => chosen.map((fault) => fault.fault),
  };
}

function isAbout(fault: Fault, operation: Operation): boolean {
  if ('operation' in fault) return fault.operation === 'any' || fault.operation === operation;
  if (fault.fault === 'lose-rows') return operation === 'source';
  return operation === (fault.fault === 'lose-tags' ? 'listTags' : 'process');
}

function isLogin(wanted: Fault['login'], login: Login, idOf: (credential: WrittenCredential) => string): boolean {
  if (wanted === undefined) return true;
  if (typeof wanted === 'string') return wanted === login.name || wanted === login.id;
  return idOf(wanted) === login.id;
}

function isFile(pattern: string, file: string | null): boolean {
  if (file === null) return false;
  const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(file);
}

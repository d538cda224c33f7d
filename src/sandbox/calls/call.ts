import type { IncomingMessage } from 'node:http';
import type { OpenArrival } from '../arrivals.ts';
import type { CallFaults } from '../faults/fault-list.ts';
import type { Login } from '../logins.ts';

/** One request on its way to its operation. */
export type Call = {
  request: IncomingMessage;
  query: URLSearchParams;
  /** UUID, repeated in the reply. */
  requestId: string;
  login: Login;
  faults: CallFaults;
  /** What is recorded of an upload as it arrives. */
  arrival: OpenArrival;
};

import { messageOf } from '../../errors.ts';
import type { Client, ServiceLog } from '../client.ts';
import type { Hooks } from '../hooks.ts';

/** Calls a hook, where there is one. */
export function callHook<K extends keyof Hooks>(
  { hooks, log }: Pick<Client, 'hooks' | 'log'>,
  name: K,
  facts: Parameters<NonNullable<Hooks[K]>>[0],
): void {
  const hook = hooks[name] as ((given: typeof facts) => unknown) | undefined;
  if (hook !== undefined) tell(log, name, facts.operation, () => hook(facts));
}

/** Calls a function of the caller that only watches; what it throws, at once or later, is logged. */
export function tell(log: ServiceLog, hook: string, operation: string, call: () => unknown): void {
  void (async () => call())().catch((error: unknown) =>
    log.warn({ hook, operation, error: messageOf(error) }, 'a hook failed'),
  );
}

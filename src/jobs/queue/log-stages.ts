import type { Context } from '../../context.ts';

/**
 * Logs when each long stage begins and when it has ended, with seconds and amounts, until what it returns is called. What the service
 * does with an upload is logged as `upload moved`.
 */
export function logStages({ gauges, config, log }: Context, level: 'info' | 'debug'): () => void {
  return gauges.watch(({ subject, stage, unit, done, total, seconds }) => {
    const of = Object.hasOwn(config.logins, subject) ? { login: subject } : { run: subject };
    const amount = unit === null ? {} : { unit, total };
    if (seconds === null) log[level]({ ...of, stage, ...amount }, 'stage began');
    else log[level]({ ...of, stage, ...amount, ...(unit === null ? {} : { done }), seconds }, 'stage ended');
  });
}

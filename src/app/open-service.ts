import { systemClock } from '../clock.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { CallBook } from '../ledger/calls/call-book.ts';
import type { Log } from '../log.ts';
import { messageOf, OfferlineError } from '../errors.ts';
import type { Hooks } from '../service/hooks.ts';
import type { createOffers, Offers } from '../service/offers/offers.ts';
import type { Service } from '../service/service.ts';

/** The remote service for each login of the configuration, and how to let go of it. */
export type OpenService = {
  /** The offer operations as uploads use them: nothing is repeated. */
  offers: (login: string) => Offers;
  /** Every operation. */
  service: (login: string) => Promise<Service>;
  close: () => Promise<void>;
};

/** Opens the remote service, whose calls are noted; the built-in sandbox starts when the first operation is called. */
export async function openService(loaded: LoadedConfig, log: Log, calls: Pick<CallBook, 'note'>): Promise<OpenService> {
  const { config } = loaded;
  const { service } = config;
  const sandbox = loaded.sandbox ? await openSandbox(loaded) : undefined;
  const baseUrl = () => sandbox?.url() ?? Promise.resolve(service.baseUrl ?? '');
  const clients = new Map<string, Offers>();
  const services = new Map<string, Service>();
  const authOf = (login: string) => {
    const auth = config.logins[login]?.auth;
    if (auth === undefined) throw new OfferlineError('config', `The login ${login} is not in the configuration.`);
    return auth;
  };
  return {
    offers: (login) => {
      const access = { baseUrl, auth: authOf(login), timeout: service.timeout };
      const client = clients.get(login) ?? offersOnDemand(access, service.upload, noted(login, calls));
      clients.set(login, client);
      return client;
    },
    service: async (login) => {
      const { createService } = await import('../service/service.ts');
      const { catalogUrl, poll: _poll, findability: _findability, baseUrl: _address, ...settings } = service;
      const address = catalogUrl === undefined ? {} : { catalogUrl };
      const access = { ...settings, ...address, baseUrl, auth: authOf(login), log };
      const made = services.get(login) ?? createService({ ...access, ...noted(login, calls) });
      services.set(login, made);
      return made;
    },
    close: async () => sandbox?.close(),
  };
}

/** Has every call of a login noted when it is over; what was sent and answered stays out of it. */
function noted(login: string, { note }: Pick<CallBook, 'note'>): Hooks {
  return {
    onEnd: ({ operation, status, ms, requestId, error }) => {
      const why = error === null ? null : messageOf(error);
      const given_up = error?.code === 'interrupted' ? 1 : 0;
      const at = systemClock.now() - ms;
      note({ login, at, operation, ms, status, given_up, request_id: requestId, error: why });
    },
  };
}

/** Loads the client with the first call: what only asks the ledger does without, and starts in half the time. */
function offersOnDemand(...options: Parameters<typeof createOffers>): Offers {
  let made: Promise<Offers> | undefined;
  const offers = () =>
    (made ??= import('../service/offers/offers.ts').then((client) => client.createOffers(...options)));
  return {
    process: async (...given) => (await offers()).process(...given),
    get: async (...given) => (await offers()).get(...given),
    list: async (...given) => (await offers()).list(...given),
    source: async (...given) => (await offers()).source(...given),
    listTags: async (...given) => (await offers()).listTags(...given),
    errors: async (...given) => (await offers()).errors(...given),
  };
}

async function openSandbox(loaded: LoadedConfig) {
  const { builtinSandbox, sandboxFit } = await import('./builtin-sandbox.ts');
  return builtinSandbox(loaded.home, sandboxFit(loaded.config), loaded.env);
}

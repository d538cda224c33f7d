import { livez, readyz } from './pages/health.ts';
import { chooseLanguage, signIn, signInPage, signOut } from './pages/sign-in.ts';
import type { Route } from './route.ts';

/** Everything that can be asked of the console, and who may. */
export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/livez', may: 'everybody', handle: livez },
  { method: 'GET', path: '/readyz', may: 'everybody', handle: readyz },
  { method: 'GET', path: '/sign-in', may: 'everybody', handle: signInPage },
  { method: 'POST', path: '/sign-in', may: 'everybody', handle: signIn },
  { method: 'POST', path: '/sign-out', may: 'everybody', handle: signOut },
  { method: 'POST', path: '/language', may: 'everybody', handle: chooseLanguage },
];

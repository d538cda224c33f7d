import { livez, readyz } from './pages/health.ts';
import { chooseLanguage, signIn, signInPage, signOut } from './pages/sign-in.ts';
import { nowPage } from './pages/now/now-page.ts';
import { approveRun, rejectRun, rerunRun, revokeColumns, takeColumns } from './pages/run/act.ts';
import { downloadDelivery, downloadReport } from './pages/run/downloads.ts';
import { runPage } from './pages/run/run-page.ts';
import { MAY, type Route } from './route.ts';

/** Everything that can be asked of the console, and who may. */
export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/livez', may: 'everybody', handle: livez },
  { method: 'GET', path: '/readyz', may: 'everybody', handle: readyz },
  { method: 'GET', path: '/sign-in', may: 'everybody', handle: signInPage },
  { method: 'POST', path: '/sign-in', may: 'everybody', handle: signIn },
  { method: 'POST', path: '/sign-out', may: 'everybody', handle: signOut },
  { method: 'POST', path: '/language', may: 'everybody', handle: chooseLanguage },
  { method: 'GET', path: '/', may: MAY.see, live: true, handle: nowPage },
  { method: 'GET', path: '/runs/:run', may: MAY.see, live: true, handle: runPage },
  { method: 'POST', path: '/runs/:run/approve', may: MAY.decide, handle: approveRun },
  { method: 'POST', path: '/runs/:run/reject', may: MAY.decide, handle: rejectRun },
  { method: 'POST', path: '/runs/:run/columns', may: MAY.decide, handle: takeColumns },
  { method: 'POST', path: '/runs/:run/revoke-columns', may: MAY.decide, handle: revokeColumns },
  { method: 'POST', path: '/runs/:run/rerun', may: MAY.decide, handle: rerunRun },
  { method: 'GET', path: '/runs/:run/delivery', may: MAY.see, handle: downloadDelivery },
  { method: 'GET', path: '/runs/:run/:file', may: MAY.see, handle: downloadReport },
];

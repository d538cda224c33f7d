import { API_ROUTES } from './api/routes.ts';
import { accountPage, changePassword } from './pages/access/account-page.ts';
import { codePage, confirmCode, enrol, enrolPage, factorPage, setUpFactor } from './pages/access/factor.ts';
import { beginAtProvider, endAtProvider, returnFromProvider } from './pages/access/provider.ts';
import {
  addToken,
  addUser,
  disableUser,
  enableUser,
  resetFactor,
  revokeToken,
  rotateToken,
  usersPage,
} from './pages/access/users-page.ts';
import { checkFile, checkMarked, checkPage } from './pages/check/check-page.ts';
import { deliverChecked, offerDelivery } from './pages/check/deliver.ts';
import { comparePage } from './pages/compare.ts';
import { lookAtSource, runFeed } from './pages/feed/act.ts';
import { docPage, docsPage, docsPicture } from './pages/docs.ts';
import { announceAway, revokeAway } from './pages/feed/expected.ts';
import { feedPage } from './pages/feed/feed-page.ts';
import { endSupplierLinks, makeSupplierLink } from './pages/feed/supplier-page.ts';
import { livez, readyz } from './pages/health.ts';
import { chooseLanguage, signIn, signInPage, signOut } from './pages/sign-in.ts';
import { auditPage } from './pages/lists/audit-page.ts';
import { giveIncident, noteIncident, quietIncident, releaseIncident, takeIncident } from './pages/incident/act.ts';
import { incidentPage } from './pages/incident/incident-page.ts';
import { downloadDossier } from './pages/lists/dossier.ts';
import { incidentsPage } from './pages/lists/incidents-page.ts';
import { downloadMail, mailsPage } from './pages/lists/mails-page.ts';
import { rerunAll } from './pages/lists/rerun-all.ts';
import { runsPage } from './pages/lists/runs-page.ts';
import { resolveUpload, uploadPage } from './pages/lists/upload-page.ts';
import { uploadsPage } from './pages/lists/uploads-page.ts';
import { loginPage, rollBack } from './pages/login/login-page.ts';
import { metrics } from './pages/metrics.ts';
import { nowPage } from './pages/now/now-page.ts';
import { partPage } from './pages/part.ts';
import { rehearseApproval, rehearseRollback } from './pages/rehearsal.ts';
import { agreeRequest, declineRequest } from './pages/requests.ts';
import { rulesPage, takeRules, tryRules } from './pages/rules/rules-page.ts';
import { approveRun, rejectRun, rerunRun, revokeColumns, takeReading, takeColumns } from './pages/run/act.ts';
import { downloadDelivery, downloadReport } from './pages/run/downloads.ts';
import { rowsPage } from './pages/run/rows-page.ts';
import { runPage } from './pages/run/run-page.ts';
import { standstill } from './pages/standstill.ts';
import { suppliersPage } from './pages/suppliers.ts';
import { servicePage } from './pages/service-page.ts';
import { examineSystem, systemPage } from './pages/system.ts';
import { MAY, type Route } from './route.ts';

/** Everything that can be asked of the console, and who may. */
export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/livez', may: 'everybody', handle: livez },
  { method: 'GET', path: '/readyz', may: 'everybody', handle: readyz },
  { method: 'GET', path: '/metrics', may: MAY.seeAll, handle: metrics },
  { method: 'GET', path: '/sign-in', may: 'everybody', handle: signInPage },
  { method: 'POST', path: '/sign-in', may: 'everybody', handle: signIn },
  { method: 'GET', path: '/sign-in/code', may: 'everybody', handle: codePage },
  { method: 'POST', path: '/sign-in/code', may: 'everybody', handle: confirmCode },
  { method: 'GET', path: '/sign-in/enrol', may: 'everybody', handle: enrolPage },
  { method: 'POST', path: '/sign-in/enrol', may: 'everybody', handle: enrol },
  { method: 'GET', path: '/sign-in/provider', may: 'everybody', handle: beginAtProvider },
  { method: 'GET', path: '/sign-in/callback', may: 'everybody', handle: returnFromProvider },
  { method: 'GET', path: '/sign-out/provider', may: 'everybody', handle: endAtProvider },
  { method: 'POST', path: '/sign-out', may: 'everybody', handle: signOut },
  { method: 'POST', path: '/language', may: 'everybody', handle: chooseLanguage },
  { method: 'GET', path: '/', may: MAY.see, live: true, handle: nowPage },
  { method: 'GET', path: '/runs', may: MAY.see, live: true, handle: runsPage },
  { method: 'POST', path: '/runs/rerun', may: MAY.operate, handle: rerunAll },
  { method: 'GET', path: '/runs/:run', may: MAY.see, live: 'own', handle: runPage },
  { method: 'POST', path: '/runs/:run/approve', may: MAY.decide, handle: approveRun },
  { method: 'POST', path: '/runs/:run/reject', may: MAY.decide, handle: rejectRun },
  { method: 'POST', path: '/runs/:run/columns', may: MAY.decide, handle: takeColumns },
  { method: 'POST', path: '/runs/:run/reading', may: MAY.decide, handle: takeReading },
  { method: 'POST', path: '/runs/:run/revoke-columns', may: MAY.decide, handle: revokeColumns },
  { method: 'POST', path: '/runs/:run/rerun', may: MAY.decide, handle: rerunRun },
  { method: 'GET', path: '/runs/:run/rows', may: MAY.see, handle: rowsPage },
  { method: 'GET', path: '/runs/:run/delivery', may: MAY.see, handle: downloadDelivery },
  { method: 'GET', path: '/runs/:run/:file', may: MAY.see, handle: downloadReport },
  { method: 'GET', path: '/feeds/:feed', may: MAY.see, live: true, handle: feedPage },
  { method: 'GET', path: '/feeds/:feed/rules', may: MAY.see, handle: rulesPage },
  { method: 'POST', path: '/feeds/:feed/rules', may: MAY.see, handle: tryRules },
  { method: 'POST', path: '/feeds/:feed/rules/yaml', may: MAY.see, handle: takeRules },
  { method: 'POST', path: '/feeds/:feed/run', may: MAY.operate, handle: runFeed },
  { method: 'POST', path: '/feeds/:feed/source', may: MAY.decide, handle: lookAtSource },
  { method: 'POST', path: '/feeds/:feed/pause', may: MAY.operate, handle: standstill('pause', 'feed') },
  { method: 'POST', path: '/feeds/:feed/resume', may: MAY.operate, handle: standstill('resume', 'feed') },
  { method: 'POST', path: '/feeds/:feed/release', may: MAY.operate, handle: standstill('release', 'feed') },
  { method: 'POST', path: '/feeds/:feed/away', may: MAY.operate, handle: announceAway },
  { method: 'POST', path: '/feeds/:feed/away/:from/:to/revoke', may: MAY.operate, handle: revokeAway },
  { method: 'POST', path: '/feeds/:feed/page', may: MAY.decide, handle: makeSupplierLink },
  { method: 'POST', path: '/feeds/:feed/page/end', may: MAY.decide, handle: endSupplierLinks },
  { method: 'GET', path: '/logins/:login', may: MAY.seeAll, live: 'own', handle: loginPage },
  { method: 'POST', path: '/logins/:login/pause', may: MAY.operate, handle: standstill('pause', 'login') },
  { method: 'POST', path: '/logins/:login/resume', may: MAY.operate, handle: standstill('resume', 'login') },
  { method: 'POST', path: '/logins/:login/release', may: MAY.operate, handle: standstill('release', 'login') },
  { method: 'POST', path: '/logins/:login/rollback', may: MAY.operate, handle: rollBack },
  { method: 'POST', path: '/logins/:login/rehearse', may: MAY.operate, handle: rehearseRollback },
  { method: 'POST', path: '/runs/:run/rehearse', may: MAY.decide, handle: rehearseApproval },
  { method: 'POST', path: '/requests/:request/agree', may: MAY.decide, handle: agreeRequest },
  { method: 'POST', path: '/requests/:request/decline', may: MAY.decide, handle: declineRequest },
  { method: 'GET', path: '/check', may: MAY.see, handle: checkPage },
  { method: 'POST', path: '/check', may: MAY.see, body: 'stream', handle: checkFile },
  { method: 'POST', path: '/check/marked', may: MAY.see, body: 'stream', handle: checkMarked },
  { method: 'POST', path: '/check/deliver', may: MAY.decide, body: 'stream', handle: offerDelivery },
  { method: 'POST', path: '/check/deliver/confirm', may: MAY.decide, handle: deliverChecked },
  { method: 'GET', path: '/incidents', may: MAY.see, live: true, handle: incidentsPage },
  { method: 'GET', path: '/incidents/:incident', may: MAY.see, handle: incidentPage },
  { method: 'POST', path: '/incidents/:incident/take', may: MAY.decide, handle: takeIncident },
  { method: 'POST', path: '/incidents/:incident/give', may: MAY.decide, handle: giveIncident },
  { method: 'POST', path: '/incidents/:incident/note', may: MAY.decide, handle: noteIncident },
  { method: 'POST', path: '/incidents/:incident/quiet', may: MAY.decide, handle: quietIncident },
  { method: 'POST', path: '/incidents/:incident/release', may: MAY.decide, handle: releaseIncident },
  { method: 'GET', path: '/uploads', may: MAY.seeAll, live: true, handle: uploadsPage },
  { method: 'GET', path: '/uploads/:upload', may: MAY.seeAll, live: true, handle: uploadPage },
  { method: 'GET', path: '/uploads/:upload/:file', may: MAY.operate, handle: downloadDossier },
  { method: 'POST', path: '/uploads/:upload/resolve', may: MAY.operate, handle: resolveUpload },
  { method: 'GET', path: '/mails', may: MAY.seeAll, handle: mailsPage },
  { method: 'GET', path: '/mails/:mail', may: MAY.seeAll, handle: downloadMail },
  { method: 'GET', path: '/audit', may: MAY.seeAll, handle: auditPage },
  { method: 'GET', path: '/compare', may: MAY.see, handle: comparePage },
  { method: 'GET', path: '/part', may: MAY.see, handle: partPage },
  { method: 'GET', path: '/suppliers', may: MAY.see, handle: suppliersPage },
  { method: 'GET', path: '/system', may: MAY.seeAll, live: true, handle: systemPage },
  { method: 'GET', path: '/system/service', may: MAY.seeAll, handle: servicePage },
  { method: 'POST', path: '/system/doctor', may: MAY.operate, handle: examineSystem },
  { method: 'GET', path: '/docs', may: MAY.see, handle: docsPage },
  { method: 'GET', path: '/docs/pictures/:picture', may: MAY.see, handle: docsPicture },
  { method: 'GET', path: '/docs/:page', may: MAY.see, handle: docPage },
  { method: 'GET', path: '/docs/:folder/:page', may: MAY.see, handle: docPage },
  { method: 'GET', path: '/account', may: MAY.see, handle: accountPage },
  { method: 'POST', path: '/account/password', may: MAY.see, handle: changePassword },
  { method: 'GET', path: '/account/factor', may: MAY.see, handle: factorPage },
  { method: 'POST', path: '/account/factor', may: MAY.see, handle: setUpFactor },
  { method: 'GET', path: '/users', may: MAY.administer, handle: usersPage },
  { method: 'POST', path: '/users', may: MAY.administer, handle: addUser },
  { method: 'POST', path: '/users/:user/disable', may: MAY.administer, handle: disableUser },
  { method: 'POST', path: '/users/:user/enable', may: MAY.administer, handle: enableUser },
  { method: 'POST', path: '/users/:user/reset-factor', may: MAY.administer, handle: resetFactor },
  { method: 'POST', path: '/tokens', may: MAY.administer, handle: addToken },
  { method: 'POST', path: '/tokens/:token/rotate', may: MAY.administer, handle: rotateToken },
  { method: 'POST', path: '/tokens/:token/revoke', may: MAY.administer, handle: revokeToken },
  ...API_ROUTES,
];

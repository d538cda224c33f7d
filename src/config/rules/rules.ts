import type { Finding } from '../read/problem.ts';
import * as backup from './backup.ts';
import * as changes from './changes.ts';
import * as columns from './columns.ts';
import * as console from './console.ts';
import * as defaults from './defaults.ts';
import * as expect from './expect.ts';
import * as hooks from './hooks/hooks.ts';
import * as join from './join.ts';
import * as references from './references.ts';
import * as results from './results.ts';
import * as schedule from './schedule.ts';
import * as servers from './servers.ts';
import * as text from './text.ts';
import * as web from './web.ts';
import type { Config } from '../schema/schema.ts';

/** Finds one kind of mistake. `written` is the configuration as written, before defaults. */
type Rule = (config: Config, written: unknown) => Finding[];

const RULES: readonly Rule[] = [
  references.loginsOfFeeds,
  references.feedsOfManagers,
  references.feedsOfHooks,
  references.columnsOfFeeds,
  references.draftsHaveAddresses,
  columns.partColumnsStay,
  columns.spellingsDiffer,
  columns.positionsFitTheHeader,
  columns.headingsHaveBrands,
  text.charsetsAreKnown,
  text.delimitersAreUsable,
  text.tagSeparator,
  text.numberSettings,
  text.tagMarks,
  defaults.defaultsAreValues,
  text.entriesAreInside,
  text.entriesAreOneOrSeveral,
  join.joinsHaveFiles,
  schedule.schedulesAreReal,
  schedule.digestsHaveTimeZones,
  schedule.suppliersHaveTimeZones,
  expect.expectationsAreUsable,
  backup.backupsAreUsable,
  schedule.pollingFits,
  schedule.timersAreUsable,
  servers.addressesCarryNoCredentials,
  servers.credentialsFitTheirHeaders,
  servers.patternsAreNames,
  servers.patternsHaveKnownDates,
  servers.deliveriesOfSeveral,
  changes.changesAreSingleFiles,
  changes.changesAreDelivered,
  changes.marksMeanOneThing,
  changes.numbersCountChanges,
  changes.kindsDiffer,
  changes.kindsAreLetThrough,
  results.resultsHavePlaces,
  servers.charsetsOfServers,
  servers.graphNamesOneDrive,
  servers.accountKeysAreKeys,
  servers.mailCanBeTrusted,
  web.settingsFitHttp,
  hooks.hooksCanBeTold,
  console.consoleIsSafe,
  console.consoleHasTimeZone,
  console.providerCanSignIn,
  console.proxyCanSignIn,
];

/** What the schema cannot see: references between settings, and settings that contradict each other. */
export function checkRules(config: Config, written: unknown): Finding[] {
  return RULES.flatMap((rule) => rule(config, written));
}

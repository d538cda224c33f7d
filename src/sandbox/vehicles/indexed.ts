import { Refusal } from '../http/reply.ts';
import { autoInfoState, type AutoInfo, type AutoInfos } from './auto-infos.ts';

/** The vehicle of an id of the login; refuses with 404 one that it does not have. */
export function demandAutoInfo(autoInfos: AutoInfos, login: string, id: number): AutoInfo {
  const info = autoInfos.find(login, id);
  if (info !== undefined) return info;
  throw new Refusal(404, 'AUTO_INFO_NOT_FOUND', `This login has no vehicle ${id}; identify it first.`);
}

/** The same, but only when it is indexed; refuses with 409 one that is not, for it would restrict nothing. */
export function demandIndexed(autoInfos: AutoInfos, login: string, id: number, now: number): AutoInfo {
  const info = demandAutoInfo(autoInfos, login, id);
  const { state } = autoInfoState(info, now);
  if (state === 'success') return info;
  const advice = state === 'created' ? 'call indexVehicle first' : 'try again when its state is success';
  throw new Refusal(409, 'VEHICLE_NOT_INDEXED', `Vehicle ${id} is ${state}, not indexed: ${advice}.`);
}

import { ownAddress } from '../api/own-address.ts';
import { useCommunity } from './community-state.ts';

/** Where others reach the API: the public address, else the one at which the panel was opened; empty: not known. */
export const usePublicAddress = (): string => useCommunity().publicAddress ?? ownAddress();

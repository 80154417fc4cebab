import { presentCommunity, useCommunity } from '../community/community-state.ts';
import { useReadingChoices } from './reading-choices.ts';

export const useIsDeviceClock = (): boolean => useReadingChoices(({ isDeviceClock }) => isDeviceClock);

export const setDeviceClock = (isDeviceClock: boolean): void => {
  useReadingChoices.setState({ isDeviceClock });
};

const zoneOf = (isDeviceClock: boolean, timeZone: string | null): string | undefined =>
  isDeviceClock ? undefined : (timeZone ?? undefined);

/** An IANA name; undefined: this device's own. */
export const useTimeZone = (): string | undefined => zoneOf(useIsDeviceClock(), useCommunity().timeZone);

/** The current time zone, outside of components. */
export const presentTimeZone = (): string | undefined =>
  zoneOf(useReadingChoices.getState().isDeviceClock, presentCommunity().timeZone);

import { wallTime } from '../../../language/wall-clock.ts';

/** The time of day, in the same eight characters in every language. @param zone undefined: the time zone of this device */
export const clockTime = (iso: string, zone: string | undefined): string => {
  const { hour, minute, second } = wallTime(new Date(iso), zone);
  return [hour, minute, second].map((part) => String(part).padStart(2, '0')).join(':');
};

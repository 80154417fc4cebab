import type { LicenseStatus } from '#contracts/license/license-state.ts';

const noticedSeconds = 60;

/**
 * The seconds that this machine's clock is behind the latest time that the portal has signed; null if that is too little
 * to mention. One that is ahead is not told from these two: without an answer from the portal, the latest known time is an old one.
 */
export const clockBehindSeconds = ({ local, known }: LicenseStatus['clock']): number | null => {
  const behind = known === null ? 0 : (Date.parse(known) - Date.parse(local)) / 1000;
  return behind > noticedSeconds ? Math.round(behind) : null;
};

const daySeconds = 86_400;

/** The time left until a moment: in words while there are days, to the second on the last one; null when it is over. */
export const timeLeft = (
  untilIso: string,
  nowMs: number,
  inWords: (seconds: number) => string,
): { readonly text: string; readonly isLastDay: boolean } | null => {
  const seconds = Math.ceil((Date.parse(untilIso) - nowMs) / 1000);
  if (seconds <= 0) return null;
  if (seconds > daySeconds) return { text: inWords(seconds), isLastDay: false };
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60];
  return { text: parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':'), isLastDay: true };
};

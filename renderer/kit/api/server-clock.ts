import { create } from 'zustand';

/** How far this device's clock is behind that of the API's machine, in milliseconds; negative if it is ahead. */
const useClock = create<{ readonly behindMs: number }>(() => ({ behindMs: 0 }));

/** The `Date` header has whole seconds, and an answer takes its time: less than this counts as no difference. */
const noticedMs = 3000;

/** Every answer of the API contains its time; all times that people see follow it, whatever this device's clock shows. */
export const heardServerTime = (header: string | null): void => {
  const serverMs = Date.parse(header ?? '');
  if (Number.isNaN(serverMs)) return;
  const behindMs = serverMs - Date.now();
  if (Math.abs(behindMs - useClock.getState().behindMs) > noticedMs)
    useClock.setState({ behindMs: Math.abs(behindMs) > noticedMs ? behindMs : 0 });
};

/** The current time by the clock of the API's machine, in milliseconds since 1970. */
export const serverNowMs = (): number => Date.now() + useClock.getState().behindMs;

export const useClockBehindMs = (): number => useClock((clock) => clock.behindMs);

import { create } from 'zustand';
import { persist } from 'zustand/middleware';

interface ConsolePreferences {
  readonly wraps: boolean;
  readonly showsTimes: boolean;
}

const usePreferences = create<ConsolePreferences>()(
  persist((): ConsolePreferences => ({ wraps: true, showsTimes: true }), {
    name: 'castellan.console',
    version: 1,
  }),
);

/** How this device shows consoles. */
export const useConsolePreferences = (): ConsolePreferences => usePreferences();

export const setConsolePreferences = (changes: Partial<ConsolePreferences>): void => {
  usePreferences.setState(changes);
};

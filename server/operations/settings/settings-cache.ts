import type { SectionName } from '#contracts/operations/settings.ts';
import type { Notifications } from '../../kernel/database/notifications.ts';
import type { StoredSection } from './stored-section.ts';

/** Notified with a section's name in the transaction that changes it. */
export const settingsChannel = 'castellan_settings';

interface SettingsCache {
  read(section: SectionName): Promise<StoredSection>;
  /** The section has changed: later reads return the new state. */
  forget(section: SectionName): void;
}

/** Keeps the sections in memory while changes by any process are being notified. */
export const createSettingsCache = (
  notifications: Notifications,
  readStored: (section: SectionName) => Promise<StoredSection>,
): SettingsCache => {
  const kept = new Map<string, Promise<StoredSection>>();
  const subscription = notifications.listen(settingsChannel, {
    onNotification: (section) => kept.delete(section),
    onListening: () => kept.clear(),
  });
  return {
    async read(section) {
      if (!subscription.isListening()) return readStored(section);
      const known = kept.get(section);
      if (known) return known;
      const reading = readStored(section);
      kept.set(section, reading);
      reading.catch(() => {
        // Waiting callers get the error; the next one reads again.
        if (kept.get(section) === reading) kept.delete(section);
      });
      return reading;
    },
    forget: (section) => kept.delete(section),
  };
};

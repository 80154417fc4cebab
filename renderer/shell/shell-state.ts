import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { followOtherTabs } from '../kit/api/follow-other-tabs.ts';

interface ShellStore {
  /** The side bar shows only icons. */
  readonly isNarrow: boolean;
  /** Single keys trigger actions; people who dictate or have a tremor may turn that off. */
  readonly hasShortcuts: boolean;
}

const useShellStore = create<ShellStore>()(
  persist((): ShellStore => ({ isNarrow: false, hasShortcuts: true }), {
    name: 'castellan.shell',
    version: 1,
  }),
);

followOtherTabs(useShellStore);

export const useIsNarrow = (): boolean => useShellStore(({ isNarrow }) => isNarrow);
export const toggleNarrow = (): void => {
  useShellStore.setState(({ isNarrow }) => ({ isNarrow: !isNarrow }));
};

export const useHasShortcuts = (): boolean => useShellStore(({ hasShortcuts }) => hasShortcuts);
export const hasShortcutsNow = (): boolean => useShellStore.getState().hasShortcuts;
export const setHasShortcuts = (hasShortcuts: boolean): void => {
  useShellStore.setState({ hasShortcuts });
};

type Opened = 'palette' | 'cheat-sheet' | null;
interface OpenedStore {
  readonly opened: Opened;
  /** A part of the shell could not be loaded. */
  readonly isChunkGone: boolean;
}
const useOpenedStore = create<OpenedStore>(() => ({ opened: null, isChunkGone: false }));

/** Which of the shell's own dialogs is open. */
export const useOpened = (): Opened => useOpenedStore(({ opened }) => opened);
export const openDialog = (opened: Opened): void => useOpenedStore.setState({ opened });

export const useIsChunkGone = (): boolean => useOpenedStore(({ isChunkGone }) => isChunkGone);
export const reportChunkGone = (): void => useOpenedStore.setState({ opened: null, isChunkGone: true });

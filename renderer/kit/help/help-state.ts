import { create } from 'zustand';

const useHelpStore = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }));

/** Whether the help for the page is open. */
export const useIsHelpOpen = (): boolean => useHelpStore(({ isOpen }) => isOpen);
export const setHelpOpen = (isOpen: boolean): void => useHelpStore.setState({ isOpen });
export const toggleHelp = (): void => setHelpOpen(!useHelpStore.getState().isOpen);

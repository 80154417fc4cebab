import type { NotificationData } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { create } from 'zustand';
import { problemWords } from '../language/problem-words.ts';
import { presentLanguage } from '../language/use-words.ts';
import { loadWhenServed } from '../routing/page-chunks.ts';
import { designWords } from './design.words.ts';

const usePlaceStore = create<{ readonly isWanted: boolean }>(() => ({ isWanted: false }));

/** Whether notices may be shown from now on: until then, the component that shows them is not loaded. */
export const useAreNoticesWanted = (): boolean => usePlaceStore(({ isWanted }) => isWanted);

const loadNotifications = loadWhenServed(() => import('@mantine/notifications'));

const show = async (notice: NotificationData): Promise<void> => {
  usePlaceStore.setState({ isWanted: true });
  const { notifications } = await loadNotifications();
  const closeButtonProps = { 'aria-label': designWords[presentLanguage()].close };
  notifications.show({ withBorder: true, closeButtonProps, ...notice });
};

/** Most notices appear while the API is away, which is too late to fetch the component that shows them. */
export const prepareToasts = (): void => usePlaceStore.setState({ isWanted: true });

/** Shows a short notice that something is done. */
export const notifyDone = (message: string): void => {
  void show({ message, color: 'green' });
};

const undoMs = 4000;

/** Says that something is done, with a button to undo it; it stays while it is hovered or has the focus. */
export const notifyUndoable = (id: string, message: ReactNode): void => {
  void show({ id, message, color: 'green', autoClose: undoMs });
};

/** Shows a short notice that something failed, where no form or dialog is left to say it. */
export const notifyTrouble = (error: unknown): void => {
  const { title, text, remedy } = problemWords(error, presentLanguage());
  void show({ title, message: remedy ? `${text} ${remedy}` : text, color: 'red', autoClose: 15_000 });
};

/**
 * Says what is left to do; it stays until it is closed or withdrawn by its id. A notice whose id is already shown is
 * not shown again; with null it is always shown.
 */
export const notifyLeft = (id: string | null, title: string, message: ReactNode): void => {
  void show({ ...(id !== null && { id }), title, message, color: 'yellow', autoClose: false });
};

export const withdrawNotice = async (id: string): Promise<void> => {
  if (!usePlaceStore.getState().isWanted) return;
  const { notifications } = await loadNotifications();
  notifications.hide(id);
};

import { create } from 'zustand';
import { isKeyLike } from './curl-command.ts';

interface PastedKey {
  readonly ownerId: string;
  readonly text: string;
}

/** Only in the memory of this page: never stored, never sent. */
const usePastedStore = create<{ readonly pasted: PastedKey | null }>(() => ({ pasted: null }));

export const setPasted = (ownerId: string, text: string): void =>
  usePastedStore.setState({ pasted: text === '' ? null : { ownerId, text } });

export const forgetPasted = (): void => usePastedStore.setState({ pasted: null });

/** The text that a person pasted; never shows the text of another person. */
const textOwnedBy = (pasted: PastedKey | null, ownerId: string): string =>
  pasted?.ownerId === ownerId ? pasted.text : '';

export const pastedText = (ownerId: string): string => textOwnedBy(usePastedStore.getState().pasted, ownerId);

export const usePastedText = (ownerId: string): string =>
  usePastedStore(({ pasted }) => textOwnedBy(pasted, ownerId));

/** Null: the pasted text cannot be a key. */
export const keyIn = (text: string): string | null => (isKeyLike(text.trim()) ? text.trim() : null);

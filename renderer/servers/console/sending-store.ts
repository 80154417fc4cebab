import { create } from 'zustand';
import { presentDraft, setDraft } from '../drafts.ts';
import type { Sending } from './sending.ts';

interface SendingStore {
  /** By server. */
  readonly sendings: Readonly<Record<string, Sending>>;
}

/** Outlives the page: a person who leaves and comes back finds the command in its current state. */
const useSendings = create<SendingStore>(() => ({ sendings: {} }));

/** Null before the first. */
export const useSendingTo = (serverId: string): Sending | null =>
  useSendings(({ sendings }) => sendings[serverId] ?? null);

export const presentSending = (serverId: string): Sending | null =>
  useSendings.getState().sendings[serverId] ?? null;

/**
 * Updates the state of the command being sent; its text leaves the line at the very moment when the command is known to
 * be accepted, and only then.
 */
export const moveSending = (serverId: string, move: (now: Sending | null) => Sending | null): void => {
  const now = presentSending(serverId);
  const next = move(now);
  if (next === null || next === now) return;
  useSendings.setState(({ sendings }) => ({ sendings: { ...sendings, [serverId]: next } }));
  const isTakenNow = next.state === 'taken' && !(now?.state === 'taken' && now.sent === next.sent);
  if (isTakenNow && presentDraft(serverId).trim() === next.sent.command) setDraft(serverId, '');
};

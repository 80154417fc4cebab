import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { type LiveClient, type LiveState, openLiveClient } from './live-client.ts';
import type { LiveSubject } from './live-subject.ts';
import type { LiveListener } from './live-subscriptions.ts';
import { queryClient } from './queries.ts';

interface LiveStore {
  readonly client: LiveClient | null;
  readonly state: LiveState;
  readonly isFull: boolean;
  readonly isOtherVersion: boolean;
}

const useLiveStore = create<LiveStore>(() => ({
  client: null,
  state: 'connecting',
  isFull: false,
  isOtherVersion: false,
}));

/** Opens this page's connection; the caller ends it. Everything that was read is read again when the connection returns. */
export const startLive = (): (() => void) => {
  let wasAway = false;
  const client = openLiveClient({
    onState(state, isFull) {
      if (state === 'away') wasAway = true;
      if (state === 'live' && wasAway) {
        wasAway = false;
        void queryClient.invalidateQueries();
      }
      useLiveStore.setState({ state, isFull });
    },
    onOtherVersion: () => useLiveStore.setState({ isOtherVersion: true }),
  });
  const hurry = () => client.hurry();
  addEventListener('online', hurry);
  addEventListener('focus', hurry);
  useLiveStore.setState({ client });
  return () => {
    removeEventListener('online', hurry);
    removeEventListener('focus', hurry);
    client[Symbol.dispose]();
    useLiveStore.setState({ client: null, state: 'connecting' });
  };
};

export const useLiveState = (): LiveState => useLiveStore(({ state }) => state);

/** The API answers, but has no room for another connection of this person: too many tabs are open. */
export const useIsLiveFull = (): boolean => useLiveStore(({ isFull }) => isFull);

/** Whether the connection is known to be lost, outside of components. */
export const isLiveAway = (): boolean => useLiveStore.getState().state === 'away';

/** The API has another version than this panel: the page may be wrong. */
export const useIsOtherVersion = (): boolean => useLiveStore(({ isOtherVersion }) => isOtherVersion);

/** Tries to connect immediately. */
export const hurryLive = (): void => useLiveStore.getState().client?.hurry();

/**
 * Listens to a topic while the component is mounted; null listens to nothing.
 * @param since the cursor of what is already shown, on topics that can be resumed; another one starts over from there
 */
export const useLive = (
  subject: LiveSubject | null,
  listener: LiveListener,
  since: string | null = null,
): void => {
  const client = useLiveStore((store) => store.client);
  const newest = useRef(listener);
  useEffect(() => {
    newest.current = listener;
  });
  const key = subject && JSON.stringify(subject);
  useEffect(() => {
    if (!client || key === null) return;
    return client.subscribe(JSON.parse(key), (message) => newest.current(message), since);
  }, [client, key, since]);
};

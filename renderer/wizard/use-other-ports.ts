import { useEffect, useState } from 'react';
import type { NetworkAsked, NetworkNews } from '#contracts/desktop-network.ts';
import type { StackStatus } from '#contracts/stack.ts';
import { callDesktop, onDesktop } from '../desktop/desktop-bridge.ts';
import { useDesktopAction } from './use-desktop-action.ts';

interface Offer {
  readonly wanted: NetworkAsked;
  /** The new ones in `wanted`. */
  readonly ports: readonly number[];
}

/** Free ports to replace the taken ones; null if there are none, or we may not change the settings. */
const findOffer = async (): Promise<Offer | null> => {
  const { isService, isChanging, ...present } = await callDesktop('network.state', undefined);
  if (isService || isChanging) return null;
  const { postgresPort, isOpen } = present;
  const { api } = await callDesktop('network.check', { apiPort: present.apiPort, postgresPort, isOpen });
  const apiPort = api.free ?? present.apiPort;
  // Checked together with the API's new port, so that the database is not offered the same one.
  const { postgres } = await callDesktop('network.check', { apiPort, postgresPort, isOpen });
  const ports = [api.free, postgres.free].filter((port) => port !== null);
  const wanted = { apiPort, postgresPort: postgres.free ?? postgresPort, isOpen };
  return ports.length === 0 ? null : { wanted, ports };
};

interface OtherPorts {
  /** The ports that are offered; null while there are none. */
  readonly ports: readonly number[] | null;
  readonly isActing: boolean;
  /** Why the last change failed, in words; null if it did not. */
  readonly fault: unknown;
  change(): void;
}

/** Offers other ports while a component has failed because of its port. */
export const useOtherPorts = (status: StackStatus | null): OtherPorts => {
  const { isActing, error, run } = useDesktopAction();
  const [offer, setOffer] = useState<Offer | null>(null);
  const [news, setNews] = useState<NetworkNews | null>(null);
  const blocked = status?.components.flatMap(({ blockedPort }) => blockedPort ?? []).join() ?? '';
  // A page that replaces the one that asked gets the outcome, too.
  useEffect(() => onDesktop('network.changed', (state) => setNews(state.news)), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change, other ports may be free
  useEffect(() => {
    if (blocked === '' || isActing) return;
    let isOver = false;
    void findOffer()
      // The component's own reason says what to change where.
      .catch(() => null)
      .then((found) => !isOver && setOffer(found));
    return () => {
      isOver = true;
    };
  }, [blocked, news, isActing]);
  const undone = news !== null && news.outcome !== 'done' ? news.detail : null;
  const shown = isActing || blocked !== '' ? offer : null;
  return {
    ports: shown?.ports ?? null,
    isActing,
    fault: isActing ? null : (error ?? undone),
    change: () => {
      if (shown) void run(() => callDesktop('network.change', shown.wanted));
    },
  };
};

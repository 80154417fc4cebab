import { useEffect, useState } from 'react';
import type { NetworkAsked, NetworkNews } from '#contracts/desktop-network.ts';
import type { StackStatus } from '#contracts/stack.ts';
import { callDesktop, onDesktop } from '../desktop/desktop-bridge.ts';
import { useDesktopAction } from './use-desktop-action.ts';

interface Offer {
  readonly wanted: NetworkAsked;
  /** Those of `wanted` that are new. */
  readonly ports: readonly number[];
}

/** Free ports in place of the taken ones; null when there are none, or the settings are not ours to change. */
const findOffer = async (): Promise<Offer | null> => {
  const { isService, isChanging, ...present } = await callDesktop('network.state', undefined);
  if (isService || isChanging) return null;
  const { postgresPort, isOpen } = present;
  const { api } = await callDesktop('network.check', { apiPort: present.apiPort, postgresPort, isOpen });
  const apiPort = api.free ?? present.apiPort;
  // Checked beside the new port of the API, the database is not offered the same one.
  const { postgres } = await callDesktop('network.check', { apiPort, postgresPort, isOpen });
  const ports = [api.free, postgres.free].filter((port) => port !== null);
  const wanted = { apiPort, postgresPort: postgres.free ?? postgresPort, isOpen };
  return ports.length === 0 ? null : { wanted, ports };
};

interface OtherPorts {
  /** The ports that are offered; null while none are. */
  readonly ports: readonly number[] | null;
  readonly isActing: boolean;
  /** What went wrong with the last change, in words; null when nothing did. */
  readonly fault: unknown;
  change(): void;
}

/** Other ports to use, while a part has failed over its port. */
export const useOtherPorts = (status: StackStatus | null): OtherPorts => {
  const { isActing, error, run } = useDesktopAction();
  const [offer, setOffer] = useState<Offer | null>(null);
  const [news, setNews] = useState<NetworkNews | null>(null);
  const blocked = status?.components.flatMap(({ blockedPort }) => blockedPort ?? []).join() ?? '';
  // A page that takes the place of the one that asked hears the outcome, too.
  useEffect(() => onDesktop('network.changed', (state) => setNews(state.news)), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change, other ports may be free
  useEffect(() => {
    if (blocked === '' || isActing) return;
    let isOver = false;
    void findOffer()
      // The part's reason says what to write where.
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

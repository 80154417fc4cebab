import { deliveryQueue } from '../../kernel/queues/queues.ts';
import type { StoreContext } from '../store-context.ts';
import type { Deliveries } from './deliveries.ts';

/** Wakes deliveries when players come, when servers are back or gone, and when a pause of their queue ends. */
export const followGames = (
  {
    ways,
    servers,
    statusOf,
    pauses,
    onSweep,
    onPlayersPresent,
    onLateResult,
    log,
  }: Pick<
    StoreContext,
    'ways' | 'servers' | 'statusOf' | 'pauses' | 'onSweep' | 'onPlayersPresent' | 'onLateResult' | 'log'
  >,
  deliveries: Deliveries,
): Disposable => {
  onLateResult(async (serverId, commandId, result) => {
    await deliveries.takeLate(serverId, commandId, result);
  });
  onPlayersPresent(deliveries.onPlayersPresent);

  /** By server: the link to a running game that was last seen open. An agent stays while its game restarts. */
  const connections = new Map<string, object | string | null>();
  onSweep(() => {
    for (const { id } of servers.all()) {
      const isDown = ['offline', 'starting'].includes(statusOf(id).state);
      const connection = isDown ? null : (ways.open(id)?.connection ?? null);
      if (connection === (connections.get(id) ?? null)) continue;
      connections.set(id, connection);
      if (connection !== null) deliveries.onServerBack(id);
    }
  });

  let wasPaused = false;
  pauses.onChange(() => {
    const isPaused = pauses.isPaused(deliveryQueue);
    // Only then: at a start, nothing may be moved before the deliveries are prepared.
    if (wasPaused && !isPaused)
      deliveries
        .sweep()
        .catch((error: unknown) =>
          log.warn({ err: error }, 'could not process deliveries after a pause; the next sweep will retry'),
        );
    wasPaused = isPaused;
  });

  const stop = servers.subscribe((gone) => {
    if (gone.length > 0) deliveries.onServersGone();
  });
  return { [Symbol.dispose]: stop };
};

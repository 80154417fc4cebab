import { setImmediate as turn } from 'node:timers/promises';
import {
  Client,
  type ClientOptions,
  CloseCodes,
  SimpleShardingStrategy,
  WebSocketShardStatus,
} from 'discord.js';

/** Of @discordjs/ws; discord.js exports an older enumeration under the name of its events. */
type Shards = ReadonlyMap<
  number,
  {
    readonly status: WebSocketShardStatus;
    emit(event: 'closed', details: { readonly code: number }): boolean;
  }
>;

/** Another service that speaks Discord's protocol; where undefined, Discord itself, and the gateway that its REST names. */
export interface DiscordUrls {
  readonly api: string | undefined;
  readonly gateway: string | undefined;
  readonly cdn: string | undefined;
}

export interface DiscordClientOptions extends ClientOptions {
  readonly urls: DiscordUrls;
}

/**
 * A client that can be destroyed at any time. While it waits for HELLO or READY, the destroy of @discordjs/ws 1.2.3 never
 * ends: that wait takes its own abort for a time-out and reconnects.
 */
export class DiscordClient extends Client {
  readonly #shards: () => Shards;

  constructor({ urls: { api, gateway, cdn }, ...options }: DiscordClientOptions) {
    let shards: Shards = new Map();
    super({
      ...options,
      rest: { ...options.rest, ...(api ? { api } : {}), ...(cdn ? { cdn, mediaProxy: cdn } : {}) },
      ws: {
        ...options.ws,
        buildStrategy(manager) {
          if (gateway) {
            const asNamed = manager.fetchGatewayInformation.bind(manager);
            manager.fetchGatewayInformation = async (force) => ({ ...(await asNamed(force)), url: gateway });
          }
          const strategy = new SimpleShardingStrategy(manager);
          // Private to its types alone; nothing public leads to a shard that is still connecting.
          shards = (strategy as unknown as { readonly shards: Shards }).shards;
          return strategy;
        },
      },
    });
    this.#shards = () => shards;
  }

  override async destroy(): Promise<void> {
    // A wait ends without a reconnect when its connection is closed.
    for (const shard of this.#shards().values())
      if (shard.status !== WebSocketShardStatus.Ready) shard.emit('closed', { code: CloseCodes.Normal });
    await turn();
    await super.destroy();
  }
}

import { setImmediate as turn } from 'node:timers/promises';
import {
  Client,
  type ClientOptions,
  CloseCodes,
  REST,
  SimpleShardingStrategy,
  WebSocketShardStatus,
} from 'discord.js';
import { createMakeRequest } from './discord-rest.ts';
import { createDiscordTraffic } from './discord-traffic.ts';

/** From @discordjs/ws; discord.js exports an older enumeration under the name of its events. */
type Shards = ReadonlyMap<
  number,
  {
    readonly status: WebSocketShardStatus;
    emit(event: 'closed', details: { readonly code: number }): boolean;
  }
>;

/** Another service that speaks Discord's protocol; undefined: Discord itself, and the gateway that its REST API names. */
export interface DiscordUrls {
  readonly api: string | undefined;
  readonly gateway: string | undefined;
  readonly cdn: string | undefined;
}

export interface DiscordClientOptions extends ClientOptions {
  readonly urls: DiscordUrls;
}

/**
 * A client that tracks its requests to Discord and can be destroyed at any time. While it waits for HELLO or READY, the
 * destroy of @discordjs/ws 1.2.3 never ends: that wait treats its own abort as a time-out and reconnects.
 */
export class DiscordClient extends Client {
  readonly traffic = createDiscordTraffic();
  /** Called when Discord refused the token while the client was running. */
  onTokenRefused: () => void = () => undefined;
  readonly #shards: () => Shards;
  readonly #answers: REST;
  #hasEnded = false;

  constructor({ urls: { api, gateway, cdn }, ...options }: DiscordClientOptions) {
    let shards: Shards = new Map();
    super({
      ...options,
      rest: {
        ...options.rest,
        ...(api ? { api } : {}),
        ...(cdn ? { cdn, mediaProxy: cdn } : {}),
        makeRequest: createMakeRequest({
          hasEnded: () => this.#hasEnded,
          onTokenRefused: () => this.onTokenRefused(),
        }),
      },
      ws: {
        ...options.ws,
        buildStrategy(manager) {
          if (gateway) {
            const asNamed = manager.fetchGatewayInformation.bind(manager);
            manager.fetchGatewayInformation = async (force) => ({ ...(await asNamed(force)), url: gateway });
          }
          const strategy = new SimpleShardingStrategy(manager);
          // Private in its types only; nothing public gives access to a shard that is still connecting.
          shards = (strategy as unknown as { readonly shards: Shards }).shards;
          return strategy;
        },
      },
    });
    this.#shards = () => shards;
    const { rest } = this;
    const send = rest.request.bind(rest);
    rest.request = (asked) =>
      this.traffic.track({ method: asked.method, path: asked.fullRoute }, () =>
        this.#isAnswer(asked.fullRoute) ? this.#answers.request(asked) : send(asked),
      );
    this.#answers = new REST(this.options.rest);
  }

  /** Discord applies no global limit to answers to commands, but discord.js would delay them by it along with all the rest. */
  #isAnswer(path: string): boolean {
    const { application } = this;
    return application !== null && path.startsWith(`/webhooks/${application.id}/`);
  }

  override async destroy(): Promise<void> {
    this.#hasEnded = true;
    this.#answers.clearHashSweeper();
    this.#answers.clearHandlerSweeper();
    // A shard that waits ends without a reconnect when its connection is closed.
    for (const shard of this.#shards().values())
      if (shard.status !== WebSocketShardStatus.Ready) shard.emit('closed', { code: CloseCodes.Normal });
    await turn();
    await super.destroy();
  }
}

export type SignedInClient = DiscordClient & Client<true>;

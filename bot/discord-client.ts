import { setImmediate as turn } from 'node:timers/promises';
import {
  Client,
  type ClientOptions,
  CloseCodes,
  DefaultRestOptions,
  REST,
  type RESTOptions,
  type ResponseLike,
  SimpleIdentifyThrottler,
  SimpleShardingStrategy,
  WebSocketShardStatus,
} from 'discord.js';
import { outside } from '#runtime/outside/outside.ts';
import { discordCode } from './discord-request.ts';
import { createDiscordTraffic } from './discord-traffic.ts';

type MakeRequest = RESTOptions['makeRequest'];

/** As discord.js does, and through the proxy if there is one. */
const send: MakeRequest = async (address, init) => {
  const url = new URL(address);
  if (!outside().agentFor(url)) return DefaultRestOptions.makeRequest(address, init);
  // discord.js types request and answer as undici's, which Node's own are.
  const response = await outside().fetch(url, { ...(init as unknown as RequestInit), redirect: 'manual' });
  return response as unknown as ResponseLike;
};

/** Sends requests, and corrects answers that discord.js would misread. */
const createMakeRequest =
  ({
    hasEnded,
    onTokenRefused,
  }: {
    /** The client's connection has ended: what still waits is not sent. */
    readonly hasEnded: () => boolean;
    /** Discord answered 401 to the bot's token; discord.js then forgets the token and sends nothing more. */
    readonly onTokenRefused: () => void;
  }): MakeRequest =>
  async (url, init) => {
    if (hasEnded()) throw new Error('the connection to Discord has ended');
    const response = await send(url, init);
    if (response.status === 401 && 'Authorization' in { ...(init.headers as object) }) onTokenRefused();
    return response.status === 429 ? readThrottle(response) : response;
  };

/**
 * Discord answers 429 when a message is too old to be edited again, and discord.js would then delay every edit in the
 * channel for minutes. It is a refusal: https://github.com/discord/discord-api-docs/issues/4413
 */
const readThrottle = async (response: ResponseLike): Promise<ResponseLike> => {
  const text = await response.text();
  const headers = new Headers([...response.headers]);
  const isRefusal = codeOf(text) === discordCode.tooManyOldEdits;
  if (isRefusal) headers.delete('Retry-After');
  // discord.js types the answer as undici's Response, which Node's own is.
  return new Response(text, { status: isRefusal ? 400 : 429, headers }) as unknown as ResponseLike;
};

const codeOf = (text: string): unknown => {
  try {
    return (JSON.parse(text) as { code?: unknown }).code;
  } catch {
    // A page from a proxy in front of Discord.
    return undefined;
  }
};

type IdentifyThrottler = Pick<SimpleIdentifyThrottler, 'waitForIdentify'>;

/**
 * Discord's pause of five seconds between two sign-ins. That of @discordjs/ws 1.2.3 does not notice that the connection
 * closes meanwhile, and signs in on the next one, which may not be open yet.
 * @throws {DOMException} from `waitForIdentify` if its connection has closed
 */
export const createIdentifyThrottler = (maxConcurrency: number): IdentifyThrottler => {
  const throttler = new SimpleIdentifyThrottler(maxConcurrency);
  return {
    async waitForIdentify(shardId, signal) {
      await throttler.waitForIdentify(shardId, signal);
      signal.throwIfAborted();
    },
  };
};

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

/**
 * A client that tracks its requests to Discord and can be destroyed at any time. While it waits for HELLO or READY, the
 * destroy of @discordjs/ws 1.2.3 never ends: that wait treats its own abort as a time-out and reconnects.
 */
export class DiscordClient extends Client {
  readonly traffic = createDiscordTraffic();
  /** Called when Discord refused the token while the client was running. */
  onTokenRefused: () => void = () => undefined;
  /** Called when Discord closed the connection, also if discord.js opens it again by itself. */
  onGatewayClosed: (code: number) => void = () => undefined;
  readonly #shards: () => Shards;
  readonly #answers: REST;
  #hasEnded = false;

  constructor({
    urls: { api, gateway, cdn },
    ...options
  }: ClientOptions & {
    readonly urls: DiscordUrls;
  }) {
    let shards: Shards = new Map();
    // Not yet `this`.
    let onClosed = (_code: number): void => undefined;
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
        async buildIdentifyThrottler(manager) {
          const { session_start_limit: limit } = await manager.fetchGatewayInformation();
          return createIdentifyThrottler(limit.max_concurrency);
        },
        buildStrategy(manager) {
          if (gateway) {
            const asNamed = manager.fetchGatewayInformation.bind(manager);
            manager.fetchGatewayInformation = async (force) => ({ ...(await asNamed(force)), url: gateway });
          }
          // As for `Shards`: the name of this event is an enumeration's that is not exported.
          const closing = manager as unknown as {
            on(event: 'closed', listen: (end: { code: number }) => void): void;
          };
          closing.on('closed', ({ code }) => onClosed(code));
          const strategy = new SimpleShardingStrategy(manager);
          // Private in its types only; nothing public gives access to a shard that is still connecting.
          shards = (strategy as unknown as { readonly shards: Shards }).shards;
          return strategy;
        },
      },
    });
    this.#shards = () => shards;
    onClosed = (code) => this.onGatewayClosed(code);
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

import { listen } from '#runtime/http/listen.ts';

export interface FakeDiscord extends AsyncDisposable {
  /** As DISCORD_API_URL. */
  readonly url: string;
  /** Settable. */
  flags: number;
  throttled: boolean;
  guilds: Readonly<Record<string, string>>;
}

export const discordBot = {
  token: 'MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.abcdefghijklmnopqrstuvwxyz0123456789AB',
  clientId: '123456789012345678',
  name: 'Castellan Bot',
} as const;

/** Both intents, as a bot on few servers has them. */
export const bothIntents = (1 << 15) | (1 << 19);

/** The part of Discord's HTTP API, v10, by which a token is looked at; its answers are those that Discord gives. */
export const startFakeDiscord = async (): Promise<FakeDiscord> => {
  const fake = { flags: bothIntents, throttled: false, guilds: {} as Readonly<Record<string, string>> };
  const { token, clientId, name } = discordBot;
  const answerTo = (path: string, authorization: string | undefined): readonly [number, object] => {
    if (fake.throttled)
      return [429, { message: 'You are being rate limited.', retry_after: 2.5, global: false }];
    if (authorization !== `Bot ${token}`) return [401, { message: '401: Unauthorized', code: 0 }];
    if (path === '/v10/users/@me')
      return [
        200,
        { id: clientId, username: name, discriminator: '0000', avatar: null, bot: true, flags: 0 },
      ];
    if (path === '/v10/applications/@me')
      return [200, { id: clientId, name, icon: null, description: '', bot_public: true, flags: fake.flags }];
    const guild = fake.guilds[path.replace('/v10/guilds/', '')];
    if (guild !== undefined) return [200, { id: path.split('/').at(-1), name: guild, owner_id: '1' }];
    return [404, { message: 'Unknown Guild', code: 10004 }];
  };
  const listener = await listen({
    handler: (request, response) => {
      const [status, body] = answerTo(request.url ?? '', request.headers.authorization);
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    },
    host: '127.0.0.1',
    port: 0,
  });
  return Object.assign(fake, {
    url: `http://127.0.0.1:${listener.port}`,
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  });
};

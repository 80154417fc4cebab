// Before everything that loads discord.js.
import './gateway-socket.ts';

import { createLog } from '#runtime/log.ts';
import { setUpOutside } from '#runtime/outside/outside.ts';
import { outsideSecrets } from '#runtime/outside/outside-fields.ts';
import { runProgram } from '#runtime/program.ts';
import { createRedactor } from '#runtime/redact.ts';
import type { Secret } from '#runtime/secret.ts';
import { createApiClient } from './api-client.ts';
import { startApiLink } from './api-link.ts';
import { type BotConfig, readBotConfig } from './config.ts';
import { fieldsOf, followSettings } from './settings-follower.ts';

const read = (): BotConfig | { readonly fault: unknown } => {
  try {
    return readBotConfig(process.env);
  } catch (fault) {
    return { fault };
  }
};

const config = read();
/** Also keeps every token that the bot ever had. */
const secrets: Secret[] =
  'fault' in config ? [] : [config.internalApiSecret, ...outsideSecrets(config.outside)];
let redact = createRedactor(secrets);
const log = createLog({
  component: 'bot',
  ...('fault' in config ? {} : { level: config.logLevel }),
  redact: (text) => redact(text),
});
const hide = (secret: Secret): void => {
  secrets.push(secret);
  redact = createRedactor(secrets);
};

await runProgram(
  async ({ resources }) => {
    if ('fault' in config) throw config.fault;
    setUpOutside(config.outside, log);
    const { apiUrl, internalApiSecret, discordUrls, token, clientId, guildId } = config;
    const env = { token, clientId, guildId };
    const api = createApiClient(apiUrl, internalApiSecret);
    if (token) hide(token);
    const follower = resources.use(
      followSettings({
        env,
        discordUrls,
        onStatus(status) {
          log.info(status, 'bot status');
          link.set(status);
        },
        onToken: hide,
        api,
        log,
      }),
    );
    const link = resources.use(
      startApiLink({
        api,
        fromEnv: fieldsOf(env),
        latencyMs: follower.latencyMs,
        traffic: follower.traffic,
        onSettings: follower.take,
        log,
      }),
    );
  },
  { log, stopDeadlineMs: 5000 },
);

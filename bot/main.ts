import { createLog } from '#runtime/log.ts';
import { runProgram } from '#runtime/program.ts';
import { createRedactor } from '#runtime/redact.ts';
import { type BotConfig, readBotConfig } from './config.ts';
import { keepDiscordSession } from './discord-session.ts';
import { startStatusReporter } from './status-reporter.ts';

const read = (): BotConfig | { readonly fault: unknown } => {
  try {
    return readBotConfig(process.env);
  } catch (fault) {
    return { fault };
  }
};

const config = read();
const log =
  'fault' in config
    ? createLog({ component: 'bot' })
    : createLog({
        component: 'bot',
        level: config.logLevel,
        redact: createRedactor([config.internalApiSecret, ...(config.token ? [config.token] : [])]),
      });

await runProgram(
  async ({ resources }) => {
    if ('fault' in config) throw config.fault;
    const { apiUrl, internalApiSecret, token, discordApiUrl } = config;
    const reporter = resources.use(startStatusReporter({ apiUrl, secret: internalApiSecret, log }));
    const onStatus: typeof reporter.set = (status) => {
      log.info(status, 'bot status');
      reporter.set(status);
    };
    resources.use(keepDiscordSession({ token, discordApiUrl, onStatus, log }));
  },
  { log, stopDeadlineMs: 5000 },
);

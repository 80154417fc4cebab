import { relayChat } from './chat/relay-chat.ts';
import { answerCommands } from './commands/answer-commands.ts';
import { eventPoster } from './events/event-poster.ts';
import type { BotFeature } from './guild-features.ts';
import { memberReporter } from './members/member-reporter.ts';
import { roleKeeper } from './roles/role-keeper.ts';
import { statusKeeper } from './status/status-keeper.ts';

/** What the bot does on its Discord server. Loaded together with discord.js, so only by a bot that has a token. */
export const botFeatures: readonly BotFeature[] = [
  eventPoster,
  statusKeeper(),
  answerCommands,
  relayChat,
  memberReporter,
  roleKeeper,
];

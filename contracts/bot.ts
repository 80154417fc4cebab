import * as z from 'zod';
import { botStates } from './bot-states.ts';
import { discordIdField } from './discord-application.ts';
import { endpoint } from './http.ts';

/** What must be set right, each with its remedy in the panel. */
export const botObstacles = [
  'no-token',
  /** The saved one cannot be decrypted. */
  'token-unreadable',
  'token-refused',
  'intents-off',
  /** The bot is not on the Discord server that it is set up for. */
  'guild-unknown',
  /** Discord refuses it for another reason. */
  'refused',
] as const;
export type BotObstacle = (typeof botObstacles)[number];

export const botStatus = z.strictObject({
  state: z.enum(botStates),
  /** In words: why it waits, or who it is signed in as. */
  detail: z.string().max(500),
  /** Only while it waits. */
  obstacle: z.enum(botObstacles).nullable().default(null),
  /** Of the Discord server that it works on. */
  guildName: z.string().max(200).nullable().default(null),
  /** Of the application that its token belongs to, once Discord has said so. */
  clientId: discordIdField.default(''),
});
export type BotStatus = z.infer<typeof botStatus>;

/** What the bot's place in Discord is made of. */
export const discordFields = ['token', 'clientId', 'guildId'] as const;
export type DiscordField = (typeof discordFields)[number];

/** Different ones; the same again is counted. */
export const mostTrafficErrors = 5;

/** What the bot asks of Discord, and what Discord makes of it. No token is ever among it. */
export const botTraffic = z.strictObject({
  /** Requests that are not answered yet; they wait for Discord's limits, most of all. */
  waiting: z.int().nonnegative(),
  /** How long the oldest of them has waited. */
  oldestWaitMs: z.int().nonnegative(),
  /** In which the last message failed, within minutes. */
  failingChannels: z.int().nonnegative(),
  /** The last ones, the newest first. */
  errors: z
    .array(
      z.strictObject({
        at: z.iso.datetime(),
        /** Method and path. */
        request: z.string().max(200),
        /** Null: there was no answer. */
        status: z.int().nullable(),
        /** Discord's, or the network's. */
        code: z.string().max(60),
        message: z.string().max(200),
        count: z.int().positive(),
      }),
    )
    .max(mostTrafficErrors),
});
export type BotTraffic = z.infer<typeof botTraffic>;

export const botReport = z.strictObject({
  ...botStatus.shape,
  /** Between a heartbeat to Discord and its answer; null until there was one. */
  latencyMs: z.int().nonnegative().nullable().default(null),
  /** Null while it is not signed in. */
  traffic: botTraffic.nullable().default(null),
  /** What it was given in its environment, from `.env`: that wins over what is saved. */
  fromEnv: z.array(z.enum(discordFields)).default([]),
});
export type BotReport = z.infer<typeof botReport>;

/** The bot reports at least this often; the API calls it gone after three missed reports. */
export const botReportSeconds = 10;

/** What is saved for the bot, apart from `.env`. */
export const botSettings = z.object({
  revision: z.string(),
  token: z.string().nullable(),
  /** A token is saved, and cannot be decrypted. */
  isTokenUnreadable: z.boolean(),
  clientId: discordIdField,
  guildId: discordIdField,
});
export type BotSettings = z.infer<typeof botSettings>;

export const botHttp = {
  report: endpoint({
    method: 'PUT',
    path: '/api/internal/bot/status',
    summary: 'The bot reports how it is, and hears whether its settings have changed',
    access: 'bot.report',
    body: botReport,
    response: z.object({
      /** Of the settings to be fetched; null while the database cannot be asked. */
      revision: z.string().nullable(),
    }),
    problems: ['UNAUTHENTICATED'],
  }),
  settings: endpoint({
    method: 'GET',
    path: '/api/internal/bot/settings',
    summary: 'The bot fetches its token and its place in Discord',
    access: 'bot.report',
    response: botSettings,
    problems: ['UNAUTHENTICATED'],
  }),
} as const;

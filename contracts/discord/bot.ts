import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { componentStates } from '../operations/stack.ts';
import { botStates } from './bot-states.ts';
import { discordIdField } from './discord-application.ts';

/** What must be set right; the panel has a remedy for each. */
export const botObstacles = [
  'no-token',
  /** The saved token cannot be decrypted. */
  'token-unreadable',
  'token-refused',
  'intents-off',
  /** The bot is not on the Discord server that it is set up for. */
  'guild-unknown',
  /** Discord has trouble with the Discord server that it is set up for. */
  'guild-unavailable',
  /** Discord refuses the token for another reason. */
  'refused',
] as const;
export type BotObstacle = (typeof botObstacles)[number];

const botStatus = z.strictObject({
  state: z.enum(botStates),
  /** In words: why it waits, or which account it is signed in as. */
  detail: z.string().max(500),
  /** Only while it waits. */
  obstacle: z.enum(botObstacles).nullable().default(null),
  /** The Discord server that it works on. */
  guildName: z.string().max(200).nullable().default(null),
  /** The application that its token belongs to, once Discord has said so. */
  clientId: discordIdField.default(''),
});
export type BotStatus = z.infer<typeof botStatus>;

/** The settings that connect the bot to Discord. */
export const discordFields = ['token', 'clientId', 'guildId'] as const;
export type DiscordField = (typeof discordFields)[number];

/** Distinct errors; repetitions are counted. */
export const mostTrafficErrors = 5;

/** The bot's requests to Discord, and how they end. Never contains a token. */
export const botTraffic = z.strictObject({
  /** Unanswered requests; most of them wait for Discord's rate limits. */
  waiting: z.int().nonnegative(),
  /** How long the oldest of them has waited. */
  oldestWaitMs: z.int().nonnegative(),
  /** Channels in which the last message failed, within the last minutes. */
  failingChannels: z.int().nonnegative(),
  /** The most recent ones, newest first. */
  errors: z
    .array(
      z.strictObject({
        at: z.iso.datetime(),
        /** Method and path. */
        request: z.string().max(200),
        /** Null: there was no answer. */
        status: z.int().nullable(),
        /** Discord's code, or the network's. */
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
  /** From a heartbeat to Discord to its answer; null until the first one. */
  latencyMs: z.int().nonnegative().nullable().default(null),
  /** Null while it is not signed in. */
  traffic: botTraffic.nullable().default(null),
  /** The fields that it got in its environment, from `.env`, which wins over saved values. */
  fromEnv: z.array(z.enum(discordFields)).default([]),
});
export type BotReport = z.infer<typeof botReport>;

/** The bot reports at least this often; after three missed reports, the API considers it gone. */
export const botReportSeconds = 10;

/** The bot's process, as its supervisor finds it. */
const botProcess = z.object({
  state: z.enum(componentStates),
  /** Why, in words; null if there is nothing to say. */
  reason: z.string().nullable(),
});
export type BotProcess = z.infer<typeof botProcess>;

/** What is older says nothing about the present. The supervisor reports every second, unless a running bot did not answer it. */
export const botProcessFreshMs = 5000;

/** The bot's saved settings, apart from `.env`. */
const botSettings = z.object({
  revision: z.string(),
  token: z.string().nullable(),
  /** A token is saved, but it cannot be decrypted. */
  isTokenUnreadable: z.boolean(),
  clientId: discordIdField,
  guildId: discordIdField,
});
export type BotSettings = z.infer<typeof botSettings>;

export const botHttp = {
  report: endpoint({
    method: 'PUT',
    path: '/api/internal/bot/status',
    summary: "Report the bot's status; returns whether its settings have changed",
    access: 'bot.report',
    body: botReport,
    response: z.object({
      /** The revision of the settings to fetch; null while the database is unreachable. */
      revision: z.string().nullable(),
    }),
    problems: ['UNAUTHENTICATED'],
  }),
  process: endpoint({
    method: 'PUT',
    path: '/api/internal/bot/process',
    summary: "Report the state of the bot's process, as its supervisor finds it",
    access: 'bot.report',
    body: botProcess,
    response: z.object({}),
    problems: ['UNAUTHENTICATED'],
  }),
  settings: endpoint({
    method: 'GET',
    path: '/api/internal/bot/settings',
    summary: "Return the bot's token and its Discord application and server",
    access: 'bot.report',
    response: botSettings,
    problems: ['UNAUTHENTICATED'],
  }),
} as const;

import * as z from 'zod';
import { endpoint } from './http.ts';

/** What the bot process is doing; `waiting` means that it runs but cannot sign in to Discord yet. */
export const botStates = ['waiting', 'connecting', 'connected', 'throttled'] as const;

export const botStatus = z.strictObject({
  state: z.enum(botStates),
  /** In words: why it waits, or who it is signed in as. */
  detail: z.string().max(500),
});
export type BotStatus = z.infer<typeof botStatus>;

/** The bot reports at least this often; the API calls it gone after three missed reports. */
export const botReportSeconds = 10;

export const botHttp = {
  report: endpoint({
    method: 'PUT',
    path: '/api/internal/bot/status',
    summary: 'The bot reports how it is',
    access: 'bot.report',
    body: botStatus,
    response: z.object({}),
    problems: ['UNAUTHENTICATED'],
  }),
} as const;

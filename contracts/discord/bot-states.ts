/** What the bot process is doing; `waiting`: it runs, but something must be set right before it can work. */
export const botStates = ['waiting', 'connecting', 'connected', 'throttled'] as const;
export type BotState = (typeof botStates)[number];

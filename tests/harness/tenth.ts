/** An interval of the bot, in a test that waits for it. */
export const tenth = (usualMs: number): number => usualMs / 10;

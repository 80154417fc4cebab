import type { CommandOutcome, CommandResult } from '#contracts/games.ts';

const words: Readonly<Record<CommandOutcome, string>> = {
  answered: '',
  timeout: 'The game did not answer in time.',
  'connection refused': 'Nothing listens at the address of the console.',
  'authentication failed': 'The game refused the password.',
  'name not found': 'The host name is not known.',
  unreachable: 'There is no way to the game.',
  'wrong protocol': 'What answers at this address is not the console of this game.',
  'connection lost': 'The connection ended before the answer came.',
  'not ready': 'The game takes no commands yet: it may still be starting.',
  cancelled: 'It was cancelled.',
  expired: 'It waited too long and was not sent.',
  'agent away': 'The Game Agent of this server is not connected.',
  'invalid command':
    'It is longer than this game takes, more than one line, or not a command of this game. It was not sent.',
  unknown: 'How it ended is not known.',
};

/** Why there is no reply, and whether the command may have been carried out anyway. */
export const outcomeInWords = (
  { outcome, sent }: Pick<CommandResult, 'outcome' | 'sent'>,
  detail: string | null,
): string => {
  const why = detail ?? words[outcome];
  return sent ? `${why} The command may have been carried out.` : why;
};

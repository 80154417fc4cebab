import { reasons } from '#contracts/kernel/reasons.ts';
import { beginsWith, type Refusal } from '../reply-reading.ts';

const failed = (sign: RegExp, reason: string): Refusal => ({ sign, verdict: 'failed', reason });

/** The game could not read the command. */
export const syntaxRefusals: readonly Refusal[] = [
  failed(/Unknown or incomplete command/, reasons['command-unknown']),
  failed(/Unknown command/, reasons['command-unknown']),
  failed(/Incorrect argument for command/, reasons['command-misread']),
  failed(/Expected (?:whitespace|value|quote|literal|integer|end of)/, reasons['command-misread']),
  failed(/The number you have entered \(/, reasons['amount-refused']),
  failed(/Integer must not be (?:more|less) than /, reasons['amount-refused']),
  failed(/^[^\n]*<--\[HERE\]$/m, reasons['command-misread']),
];

/** The player is not on the server: since 1.13, before, in 1.8, and with EssentialsX. */
export const absentRefusals: readonly Refusal[] = [
  /No player was found$/,
  /No entity was found$/,
  /Player '[^']*' cannot be found$/,
  /That player cannot be found$/,
  /(?:Error: )?Player not found\.?$/,
].map((sign) => ({ sign, verdict: 'later', reason: reasons['player-absent'] }));

/** No player has this name. */
export const unknownPlayerRefusal: Refusal = failed(
  /That player does not exist$/,
  'Minecraft knows no player of this name.',
);

/** EssentialsX, when the player has switched private messages off (`msgIgnore`). */
export const deafRefusal: Refusal = failed(
  /^.{1,80} has messages disabled\.?$/,
  'The player has switched private messages off.',
);

/**
 * Besides refusals: the game's message when a command itself fails, and EssentialsX's prefix of an error. Bukkit's text for an
 * unknown command over RCON is in github.com/AlexProgrammerDE/balena-minecraft-server, issue 84.
 */
const errorSigns = [
  ...[...syntaxRefusals, ...absentRefusals, unknownPlayerRefusal].map(({ sign }) => sign),
  /An unexpected error occurred trying to execute that command/,
  /An internal error occurred while attempting to perform this command/,
  /Error: /,
];

export const isErrorReply = (reply: string): boolean => beginsWith(reply, errorSigns);
